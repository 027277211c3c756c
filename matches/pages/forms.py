"""Forms of actions on pages: their fields, and what they remember."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote, unquote

from django.utils.html import escape, format_html_join
from django.utils.safestring import SafeString

# -- form state ------------------------------------------------------------------------------------------
# What somebody typed into a form, kept so that nothing is lost when the form is shown again with errors.


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


# -- form fields -----------------------------------------------------------------------------------------
# Names of form fields: reads `bids[7][gold]` as a place in a tree, and finds the input that a rejection is about.
#
# Each key in brackets may be percent-encoded, so that any name fits in: `bids[St.%20Mary%5D]`.

_NAME = re.compile(r"(\w{1,40})((?:\[[^\[\]]{1,800}\]){0,3})")
_LONGEST_KEY = 100
WHOLE = "=whole"
"""The last key of a whole number, where there might be something else: `answers[bid][%3Dwhole]`."""


def input_name(name: str, *keys: object) -> str:
    """`input_name("bids", "St. Mary", "gold")`: `bids[St.%20Mary][gold]`."""
    return name + "".join(f"[{quote(str(key), safe='')}]" for key in keys)


@dataclass(eq=False, slots=True)
class Typed:
    """One input, or a group of them by key.

    `values`: what was typed; empty if the form has no input with exactly this `name`. `rows`: the group's rows in
    order, after `filled_rows` has read it as a list.
    """

    name: str
    values: Sequence[str] = ()
    inner: dict[str, Typed] = field(default_factory=dict)
    rows: list[Typed] | None = None

    def at(self, key: str) -> Typed:
        """The part of that key; an empty one if nothing was sent."""
        return self.inner.get(key) or Typed(input_name(self.name, key) if self.name else key)

    @property
    def is_blank(self) -> bool:
        """Whether nothing was typed in it."""
        return not any(text.strip() for text in self.values) and all(part.is_blank for part in self.inner.values())

    def filled_rows(self) -> list[Typed]:
        """The rows of a list, by number, without blank ones."""
        numbered = sorted(self.inner.items(), key=lambda item: _number(item[0]))
        self.rows = [row for _, row in numbered if not row.is_blank]
        return self.rows

    def _keyed(self) -> Iterator[tuple[str, Typed]]:
        if self.rows is None:
            yield from self.inner.items()
        else:
            for place, row in enumerate(self.rows):
                yield str(place), row

    def input_at(self, path: str) -> str:
        """The name of the input that a path points to; empty if there is none.

        Paths are written like `Rejected.field`: `.bids.7`, `.bids["St. Mary"].gold`, `.items[0].auction`. If an input
        was sent several times, each number in it (`.to[1]`) points to it.
        """
        # The longest first, so that “St. Mary” is not read as “St”.
        for key, part in sorted(self._keyed(), key=lambda item: -len(item[0])):
            for spelled in (f".{key}", f"[{key}]", f'["{key}"]'):
                if path.startswith(spelled) and (found := part.input_at(path[len(spelled) :])):
                    return found
        if not path and WHOLE in self.inner:
            return self.inner[WHOLE].name
        return self.name if self.values and path[:1] in ("", "[") else ""


def _number(key: str) -> int:
    return int(key) if key.isascii() and key.isdigit() and len(key) < 10 else 10**10


def tree_of(values: Mapping[str, Sequence[str]]) -> Typed:
    """What was typed, by name, as a tree. Names that no form field can have are left out."""
    root = Typed("")
    for full, typed in values.items():
        parts = _NAME.fullmatch(full)
        if parts is None:
            continue
        node, name = root, ""
        keys = re.findall(r"\[([^\]]*)\]", parts[2])
        for key, written in [(parts[1], parts[1]), *((unquote(key), f"[{key}]") for key in keys)]:
            name += written
            node = node.inner.setdefault(key[:_LONGEST_KEY], Typed(name))
        node.name, node.values = full, typed
    return root
