"""Passwords that are known from breaches, looked up in a list on this machine: nothing of them leaves it."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import BinaryIO

from django.core.exceptions import ValidationError


class NotBreached:
    """For passwords: none of a list. `path`: a file of a line for each, which begins with its SHA-1 in hexadecimal
    digits, sorted, such as the whole list of Pwned Passwords (40 GB: it is never read whole)."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)

    def validate(self, password: str, user: object = None) -> None:
        """Raise `ValidationError` for one of the list."""
        sought = hashlib.sha1(password.encode(), usedforsecurity=False).hexdigest().upper().encode()
        with self._path.open("rb") as file:
            if _first_from(file, sought).startswith(sought):
                raise ValidationError(
                    "This password is known from a breach of some other site, so it is among the first that others "
                    "try. Please choose another one, and change it wherever else you use it.",
                    code="password_breached",
                )

    def get_help_text(self) -> str:
        return "Your password can’t be one that is known from breaches of other sites."


def _first_from(file: BinaryIO, sought: bytes) -> bytes:
    """The first line that does not come before what is sought; empty if there is none."""
    # Lines that begin before `low` come before it, those from `high` on do not.
    low, high = 0, file.seek(0, 2)
    while low < high:
        middle = (low + high) // 2
        line = _line_from(file, middle)
        if not line or line >= sought:
            high = middle
        else:
            low = file.tell()
    return _line_from(file, low)


def _line_from(file: BinaryIO, place: int) -> bytes:
    """The first line that begins at a place or after it. Then the file stands at its end."""
    file.seek(max(0, place - 1))
    if place:
        file.readline()
    return file.readline().upper()
