"""What a number would bring is what the sheet says once one has it."""

from __future__ import annotations

import random

import pytest

from matches.games.number_auction.conditions import Holding
from matches.games.number_auction.scoring import NUMBERS, ascending
from matches.games.number_auction.sheet_views import prospect, sheet
from matches.games.number_auction.tests.table import BUY, bid, one_each, three
from tests.games.twins import look_the_same_to

ROUNDS = tuple(tuple(range(first, first + 5)) for first in range(1, 51, 5))


@pytest.mark.parametrize("count", [0, 1, 3, 8, 12, 19])
def test_a_prospect_is_the_difference_that_owning_the_number_makes(count: int) -> None:
    dice = random.Random(count)
    for _ in range(4):
        holding = Holding(ascending(dice.sample(NUMBERS, count)), dice.choice([49, 50]), ROUNDS)
        now = sheet("ann", holding, tuple(NUMBERS))
        for number in set(NUMBERS) - set(holding.numbers):
            then, found = sheet("ann", holding.plus(number), tuple(NUMBERS)), prospect(now, number)
            assert found.points == then.points.total - now.points.total
            assert set(found.met) == set(then.conditions) - set(now.conditions)
            assert set(found.lost) == set(now.conditions) - set(then.conditions)
            assert set(found.lines) == set(then.lines) - set(now.lines)
            assert set(found.broken) == set(now.lines) - set(then.lines)


def test_a_forecast_says_what_all_bids_that_go_through_would_make() -> None:
    table = three().act("1h", "ann", one_each(1)).until("24h")
    private, kind = table.private("ann"), table.game.actions["bid"]
    found = table.game.forecast(table.public, private, kind(bids={"6": 90, "7": 60, "8": 0}))
    # Of 140 tokens the 60 on 7 goes through; the 90 on 6 does not.
    assert (found.won.points, found.won.gained, found.dropped) == (1 + 7 + 1, 8, (6,))
    assert (found.won.met, found.won.lost) == ((), ("A3",))
    assert table.game.forecast(table.public, private, kind(bids={"6": 200})).won is None


def test_prospects_tell_nothing_of_what_others_sealed() -> None:
    one = three(bob={"garnets": 9}).act("1h", "bob", bid({1: 30}))
    other = three(bob={"garnets": 9}).act("1h", "bob", bid({2: 7})).act("1h", "bob", BUY)
    look_the_same_to("ann", one, other, (bid({1: 5, 2: 96}),))
    for table in (one, other):
        assert table.public.prospects == one.public.prospects
        assert table.private("ann").prospects == one.private("ann").prospects
