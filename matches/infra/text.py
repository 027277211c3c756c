"""Texts: moments in words, without NUL, and in chats."""

import re
from datetime import UTC, datetime

# -- moments ---------------------------------------------------------------------------------------------
# Instants in words, the same for every reader: in UTC, and with the day.


def iso(at: datetime | None) -> str | None:
    """An instant as JSON has it; None if there is none."""
    return at.isoformat() if at else None


def moment_in_words(at: datetime) -> str:
    """“Sat 21 Nov, 14:00 UTC”."""
    at = at.astimezone(UTC)
    return f"{at:%a} {at.day} {at:%b}, {at:%H:%M} UTC"


# -- nul -------------------------------------------------------------------------------------------------
# Removes text with NUL characters, which PostgreSQL cannot store or even search for.
#
# NULs are sent by people who look for faults, in places that no form field checks: cookies and hidden fields. Ids in
# addresses cannot contain one (only letters, digits, - and _), and form fields refuse it themselves.

NUL = "\x00"


def without_nul(text: str) -> str:
    """The text, or an empty one if it contains a NUL."""
    return "" if NUL in text else text


# -- texts in chats --------------------------------------------------------------------------------------

_MOST_OF_A_LINE = 900  # escaping may double it
_MARKUP = re.compile(r"([\\`*_~|<>\[\]]|^[#-])")


def for_discord(text: str) -> str:
    """A text as one line, in which Discord reads no markup and calls nobody."""
    shown = " ".join(text.split())
    shown = shown if len(shown) <= _MOST_OF_A_LINE else f"{shown[: _MOST_OF_A_LINE - 1]}…"
    # A backslash does not keep "@everyone" from calling everyone.
    return _MARKUP.sub(r"\\\1", shown).replace("@", "@\u200b")
