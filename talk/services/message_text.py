"""What may be written: plain text that reads as what it is."""

from __future__ import annotations

import unicodedata

from matches.services.questions import BadText, plain_text

LONGEST = 2000
LONGEST_REASON = 300
MOST_LINES = 40
_MOST_MARKS = 5


def cleaned(text: str, *, longest: int = LONGEST, field: str = "text") -> str:
    """The text as it is stored. Raises `BadText` for what `plain_text` refuses, for too many lines (`text_too_long`),
    and for heaps of accents on one letter (`text_not_visible`), which cover the lines above."""
    text = plain_text(text, longest, missing="Write something first.", field=field)
    if text.count("\n") >= MOST_LINES:
        raise BadText(f"A message has at most {MOST_LINES} lines.", code="text_too_long", field=field)
    if _has_heaps(text):
        raise BadText("There are too many accents on one letter.", code="text_not_visible", field=field)
    return text


def _has_heaps(text: str) -> bool:
    count = 0
    for character in text:
        count = count + 1 if unicodedata.combining(character) else 0
        if count > _MOST_MARKS:
            return True
    return False
