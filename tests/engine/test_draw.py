"""Chance: decided by the seed and the purpose alone, fair, and computable by anybody."""

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.engine.draw import Draw, commitment

SEED = bytes(range(32))


def numbers(seed: bytes, purpose: str, counter: int) -> int:
    """One number of a draw as the result page explains it."""
    return int.from_bytes(hmac.new(seed, f"{purpose}:{counter}".encode(), hashlib.sha256).digest(), "big")


def test_the_same_seed_and_purpose_always_draw_the_same() -> None:
    assert Draw(SEED).shuffle("deck", range(50)) == Draw(SEED).shuffle("deck", range(50))
    draw = Draw(SEED)
    assert draw.integer("a", 1000) == draw.integer("a", 1000), "a draw keeps nothing between calls"


def test_draws_are_as_they_were_when_the_first_match_was_played() -> None:
    """Results that people have checked must never change, so these values are fixed."""
    draw = Draw(SEED)
    assert draw.integer("candidate", 10) == numbers(SEED, "candidate", 0) % 10 == 6
    assert draw.shuffle("deck", "abcdef") == ("e", "f", "d", "c", "b", "a")


@given(seed=st.binary(min_size=32, max_size=32), purpose=st.text("abc:", max_size=6), items=st.lists(st.integers()))
def test_a_shuffle_can_be_recomputed_with_the_standard_library_alone(
    seed: bytes, purpose: str, items: list[int]
) -> None:
    order, counter = list(items), 0
    for place in range(len(order) - 1, 0, -1):
        while (number := numbers(seed, purpose, counter)) >= 2**256 - 2**256 % (place + 1):
            counter += 1
        counter += 1
        other = number % (place + 1)
        order[place], order[other] = order[other], order[place]
    assert Draw(seed).shuffle(purpose, items) == tuple(order)
    assert Draw(seed).sample(purpose, items, 2) == tuple(order[:2])


def test_a_number_that_would_favour_some_outcomes_is_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = iter([2**256 - 1, 7])
    monkeypatch.setattr(Draw, "_numbers", lambda self, purpose: stream)
    assert Draw(SEED).integer("x", 3 * 2**200) == 7


def test_the_hash_is_published_and_the_seed_is_hidden() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()
    assert SEED.hex() not in repr(Draw(SEED))


def test_wrong_seeds_and_empty_draws_are_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Draw(b"short")
    with pytest.raises(ValueError, match="nothing to draw"):
        Draw(SEED).choice("x", ())
