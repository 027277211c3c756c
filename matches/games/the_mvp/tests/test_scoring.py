"""Sets, runs, and what one card more would bring."""

from collections.abc import Iterable

import pytest

from matches.games.the_mvp.cards import CARDS, combinations


def cards(suit: str, *ranks: int) -> list[str]:
    return [f"{suit}-{rank}" for rank in ranks]


def score(held: Iterable[str]) -> int:
    return sum(each.points for each in combinations(frozenset(held)))


@pytest.mark.parametrize(("suits", "points"), [(1, 0), (2, 0), (3, 3), (4, 12)])
def test_sets(suits: int, points: int) -> None:
    assert score([f"{suit}-2" for suit in ("pear", "grape", "apple", "lemon")[:suits]]) == points


@pytest.mark.parametrize(
    ("ranks", "points"),
    [
        ((1, 2), 0),
        ((1, 2, 3), 3),
        ((3, 4, 5, 6), 4),
        ((2, 3, 4, 5, 6), 10),
        ((1, 2, 3, 4, 5, 6), 24),
        ((1, 2, 4, 5), 0),
        ((1, 3, 4, 5), 3),
        ((1, 2, 3, 5, 6), 3),
        ((1, 2, 4, 6), 0),
    ],
)
def test_runs(ranks: tuple[int, ...], points: int) -> None:
    assert score(cards("pear", *ranks)) == points


def test_a_card_scores_in_a_set_and_in_a_run() -> None:
    made = combinations(frozenset([*cards("apple", 1, 2, 3), "lemon-1", "pear-1", "grape-1"]))
    assert [(each.kind, each.cards, each.each, each.points) for each in made] == [
        ("set", ("apple-1", "lemon-1", "pear-1", "grape-1"), 3, 12),
        ("run", ("apple-1", "apple-2", "apple-3"), 1, 3),
    ]


def test_everything_together_is_168_points() -> None:
    assert score(CARDS) == 6 * 12 + 4 * 24
