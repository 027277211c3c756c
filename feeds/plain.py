"""Texts of people, made fit for formats of programs."""

from __future__ import annotations

import unicodedata

_NO_TEXT = ("Cc", "Cs")  # control characters and halves of characters
_NONCHARACTERS = "\ufffe\uffff"


def plain(text: str) -> str:
    """The text in one line, without what neither XML nor iCalendar can hold."""
    fit = (" " if unicodedata.category(each) in _NO_TEXT or each in _NONCHARACTERS else each for each in text)
    return " ".join("".join(fit).split())
