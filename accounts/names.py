"""Finds names that look alike, and names that nobody may take.

Each name is reduced to two texts: one without capitals and accents, and one in which each character is replaced by the
one that it looks like. Two names look alike if they share one of these texts.
"""

from __future__ import annotations

import re
import unicodedata

from accounts.confusables import LOOKS_LIKE

LONGEST_SKELETON = 120

_ACCENTS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f]")
"""Marks that are put on any letter. Marks of one script only, such as vowel signs, are part of its words."""

BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters that are invisible."""

_PAIRS = (("rn", "m"), ("vv", "w"))

_WORDS = """
admin administrator anonymous bank bot clock everybody everyone genius host hosts me mod moderator nobody none null
official operator owner player root server spectator staff superuser support system team undefined unknown webmaster you
"""
RESERVED = frozenset(_WORDS.split())
"""Names that could be taken for the site, for somebody with rights, or for a word of the site."""


def skeleton(name: str) -> str:
    """A text that is the same for all names that look alike."""
    shown = "".join(map(_shown, _bare(name))).casefold()
    for pair, letter in _PAIRS:
        shown = shown.replace(pair, letter)
    return _joined(shown)[:LONGEST_SKELETON]


def looks(name: str) -> frozenset[str]:
    """The two texts of a name. Names that share one look alike."""
    return frozenset((skeleton(name), _joined(_bare(name).casefold())))


def is_reserved(name: str) -> bool:
    """Whether nobody may take this name, also if it is written with a 1 for an i or the like. Names of dots alone mean
    something else in an address."""
    return (name != "" and not name.strip(".")) or _coarse(name) in _RESERVED_SHOWN


def _coarse(name: str) -> str:
    return skeleton(name).replace("i", "l").replace("-", "")


def _bare(name: str) -> str:
    """Without accents, and with plain letters instead of Unicode's styled ones. What is much longer than any name is
    cut first: putting accents in order takes as long as the square of their number."""
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", name[: 4 * LONGEST_SKELETON]))


def _shown(character: str) -> str:
    """What a character looks like. A small letter may look like its capital: к and K."""
    if character.isascii():
        return LOOKS_LIKE.get(character, character)
    return LOOKS_LIKE.get(character) or LOOKS_LIKE.get(character.upper(), character)


def _joined(text: str) -> str:
    """The words of a name, with one separator for all, and without invisible characters."""
    return "-".join("".join(map(_separated, text)).split()) or text


def _separated(character: str) -> str:
    kind = unicodedata.category(character)
    if kind[0] in "ZP" or character.isspace():
        return " "
    return "" if kind in ("Cc", "Cf") or character in BLANKS else character


_RESERVED_SHOWN = frozenset(map(_coarse, RESERVED))
