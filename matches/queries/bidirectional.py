"""Names in sentences, whichever side they are read from."""

from __future__ import annotations

from unicodedata import bidirectional

APART, AGAIN = "\u2068", "\u2069"
"""Unicode's first strong isolate, and its end: nothing shows, and what is between them turns nothing around it."""
_FROM_THE_RIGHT = ("R", "AL")


def set_apart(name: str) -> str:
    """A name as a sentence has it. One that is read from the right is set apart by invisible marks: it would turn the
    number after it, and the name after that, around."""
    return f"{APART}{name}{AGAIN}" if any(bidirectional(letter) in _FROM_THE_RIGHT for letter in name) else name
