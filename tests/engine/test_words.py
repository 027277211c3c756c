"""Players' words and the seed."""

import hashlib
import hmac

from matches.engine.draw import Draw
from matches.engine.words import Word, mixed, sealed, text_of, words_in

SEED = bytes(range(32))
WORDS = (Word("ann", "tulip: 7"), Word("bob", "Zürich 🎲"))


def test_without_words_a_match_draws_from_its_seed():
    assert text_of(()) == ""
    assert mixed(SEED, "") == SEED


def test_words_are_hashed_with_the_seed_in_their_order():
    text = text_of(WORDS)
    assert text == "ann:tulip: 7\nbob:Zürich 🎲"
    assert words_in(text) == WORDS
    assert mixed(SEED, text) == hmac.new(SEED, "ann:tulip: 7\nbob:Zürich 🎲".encode(), hashlib.sha256).digest()
    assert mixed(SEED, text_of(WORDS[::-1])) != mixed(SEED, text)


def test_one_word_changes_every_draw():
    drawn = {Draw(mixed(SEED, f"ann:{number}")).integer("deck", 10**9) for number in range(50)}
    assert len(drawn) == 50
    assert Draw(SEED).integer("deck", 10**9) not in drawn


def test_a_seal_cannot_be_guessed_without_its_salt():
    assert sealed("ab", "tulip") == hashlib.sha256(b"ab:tulip").hexdigest()
    assert sealed("ab", "tulip") != sealed("ac", "tulip")
