"""Two matches that differ only in what a viewer may not know look the same to that viewer."""

from typing import Any

import pytest

from matches.engine.actions import encode
from matches.games.coin_collectors.tests.table import Table, auction, bid, lift, round_of, three, use, with_items
from tests.games import twins

NAMES = ("Mill", "Smithy", "Mint", "Vault", "Nowhere")
BATTERY: tuple[Any, ...] = (
    *(bid({name: {coin: amount}}) for name in NAMES for coin in ("gold", "bronze") for amount in (-1, 0, 1, 2, 9)),
    *(bid({"Mill": {"gold": 1}}, use(item, *on)) for item, on in (("wide_net", ()), ("insurance", ("Mill",)))),
    *(bid({}, **lift(*limits)) for limits in (("auction",), ("bid",), ("auction", "bid"))),
    *({"type": "vote", "player": player} for player in ("ann", "bob", "cat", "zed")),
    *({"type": "give_tokens", "to": to} for to in ([], ["ann"], ["ann", "bob"])),
    {"type": "name_candidate", "player": "ann"},
    {"type": "bid"},
)

FIRST = round_of(auction("Mill", silver=4, garnet=1), auction("Smithy", gold=1))
SECOND = round_of(auction("Mint", gold=2))


def look_the_same_to(viewer: str, one: Table, other: Table) -> None:
    twins.look_the_same_to(viewer, one, other, BATTERY)


def table() -> Table:
    return three(FIRST, SECOND, openings={"ann": {"garnets": 3}}, start={"gold": 2, "silver": 2, "bronze": 2})


def test_what_is_sealed_shows_to_nobody_else() -> None:
    one = table().act("1h", "ann", bid({"Mill": {"gold": 1}}, **lift("bid")))
    other = table().act("2h", "ann", bid({"Smithy": {"silver": 2, "bronze": 1}}))
    look_the_same_to("bob", one, other)
    look_the_same_to("cat", one, table().act("1h", "ann", bid({})))
    silent = table()
    assert (one.public, one.private("cat")) == (silent.public, silent.private("cat"))


USES = {
    "wide_net": use("wide_net"),
    "deep_pockets": use("deep_pockets"),
    "ghost_coin": use("ghost_coin", "Mill", "gold"),
    "insurance": use("insurance", "Mill"),
    "spyglass": use("spyglass", "Mill"),
    "alchemy": use("alchemy", source="silver"),
}


@pytest.mark.parametrize("when", ["0h", "24h"])
@pytest.mark.parametrize("kind", USES)
def test_nobody_can_find_out_which_kinds_of_items_a_match_leaves_out(kind: str, when: str) -> None:
    """Neither by trying to use one, alone or with others, nor in what is said then."""

    def play(items: dict[str, None]) -> Table:
        rounds = round_of(auction("Mill", silver=4)), round_of(auction("Mill East", gold=2))
        return three(*rounds, items=items).until(when)

    there = "Mill" if when == "0h" else "Mill East"
    others: list[tuple[dict[str, str], ...]] = [(), (use("magic"),), (use("WIDE_NET"),), tuple(USES.values())]
    tries = [bid({there: {"gold": 1}}, each, *more) for each in USES.values() for more in others]
    tries += [bid({}, *more, USES[kind]) for more in others]
    tries += [bid({}, {"item": kind, **odd}) for odd in ({}, {"auction": "Nowhere"}, {"auction": there, "coin": "tin"})]
    twins.look_the_same_to("ann", play({kind: None}), play({}), tries)
    assert play({kind: None}).refused(when, "ann", bid({}, USES[kind])).code == "not_enough_items"


def test_bids_show_to_nobody_else_after_the_close() -> None:
    """Bob and cat receive the same, whatever the others put on other auctions."""

    def play(bids: dict[str, dict[str, int]], **lifts: bool) -> Table:
        match = table().act("1h", "bob", bid({"Smithy": {"gold": 1}}))
        return match.act("1h", "ann", bid(bids, **lifts)).until("24h")

    one, other = play({"Mill": {"gold": 1, "bronze": 1}}), play({"Mill": {"silver": 1}}, **lift("bid"))
    for viewer in ("bob", "cat"):
        look_the_same_to(viewer, one, other)
        look_the_same_to(viewer, one, play({}))


def test_whoever_receives_the_same_learns_no_totals_and_no_leftovers() -> None:
    """Ann gets 1 of 3 silver coins for her gold one, whether another gold coin was bid or two, by one or by two."""

    def play(bob: int, cat: int) -> Table:
        rounds = round_of(auction("Mill", silver=3), auction("Smithy")), SECOND
        match = three(*rounds, start={"gold": 2, "silver": 1, "bronze": 0})
        match.act("1h", "ann", bid({"Mill": {"gold": 1, "silver": 1}}))
        for player, gold in (("bob", bob), ("cat", cat)):
            match.act("2h", player, bid({"Smithy": {"gold": 2 - gold}, "Mill": {"gold": gold}}))
        return match.until("24h")

    one = play(1, 1)
    assert [thing.amount for thing in one.private("ann").accounts[0].auctions[0].received] == [1]
    look_the_same_to("ann", one, play(2, 0))
    look_the_same_to("ann", one, play(0, 2))


def test_coins_items_and_garnets_are_private_until_the_end() -> None:
    def play(prize: dict[str, int]) -> Table:
        match = table().act("1h", "ann", bid({"Mill": prize})).until("24h")
        return match.act("25h", "ann", bid({"Mint": {"silver": 1}}))

    look_the_same_to("cat", play({"gold": 1}), play({"gold": 2}))
    assert "coins" not in encode(play({"gold": 1}).public).decode()


def test_rounds_and_items_that_are_to_come_show_to_nobody() -> None:
    later = round_of(auction("Vault", gold=9, items={"alchemy": 1}))
    other = round_of(auction("Crypt", silver=1), auction_limit=7)
    look_the_same_to("ann", three(FIRST, later), three(FIRST, other))
    renamed = three(FIRST, later, items={"alchemy": {"name": "Stone"}})
    look_the_same_to("ann", renamed, three(FIRST, later))


def test_a_spyglass_opens_one_auction_to_its_owner_alone() -> None:
    def play(bids: dict[str, dict[str, int]]) -> Table:
        match = with_items(FIRST, SECOND, spyglass=1)
        match.act("25h", "ann", bid({}, use("spyglass", "Mill"))).act("25h", "bob", bid(bids))
        return match.until("48h")

    one, other = play({"Mill": {"gold": 1}}), play({"Mill": {"silver": 1}})
    look_the_same_to("cat", one, other)
    assert one.private("ann") != other.private("ann")
    look_the_same_to("ann", play({"Smithy": {"gold": 1}}), play({"Smithy": {"silver": 1}}))


def test_others_bids_stay_secret_while_the_candidate_is_decided() -> None:
    """Everybody's coins are public by then; which bids brought them is not."""

    def play(name: str) -> Table:
        rounds = round_of(auction("Mill", silver=1), auction("Smithy", silver=1), auction("Mint", gold=4))
        match = Table(config={"pregame": 0, "rounds": [rounds]}, ann={}, bob={}, cat={}, dan={}, eve={}).until(0)
        match.act(0, "ann", bid({"Mint": {"gold": 1}})).act(0, "bob", bid({name: {"bronze": 1}}))
        return match.until("24h")

    one, other = play("Mill"), play("Smithy")
    assert one.public.phase == "decision"
    assert one.public.result is not None
    assert (one.public.result.rounds, one.public.result.accounts) == ((), ())
    for viewer in ("ann", "cat", "eve"):
        look_the_same_to(viewer, one, other)
