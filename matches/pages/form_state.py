"""What somebody typed into a form, kept so that nothing is lost when the form is shown again with errors."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.html import escape, format_html_join
from django.utils.safestring import SafeString


@dataclass(frozen=True)
class FormState:
    """A submitted form: `type` is the action's, `values` the fields as typed, by name.

    `errors`: field -> what is wrong with it, in words; the empty name stands for the whole form.
    """

    type: str = ""
    values: Mapping[str, Sequence[str]] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)

    def value(self, action: str, name: str) -> str:
        """What was typed into a field of that action's form, or an empty text."""
        typed = self.values.get(name, ()) if action == self.type else ()
        return typed[-1] if typed else ""

    def chosen(self, action: str, name: str) -> Sequence[str]:
        """All values chosen in a field that takes several."""
        return self.values.get(name, ()) if action == self.type else ()

    def error(self, action: str, name: str = "") -> str:
        """What is wrong with a field, or (without a name) with the whole form."""
        return self.errors.get(name, "") if action == self.type else ""


def with_tokens(part: str, address: str, token: str, keys: Mapping[str, str]) -> SafeString:
    """This part of a page, each of its forms (`act_form`) with what its frame has. `keys`: by type."""

    def filled(form: re.Match[str]) -> str:
        hidden = {"csrfmiddlewaretoken": token, "type": form[1], "key": keys.get(form[1], "")}
        fields = ((name, value) for name, value in hidden.items() if value)
        inputs = format_html_join("", '<input type="hidden" name="{}" value="{}">', fields)
        return f'{form[0][:-1]} action="{escape(address)}">{inputs}'

    return SafeString(re.sub(r'<form class="act-fields" data-of="(\w+)"[^>]*>', filled, part))


def has_fields(act: str) -> bool:
    """Whether this part of a page, in HTML, has anything to send: what has names the frame of its form."""
    return 'form="act-' in act


def has_several(act: str) -> bool:
    """Whether it has fields or buttons of more than one form."""
    return len(set(re.findall(r'form="(act-[^"]+)"', act))) > 1


def is_told(act: str) -> bool:
    """Whether it has anything to read besides that nothing is asked."""
    return bool(act.strip()) and (has_fields(act) or "data-nothing-asked" not in act)
