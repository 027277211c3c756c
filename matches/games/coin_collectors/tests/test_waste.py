"""What a submission would use up for nothing is said before it is sealed."""

from __future__ import annotations

from typing import Any

import pytest

from matches.engine.actions import decode_action
from matches.games.coin_collectors import GAME
from matches.games.coin_collectors.tests.table import Table, auction, bid, lift, round_of, use, with_items

ROUND = round_of(auction("Mill", silver=3), auction("Smithy", gold=1), auction("Ruin"), auction_limit=2, bid_limit=2)
EVERYTHING = {"wide_net": 2, "deep_pockets": 2, "ghost_coin": 2, "insurance": 2, "spyglass": 2}


@pytest.fixture
def table() -> Table:
    return with_items(ROUND, **EVERYTHING)


def wasted(table: Table, action: dict[str, Any]) -> list[tuple[str, str]]:
    GAME.submit(table.state, "ann", action, table.state.core.time, table.draw)  # the rules take it
    found: Any = GAME.forecast(table.public, table.private("ann"), decode_action(GAME.actions, action))
    return [(each.thing, each.why) for each in found.wasted]


def test_what_has_work_to_do_is_not_wasted(table: Table) -> None:
    bids = {"Mill": {"gold": 1}, "Smithy": {"silver": 2, "bronze": 1}, "Ruin": {"gold": 1}}
    items = [use("wide_net"), use("deep_pockets"), use("ghost_coin", "Mill", "gold"), use("insurance", "Mill")]
    items += [use("insurance", "Smithy"), use("spyglass", "Mill"), use("spyglass", "Ruin")]
    assert wasted(table, bid(bids, *items)) == []


@pytest.mark.parametrize(
    ("item", "bids", "why"),
    [
        (
            use("wide_net"),
            {"Mill": {"gold": 1}, "Smithy": {"gold": 1}},
            "Wide net would be used up for nothing: you bid on 2 auctions, and 2 are allowed anyway.",
        ),
        (
            use("deep_pockets"),
            {"Mill": {"gold": 1}},
            "Deep pockets would be used up for nothing: your highest bid is 1 coin, and 2 are allowed anyway.",
        ),
        (use("ghost_coin", "Ruin", "gold"), {"Ruin": {"gold": 1}}, "Ghost coin on Ruin: there is nothing to win."),
    ],
)
def test_an_item_that_nothing_needs_is_named(
    table: Table, item: dict[str, str], bids: dict[str, dict[str, int]], why: str
) -> None:
    assert wasted(table, bid(bids, item)) == [(item["item"], why)]


@pytest.mark.parametrize("item", ["insurance", "spyglass"])
def test_a_second_one_on_the_same_auction_does_nothing_more(table: Table, item: str) -> None:
    ((thing, why),) = wasted(table, bid({"Mill": {"gold": 1}}, use(item, "Mill"), use(item, "Mill")))
    assert (thing, why.partition(": ")[2]) == (item, "the second one does nothing more.")


def test_a_limit_is_lifted_once(table: Table) -> None:
    """By an item, the garnet for it is for nothing; and so is a garnet for a limit that nothing exceeds."""
    table = with_items(ROUND, **EVERYTHING).correct("ann", "garnet", 5)
    bids = {"Mill": {"gold": 1}, "Smithy": {"gold": 1}, "Ruin": {"silver": 1}}
    assert wasted(table, bid(bids, **lift("auction"))) == []
    assert wasted(table, bid(bids, use("wide_net"), use("wide_net"), **lift("auction", "bid"))) == [
        ("wide_net", "Wide net would be used up for nothing: the auction limit is lifted already."),
        (
            "garnet",
            "The garnet for the auction limit would be used up for nothing: the auction limit is lifted already.",
        ),
        (
            "garnet",
            "The garnet for the bid limit would be used up for nothing: "
            "your highest bid is 1 coin, and 2 are allowed anyway.",
        ),
    ]
