"""What cards score: sets of one rank, and the longest run of each suit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

import msgspec

from matches.games.the_mvp.cards import RANK_OF, RANKS, SUIT_OF, SUITS, card

SET_POINTS = {3: 1, 4: 3}
"""How many cards of one rank -> points for each of them."""

RUN_POINTS = {3: 1, 4: 1, 5: 2, 6: 4}
"""How many cards in a row -> points for each of them."""


class Combination(msgspec.Struct, frozen=True):
    """Cards that score together: a `set` or a `run`. `each`: points for each of its cards."""

    kind: str
    cards: tuple[str, ...]
    each: int

    @property
    def points(self) -> int:
        """The points of all its cards."""
        return self.each * len(self.cards)


@lru_cache
def longest_run(ranks: frozenset[int]) -> tuple[int, ...]:
    """The longest run of consecutive ranks, the lowest of several.

    At most one run scores: two would need seven ranks, and there are six.
    """
    best: tuple[int, ...] = ()
    run: tuple[int, ...] = ()
    for rank in RANKS:
        run = (*run, rank) if rank in ranks else ()
        best = run if len(run) > len(best) else best
    return best


def set_of(rank: int, cards: frozenset[str]) -> Combination | None:
    """The set of that rank among the cards; None if it does not score."""
    found = tuple(name for suit in SUITS if (name := card(suit, rank)) in cards)
    return Combination("set", found, SET_POINTS[len(found)]) if len(found) in SET_POINTS else None


def run_of(suit: str, cards: frozenset[str]) -> Combination | None:
    """The longest run of that suit among the cards; None if it does not score."""
    run = longest_run(frozenset(RANK_OF[name] for name in cards if SUIT_OF[name] == suit))
    if len(run) not in RUN_POINTS:
        return None
    return Combination("run", tuple(card(suit, rank) for rank in run), RUN_POINTS[len(run)])


@lru_cache(maxsize=4096)
def combinations(cards: frozenset[str]) -> tuple[Combination, ...]:
    """Everything that scores: sets by rank, then runs by suit. A card may be in one of each.

    Boards are read all the time and cards change hands once a round, so the latest results are cached.
    """
    sets = (set_of(rank, cards) for rank in RANKS)
    runs = (run_of(suit, cards) for suit in SUITS)
    return tuple(each for each in (*sets, *runs) if each is not None)


def gain(cards: Iterable[str], added: str) -> int:
    """How many points one more card adds; `cards` must not have it yet."""
    rank, suit, same, ranks = RANK_OF[added], SUIT_OF[added], 0, set()
    for name in cards:
        same += RANK_OF[name] == rank
        if SUIT_OF[name] == suit:
            ranks.add(RANK_OF[name])
    more = _points(SET_POINTS, same + 1) - _points(SET_POINTS, same)
    before, after = longest_run(frozenset(ranks)), longest_run(frozenset({*ranks, rank}))
    return more + _points(RUN_POINTS, len(after)) - _points(RUN_POINTS, len(before))


def _points(table: Mapping[int, int], count: int) -> int:
    """The points of that many cards together."""
    return count * table.get(count, 0)
