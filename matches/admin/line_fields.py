"""Form fields for single lines that hosts type and others read: reasons, titles."""

from __future__ import annotations

from typing import Any

from django import forms

from accounts.validators import validate_visible


class LineField(forms.CharField):
    """One line of visible text; several spaces become one."""

    def to_python(self, value: Any) -> str:
        return " ".join((super().to_python(value) or "").split())

    def validate(self, value: str) -> None:
        super().validate(value)
        validate_visible(value)


def reason_field(help_text: str, *, label: str = "Reason", required: bool | str = True) -> LineField:
    """A reason in one line; `required` may be the error message for a missing one."""
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
