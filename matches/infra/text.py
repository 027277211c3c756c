"""Helpers for texts: instants in words, texts with NUL characters, and texts for Discord."""

import re
from datetime import UTC, datetime
from functools import lru_cache

# -- instants --------------------------------------------------------------------------------------------


def iso(at: datetime | None) -> str | None:
    """An instant as JSON has it; None if there is none."""
    return at.isoformat() if at else None


@lru_cache(maxsize=4096)  # a push has the same ones dozens of times
def moment_in_words(at: datetime) -> str:
    """An instant in words, the same for every reader: “Sat 21 Nov, 14:00 UTC”."""
    at = at.astimezone(UTC)
    return f"{at:%a} {at.day} {at:%b}, {at:%H:%M} UTC"


# -- nul -------------------------------------------------------------------------------------------------
# PostgreSQL cannot store or even search for NUL characters. People who look for vulnerabilities send them in cookies
# and hidden fields, which no form field checks. Ids in addresses cannot contain one, and form fields refuse them.

NUL = "\x00"


def without_nul(text: str) -> str:
    """The text, or an empty one if it contains a NUL."""
    return "" if NUL in text else text


# -- texts in chats --------------------------------------------------------------------------------------

_MOST_OF_A_LINE = 900  # escaping may double it
_MARKUP = re.compile(r"([\\`*_~|<>\[\]]|^[#-])")


def for_discord(text: str) -> str:
    """A text as one line, escaped so that Discord finds no markup or mentions in it."""
    shown = " ".join(text.split())
    shown = shown if len(shown) <= _MOST_OF_A_LINE else f"{shown[: _MOST_OF_A_LINE - 1]}…"
    # A backslash does not keep "@everyone" from notifying everyone.
    return _MARKUP.sub(r"\\\1", shown).replace("@", "@\u200b")
