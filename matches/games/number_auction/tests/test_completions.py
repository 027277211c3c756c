"""One more number: the numbers that a sheet names are those that meet the condition, and no others."""

from __future__ import annotations

import random

import pytest

from matches.games.number_auction import GAME
from matches.games.number_auction.completions import completing
from matches.games.number_auction.conditions import CONDITIONS, Holding, met
from matches.games.number_auction.scoring import NUMBERS, ascending

ROUNDS = tuple(tuple(range(first, first + 5)) for first in range(1, 51, 5))


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 5, 7, 8, 10, 14, 20])
def test_it_names_what_trying_every_number_would_find(count: int) -> None:
    dice = random.Random(count)
    for _ in range(5):
        holding = Holding(ascending(dice.sample(NUMBERS, count)), 49, ROUNDS)
        tried = {number: met(holding.plus(number)) for number in NUMBERS if number not in holding.numbers}
        for name in sorted(set(CONDITIONS) - set(met(holding))):
            found = tuple(number for number, meets in tried.items() if name in meets)
            assert completing(name, holding, tuple(NUMBERS)) == found, (name, holding.numbers)


def test_a_what_if_names_none_of_its_own_numbers() -> None:
    sheet = GAME.ask({"type": "what_if", "numbers": [1, 2, 3]}, None, None).sheet
    assert [cell.one_more for row in sheet.grid for cell in row if cell.name == "B3"] == [()]
