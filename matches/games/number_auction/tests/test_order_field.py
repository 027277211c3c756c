"""The hosts' field for a fixed order of the numbers."""

from __future__ import annotations

import random

import pytest
from django.core.exceptions import ValidationError

from matches.games.number_auction import GAME
from matches.games.number_auction.config_fields import OrderField
from matches.games.number_auction.tests.table import ASCENDING

OPTION = next(option for option in GAME.settings if option.key == "numbers")


def field(**values: object) -> OrderField:
    return OrderField(OPTION, GAME.config_type.defaults({}) | values)  # type: ignore[operator]


def test_an_empty_field_has_the_order_drawn() -> None:
    assert field().clean("") is None
    assert field().clean(" \n , ") is None
    assert field().prepare_value(None) == ""


@pytest.mark.parametrize("glue", [" ", ", ", "\n", ";", "\r\n", "  ,\t"])
def test_numbers_are_read_with_anything_between_them(glue: str) -> None:
    order = random.Random(1).sample(ASCENDING, 50)
    assert field().clean(glue.join(map(str, order))) == order


def test_a_stored_order_is_shown_a_round_on_each_line_and_reads_back() -> None:
    shown = field(rounds=5, numbers_per_round=10).prepare_value(ASCENDING)
    assert shown.splitlines()[1] == "11 12 13 14 15 16 17 18 19 20"
    assert field().clean(shown) == ASCENDING


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1 two 3", "“two” is not a number"),
        ("1 2.5 x", "“2.5” and “x” are not numbers"),
        ("0 1 1 2", "0 is not a number of this game; 1 is there twice; 3, 4, 5"),
        ("1 -2", "“-2” is not a number"),
        ("0 1 2", "0 is not a number of this game"),
        ("51", "51 is not a number of this game"),
        ("7 8 7", "7 is there twice"),
        (" ".join(map(str, ASCENDING[:-1])), "50 is missing"),
    ],
)
def test_everything_that_is_wrong_is_said_plainly(text: str, says: str) -> None:
    with pytest.raises(ValidationError) as refused:
        field().clean(text)
    assert says in refused.value.messages[0]
    assert refused.value.messages[0].endswith(".")


def test_the_help_follows_the_shape_of_the_rounds() -> None:
    assert "10 lines of 5" in field().help_text
    assert "5 lines of 10" in field(rounds=5, numbers_per_round=10).help_text
