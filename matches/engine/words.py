"""Words that players add to a match's chance, so that nobody can have chosen what is drawn.

The seed is fixed, and its hash published, before anybody adds a word. When the match begins, the words are hashed with
the seed, and draws use the result. Until then a word is sealed: hidden from everybody but its player, with a hash in
the log. So somebody who knew the seed (who runs the site, and might play under another name) could not fit a last word
to the others; and players, who do not know the seed, could not do so even if they saw all words.

A match without words draws from the seed itself.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from typing import NamedTuple

LONGEST_WORD = 64


class Word(NamedTuple):
    """A word, and the handle of the player who gave it."""

    player: str
    word: str

    @property
    def line(self) -> str:
        """The word's line in the text that is hashed."""
        return f"{self.player}:{self.word}"


def sealed(salt: str, word: str) -> str:
    """The hash that stands in the log from the moment at which a word is given: SHA-256 of `<salt>:<word>`, in hex."""
    return hashlib.sha256(f"{salt}:{word}".encode()).hexdigest()


def text_of(words: Iterable[Word]) -> str:
    """The text that is hashed: for each word a line `<handle>:<word>`. Neither has line ends, and a handle has no
    colon, so different words give different texts."""
    return "\n".join(each.line for each in words)


def words_in(text: str) -> tuple[Word, ...]:
    """The words in such a text."""
    lines = (line.partition(":") for line in text.split("\n") if line)
    return tuple(Word(handle, word) for handle, _, word in lines)


def mixed(seed: bytes, text: str) -> bytes:
    """The 32 bytes from which a match draws: HMAC-SHA256 of the text, keyed with the seed; without words the seed."""
    return hmac.digest(seed, text.encode(), "sha256") if text else seed
