"""Rounds as hosts type them: what is read, what is left out, and what is wrong at which input."""

from __future__ import annotations

import pytest

from matches.games.coin_collectors import typed_rounds
from matches.games.coin_collectors.auctions import Auction, Prize, PrizeItems, Round
from matches.games.coin_collectors.items import KINDS
from matches.games.coin_collectors.rounds_widget import Drawing

NAMES = dict.fromkeys(KINDS, "")
MILL = {"0-auction_limit": "1", "0-bid_limit": "4", "0-0-name": "Mill", "0-0-gold": "2", "0-0-alchemy": "1"}


def read(inputs: dict[str, str]) -> tuple[tuple[Round, ...], dict[str, str]]:
    return typed_rounds.read(typed_rounds.typed(inputs), NAMES)


def test_a_round_is_read_with_its_auctions() -> None:
    prize = Prize(gold=2, items=PrizeItems(alchemy=1))
    assert read(MILL) == ((Round(1, 4, (Auction("Mill", prize),)),), {})


@pytest.mark.parametrize(
    ("inputs", "where", "said"),
    [
        ({"0-0-gold": "3", "0-0-name": ""}, "0-0-name", "Give this auction a name"),
        ({"0-0-gold": "-1"}, "0-0-gold", "whole number from 0 to 1000000"),
        ({"0-0-silver": "1000001"}, "0-0-silver", "whole number from 0 to 1000000"),
        ({"0-0-spyglass": "٣"}, "0-0-spyglass", "whole number"),
        ({"0-bid_limit": "two"}, "0-bid_limit", "whole number"),
        ({"0-0-name": "x" * 41}, "0-0-name", "at most 40 letters"),
        ({"0-0-name": "a\x00b"}, "0-0-name", "letters that can be shown"),
        ({"1-0-name": "Mill"}, "1-0-name", 'another auction called "Mill"'),
        ({f"0-{place}-name": f"No. {place}" for place in range(31)}, "0-30-name", "at most 30 auctions"),
        ({f"{number}-auction_limit": "1" for number in range(51)}, "50-auction_limit", "at most 50 rounds"),
    ],
)
def test_what_is_wrong_is_told_at_its_input(inputs: dict[str, str], where: str, said: str) -> None:
    _, errors = read(MILL | inputs)
    assert list(errors) == [where]
    assert said in errors[where]


def test_an_item_that_the_match_leaves_out_is_refused_and_its_column_stays() -> None:
    sheet = typed_rounds.typed(MILL)
    _, errors = typed_rounds.read(sheet, {"spyglass": "Spyglass"})
    assert "left out of the match" in errors["0-0-alchemy"]
    columns = Drawing("r", {"spyglass": "Crow's nest"}, errors).columns(sheet)
    assert [each["words"] for each in columns] == ["Gold", "Silver", "Bronze", "Garnet", "Crow's nest", "Alchemy"]


def test_each_round_is_drawn_with_an_empty_auction_and_the_list_with_an_empty_round() -> None:
    sheet = typed_rounds.typed(MILL | {"4-0-name": "Mint"})
    drawing = Drawing("r", NAMES, {})
    drawn = drawing.rounds(sheet, drawing.columns(sheet))
    assert [(each["number"], each["empty"], len(each["auctions"])) for each in drawn] == [
        (1, False, 2),
        (2, False, 2),
        (3, True, 1),
    ]
    assert drawn[2]["auctions"][0]["label"]["name"] == "r-5-0-name"
