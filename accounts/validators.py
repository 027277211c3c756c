"""What names, texts, time zones and passwords must be; each raises `ValidationError` with a sentence for its field."""

import hashlib
import re
from bisect import bisect_left
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator

from accounts.names import BLANKS, is_reserved

USERNAME_PATTERN = r"[A-Za-z0-9_.-]{2,30}"

validate_username = RegexValidator(
    # \Z and not $, which would let a trailing newline through.
    regex=re.compile(rf"\A{USERNAME_PATTERN}\Z"),
    message=(
        "Please use 2 to 30 characters: the letters a–z, digits, and _ . - "
        "(no spaces, no accents; your display name may have those)."
    ),
    code="invalid_username",
)


_JOINERS = "\u200c\u200d"
"""Invisible by themselves, but needed to write some scripts and emoji."""


def validate_visible(text: str) -> None:
    """Raise `ValidationError` for text without any visible character, or with invisible characters or ones that change
    the writing direction, because then the line could be read as something else. Tabs and line ends are fine."""
    bare = text.translate(dict.fromkeys(map(ord, _JOINERS)))
    lines = bare.replace("\t", " ").replace("\xa0", " ").splitlines()
    if not all(map(str.isprintable, lines)) or any(blank in bare for blank in BLANKS) or (text and not bare):
        raise ValidationError("Please use visible characters only, such as letters and digits.", code="not_visible")


def validate_not_reserved(name: str) -> None:
    """Raise `ValidationError` for a name that could be taken for the site itself, or for somebody with rights."""
    if is_reserved(name):
        raise ValidationError(
            "“%(name)s” is reserved, or looks like a name that is. Please choose another.",
            code="reserved_name",
            params={"name": name},
        )


class WordsOfTheSite:
    """For passwords: the site's own words do not count towards their length, since they are guessed first."""

    def __init__(self, words: Iterable[str], min_length: int = 8) -> None:
        longest_first = sorted({word.lower() for word in words if len(word) > 3}, key=len, reverse=True)
        self._words = re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE)
        self._min_length = min_length

    def validate(self, password: str, user: object = None) -> None:
        """Raise `ValidationError` where too little is left without these words."""
        found = self._words.search(password)
        if found and len(self._words.sub("", password)) < self._min_length:
            raise ValidationError(
                "Others would try “%(word)s” first. Add at least %(length)d other characters.",
                code="password_of_the_site",
                params={"word": found[0], "length": self._min_length},
            )

    def get_help_text(self) -> str:
        return "Words that others would try first, such as this site’s name, do not count."


def is_time_zone(name: str) -> bool:
    """Whether `name` is a zone we can show times in.

    It tries to load the zone, because the list of zones differs between machines. Names also come from a cookie, so
    anything odd just gives False (ZoneInfo refuses absolute and upward paths).
    """
    if not name or len(name) > 64:
        return False
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # ZoneInfoNotFoundError is a KeyError
        return False
    return True


def validate_time_zone(name: str) -> None:
    if not is_time_zone(name):
        raise ValidationError(
            "“%(name)s” is not a known time zone. Names look like Europe/Berlin or UTC.",
            code="unknown_time_zone",
            params={"name": name},
        )


# -- breached --------------------------------------------------------------------------------------------
# Passwords that are known from breaches, looked up in a list on this machine: nothing of them leaves it.


class NotBreached:
    """For passwords: none of a list. `path`: a file of a line for each, which begins with its SHA-1 in hexadecimal
    digits, sorted, such as the whole list of Pwned Passwords (40 GB: it is never read whole)."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)

    def validate(self, password: str, user: object = None) -> None:
        """Raise `ValidationError` for one of the list."""
        sought = hashlib.sha1(password.encode(), usedforsecurity=False).hexdigest().upper().encode()
        with self._path.open("rb") as file:
            places = range(file.seek(0, 2))
            place = bisect_left(places, sought, key=lambda place: _line_from(file, place) or b"~")  # after all digits
            if _line_from(file, place).startswith(sought):
                raise ValidationError(
                    "This password has leaked from another site, so others will try it first. Please choose another, "
                    "and change it wherever else you use it.",
                    code="password_breached",
                )

    def get_help_text(self) -> str:
        return "Your password can’t be one that has leaked from another site."


def _line_from(file: BinaryIO, place: int) -> bytes:
    """The first line that begins at a place or after it; empty if there is none."""
    file.seek(max(0, place - 1))
    if place:
        file.readline()
    return file.readline().upper()
