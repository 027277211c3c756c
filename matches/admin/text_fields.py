"""A form field for what hosts write to players: several lines of plain text."""

from __future__ import annotations

from typing import Any

from django import forms

from matches.services.plain_text import BadText, plain_text


class TextField(forms.CharField):
    """Several lines, as `plain_text` takes them."""

    def __init__(self, *, most: int, missing: str, rows: int = 5, **kwargs: Any) -> None:
        # The length is counted by `plain_text`, which does not count the browser's two characters for a line's end.
        super().__init__(widget=forms.Textarea(attrs={"rows": rows, "cols": 60, "maxlength": most}), **kwargs)
        self._most, self._missing = most, missing
        self.error_messages["required"] = missing

    def clean(self, value: Any) -> str:
        text = str(value or "")
        if not text.strip() and not self.required:
            return ""
        try:
            return plain_text(text, self._most, missing=self._missing)
        except BadText as refused:
            raise forms.ValidationError(refused.message) from None
