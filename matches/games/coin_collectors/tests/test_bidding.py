"""What players read when a submission is refused: what would be accepted, at which field, and no secret."""

from __future__ import annotations

from typing import Any

import pytest

from matches.games.coin_collectors.coins import Coins
from matches.games.coin_collectors.tests.table import Table, auction, bid, lift, round_of, three, use, with_items

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


def test_refusals_of_items_name_the_row() -> None:
    match = with_items(ROUND, insurance=1, ghost_coin=1)
    missing = match.refused("25h", "ann", bid({}, use("insurance", "Mill")))
    assert (missing.field, missing.message) == (
        "items[0].auction",
        "Insurance covers a bid: bid at least one coin on Mill yourself.",
    )
    ghost = match.refused("25h", "ann", bid({"Mill": {"gold": 1}}, use("ghost_coin", "Mill", "silver")))
    assert (ghost.field, ghost.code) == ("items[0].coin", "item_needs_bid")
    twice = match.refused("25h", "ann", bid({"Mill": {"gold": 1}}, *[use("insurance", "Mill")] * 2))
    assert (twice.field, twice.code) == ("items[1].item", "not_enough_items")
    other = match.refused("25h", "ann", bid({}, use("magnet")))
    assert other.message == "There is no such item. You have ghost_coin and insurance."


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


def test_one_garnet_lifts_one_limit() -> None:
    match = three(ROUND, openings={"ann": {"garnets": 1}})
    assert "you can lift one limit, not two" in match.refused("1h", "ann", bid({}, **lift("auction", "bid"))).message
    assert match.private("ann").may_lift == 1
    assert match.act("1h", "ann", bid({}, **lift("bid"))).private("ann").submission is not None


def test_a_misspelt_item_says_what_it_comes_with() -> None:
    match = with_items(ROUND, ghost_coin=1, wide_net=1)
    assert (
        '"ghost_coin" comes with "auction" and "coin"'
        in match.refused("25h", "ann", bid({}, use("ghost_coin"))).message
    )
    extra = match.refused("25h", "ann", bid({}, use("wide_net", "Mill")))
    assert (extra.code, extra.field) == ("malformed", "items[0]")
    assert '"wide_net" comes with nothing else' in extra.message


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (bid({}, use("ghost_coin", "Mill", "copper")), 'items[0]: "coin" is "gold", "silver" or "bronze".'),
        (bid({}, use("alchemy", source="gold")), 'items[0]: "from" is "silver" or "bronze": gold is the highest kind.'),
        (bid({"Mill": {"copper": 1}}), 'there is no "copper" in bids[...].'),
        (bid({}, {"auction": "Mill"}), "items[0].item: missing."),
    ],
)
def test_what_is_misspelt_deep_inside_is_named(action: Any, said: str) -> None:
    rejection = table().refused("1h", "ann", action)
    assert rejection.code == "malformed"
    assert rejection.message.startswith(said)


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


def test_wrong_phase_says_what_is_open() -> None:
    match = Table(config={"rounds": [ROUND]}, ann={}, bob={}, cat={})
    assert "from the start of round 1" in match.refused("1h", "ann", bid({})).message
    assert "A round is running" in match.refused("24h", "ann", {"type": "vote", "player": "bob"}).message
    assert "finished" in match.to_the_end().refused("99h", "ann", bid({})).message
