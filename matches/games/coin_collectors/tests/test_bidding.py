"""What players read when a submission is refused: what would be accepted, at which field, and no secret."""

from typing import Any

import pytest

from matches.games.coin_collectors.tests.table import Table, auction, bid, lift, round_of, three, use

ROUND = round_of(auction("Mill", silver=1), auction("Smithy", gold=1), auction_limit=1, bid_limit=2)
SECRET = round_of(auction("Royal vault", gold=9))


def table() -> Table:
    return three(ROUND, SECRET, start={"gold": 1, "silver": 3, "bronze": 0})


@pytest.mark.parametrize(
    ("action", "field", "said"),
    [
        (bid({"Royal vault": {"gold": 1}}), "bids.Royal vault", "Its auctions are Mill and Smithy."),
        (bid({"Mill": {"silver": -2}}), "bids.Mill.silver", "Bid 0 or more silver coins on Mill"),
        (bid({"Mill": {"gold": 2}}), "bids.Mill.gold", "You have 1 gold coin, so your bids may hold 1 in all, not 2."),
        (bid({"Mill": {"bronze": 1}}), "bids.Mill.bronze", "You have 0 bronze coins"),
        (bid({"Mill": {"gold": 1}, "Smithy": {"silver": 1}}), "bids", "this round allows 1. Bid on fewer."),
        (bid({"Mill": {"silver": 3}}), "bids.Mill.silver", "allows 2 on one auction. Bid fewer."),
        (bid({}, use("magnet")), "items[0].item", "you have none"),
        (bid({}, use("wide_net")), "items[0].item", 'You have no "wide_net"'),
        (bid({}, **lift("bid")), "lift_bid_limit", "costs 1 garnet and you have 0: you can lift none"),
        (bid({}, **lift("auction", "bid")), "lift_auction_limit", "you can lift none"),
    ],
)
def test_a_refusal_says_what_would_be_accepted_and_where(action: Any, field: str, said: str) -> None:
    rejection = table().refused("1h", "ann", action)
    assert rejection.field == field
    assert said in rejection.message
    assert "vault" not in rejection.message
