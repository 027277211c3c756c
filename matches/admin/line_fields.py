"""Lines that hosts type and other people read: reasons, titles."""

from __future__ import annotations

from typing import Any

from django import forms

_JOINERS = "\u200c\u200d"
"""These show nothing by themselves, but some scripts and emoji are written with them."""

_UNSEEN = "Please use visible characters only: letters, digits, signs, spaces."


def check_visible(text: str) -> None:
    """Raise `ValidationError` for text in which nothing can be seen, or with signs that show nothing or turn the
    direction: they would make the rest of a line read as something else."""
    bare = text.translate(dict.fromkeys(map(ord, _JOINERS)))
    lines = bare.splitlines()
    if not all(line.replace("\t", " ").replace("\xa0", " ").isprintable() for line in lines) or (text and not bare):
        raise forms.ValidationError(_UNSEEN)


class LineField(forms.CharField):
    """One line of text that can be seen; runs of spaces become one."""

    def to_python(self, value: Any) -> str:
        return " ".join((super().to_python(value) or "").split())

    def validate(self, value: str) -> None:
        super().validate(value)
        check_visible(value)


def reason_field(help_text: str, *, label: str = "Reason", required: bool | str = True) -> LineField:
    """A reason in one line; `required` may be the sentence that is said where it is missing."""
    said = {"required": required} if isinstance(required, str) else {}
    widget = forms.TextInput(attrs={"size": 50, "autocomplete": "off"})
    return LineField(
        label=label,
        required=bool(required),
        max_length=200,
        widget=widget,
        help_text=help_text,
        error_messages=said,
    )
