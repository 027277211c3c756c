"""What players read when a submission is refused: what would be accepted, at which field, and no secret."""

from typing import Any

import pytest

from matches.games.coin_collectors.shares import Coins
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


def test_a_limit_can_be_lifted_by_what_one_has_and_no_other_way_is_named() -> None:
    too_many = {"Mill": {"silver": 1}, "Smithy": {"silver": 1}}
    rich = three(ROUND, openings={"ann": {"garnets": 1}}, start={"silver": 2})
    assert rich.refused("1h", "ann", bid(too_many)).message.endswith("Bid on fewer, or lift the limit for 1 garnet.")
    assert rich.refused("1h", "ann", bid(too_many, **lift("bid"))).message.endswith("Bid on fewer.")
    called = {"wide_net": {"name": "Fishing net", "description": "Catches."}}
    shop = round_of(auction("Shop", items={"wide_net": 1}))
    table = three(shop, ROUND, start={"silver": 2, "bronze": 1}, items=called)
    table.act(0, "ann", bid({"Shop": {"bronze": 1}}))
    said = table.refused("25h", "ann", bid(too_many)).message
    assert said.endswith("Bid on fewer, or lift the limit with Fishing net.")


def test_refusals_call_items_what_the_match_calls_them_once_they_are_explained() -> None:
    words = {"insurance": "Cover note", "ghost_coin": "Phantom", "wide_net": "Fishing net"}
    items = {kind: {"name": name, "description": "What it does."} for kind, name in words.items()}
    shop = round_of(auction("Shop", items={"insurance": 1, "ghost_coin": 1}))
    table = three(shop, ROUND, start={"silver": 2, "bronze": 1}, items=items)
    table.act(0, "ann", bid({"Shop": {"bronze": 1}})).until("24h")
    for used, said in (
        (use("insurance", "Mill"), "Cover note covers a bid: bid at least one coin on Mill yourself."),
        (use("ghost_coin", "Mill", "silver"), "Phantom joins a coin: bid at least one silver coin on Mill yourself."),
        (use("wide_net"), 'You have no "wide_net", so you can use none in this round.'),
    ):
        assert table.refused("25h", "ann", bid({}, used)).message == said
    said = table.refused("25h", "bob", bid({}, use("insurance", "Mill"))).message
    assert said == 'You have no "Cover note", so you can use none in this round.'


def test_bids_of_nothing_are_no_bids() -> None:
    match = table().act("1h", "ann", bid({"Mill": {"gold": 0}, "Smithy": {"silver": 1}}))
    submission = match.private("ann").submission
    assert submission is not None
    assert submission.bids == {"Smithy": Coins(0, 1, 0)}


def test_a_player_reads_what_happens_without_doing_anything() -> None:
    match = table()
    assert "bid on nothing" in match.private("ann").if_idle
    match.act("1h", "ann", bid({"Mill": {"gold": 1, "silver": 1}}))
    assert match.private("ann").if_idle == (
        "If you do nothing, what you sealed counts when the round closes: 1 gold and 1 silver on Mill."
    )
    assert match.private("ann").asked == ()
    assert [ask.kind for ask in match.private("bob").asked] == ["bid"]
