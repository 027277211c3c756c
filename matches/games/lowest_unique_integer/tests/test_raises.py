"""Standing raises on the rules alone: what they bid, who wins against whom, when they end, and who is told."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.engine.errors import Rejected
from matches.engine.step import to_player
from matches.games.lowest_unique_integer.tests.table import Table, bid, live, three


def with_raise(seat: str, amount: int, up_to: int) -> dict[str, Any]:
    return bid(seat, amount) | {"up_to": up_to}


def standing_raise(seat: str, up_to: int) -> dict[str, Any]:
    return {"type": "raise", "seat": seat, "up_to": up_to}


def withdraw(seat: str) -> dict[str, Any]:
    return {"type": "withdraw_raise", "seat": seat}


def bids_of(table: Table) -> list[tuple[str, int]]:
    """Who bid what in the last step."""
    return [
        (each.data["player"], each.data["amount"]) for each in table.last.announcements if each.kind == "bid_placed"
    ]


def told(table: Table, player: str) -> list[tuple[str, dict[str, Any]]]:
    return [(each.kind, each.data) for each in table.last.announcements if each.audience == to_player(player)]


def raises_of(table: Table, player: str) -> list[tuple[str, int, int]]:
    return [(each.seat, each.up_to, each.reaches) for each in table.private(player).raises or ()]


def test_who_is_outbid_is_raised_at_once_by_the_least_that_the_seat_takes() -> None:
    table = live().act(1, "ann", with_raise("Z", 3, 9)).act(1, "cat", bid("Y", 5))
    table.act(2, "bob", bid("Z", 4))
    assert bids_of(table) == [("bob", 4), ("ann", 6)]  # 5 is taken
    assert (table.seat("Z").player, table.seat("Z").amount, table.seat("Z").placed_at) == ("ann", 6, 2)
    assert told(table, "ann") == [
        ("raised", {"seat": "Z", "amount": 6, "up_to": 9, "over": "bob", "over_amount": 4}),
    ]
    assert told(table, "bob") == [("outbid", {"seat": "Z", "amount": 6, "by": "ann", "own": 4})]
    assert [(each.status, each.player, each.amount) for each in table.last.bids] == [
        ("outbid", "ann", 3), ("standing", "bob", 4), ("outbid", "bob", 4), ("standing", "ann", 6),
    ]  # fmt: skip
    assert raises_of(table, "ann") == [("Z", 9, 9)]


def test_it_pays_the_fee_of_each_bid_and_ends_without_garnets_for_it() -> None:
    table = three({"pregame": 0, "fee_after": 0, "fee": 2}, ann={"garnets": 5}, bob={"garnets": 9}, cat={}).until(0)
    table.act(1, "ann", with_raise("Z", 1, 9)).act(2, "bob", bid("Z", 2))
    assert bids_of(table) == [("bob", 2), ("ann", 3)]
    assert table.private("ann").garnets == 1
    table.act(3, "bob", bid("Z", 4))
    assert bids_of(table) == [("bob", 4)]
    assert told(table, "ann")[0][1]["raise_ended"] == "fee"
    assert table.private("ann").garnets == 1


def test_a_changed_maximum_counts_as_made_then_and_one_on_another_seat_is_apart() -> None:
    table = live().act(1, "ann", with_raise("Z", 3, 9)).act(1, "ann", with_raise("Y", 1, 5))
    table.act(2, "ann", standing_raise("Z", 6))
    assert raises_of(table, "ann") == [("Y", 5, 5), ("Z", 6, 6)]
    table.act(3, "ann", withdraw("Z"))
    assert [each[0] for each in raises_of(table, "ann")] == ["Y"]
    assert table.seat("Z").player == "ann"
    table.act(4, "bob", bid("Z", 4))
    assert bids_of(table) == [("bob", 4)]


def test_a_raise_is_over_with_its_seat_and_with_the_auction() -> None:
    table = live().act(0, "ann", with_raise("Z", 3, 9)).act(1, "bob", with_raise("Y", 1, 2)).until("24h")
    assert (raises_of(table, "ann"), raises_of(table, "bob")) == ([], [("Y", 2, 2)])
    table = three({"pregame": 0, "stop_after": "2h"}).until(0).act("1h", "ann", with_raise("Z", 3, 9)).until("2h")
    assert table.state.raises == ()


@pytest.mark.parametrize(
    ("action", "code", "field"),
    [
        (standing_raise("A", 5), "unknown_seat", "seat"),
        (standing_raise("X", 5), "seat_won", "seat"),
        (standing_raise("Z", 0), "not_positive", "up_to"),
        (standing_raise("Z", 3), "too_low", "up_to"),
        (standing_raise("Y", 4), "too_low", "up_to"),
        (standing_raise("Y", 17), "not_enough_chips", "up_to"),
        (with_raise("R", 5, 5), "amount_taken", "amount"),
        (with_raise("R", 7, 7), "too_low", "up_to"),
        (with_raise("R", 7, -7), "not_positive", "up_to"),
        (with_raise("R", 7, 17), "not_enough_chips", "up_to"),
        (with_raise("Z", 7, 9), "own_bid", "seat"),
        (withdraw("Y"), "nothing_to_withdraw", "seat"),
        (withdraw("A"), "unknown_seat", "seat"),
        (standing_raise("Z", True), "malformed", "up_to"),  # type: ignore[arg-type]
    ],
)
def test_what_is_refused_and_where(action: Any, code: str, field: str) -> None:
    table = live().act(0, "cat", bid("X", 1)).act("23h", "ann", bid("Z", 3)).act("23h", "bob", bid("Y", 5))
    refusal = table.refused("24h", "ann", action)
    assert (refusal.code, refusal.field) == (code, field)


RAISES = st.tuples(st.integers(1, 16), st.integers(0, 20))


@given(st.lists(RAISES, min_size=1, max_size=5), st.integers(0, 3), st.booleans())
def test_whatever_meets_each_bid_obeys_the_rules_and_each_maximum(
    made: list[tuple[int, int]], taken: int, costs: bool
) -> None:
    """Played again bid by bid by hand, every bid of a step is accepted, and comes to the same board."""
    fee = {"fee_after": 0} if costs else {}
    openings: dict[str, dict[str, int]] = {name: {"garnets": 3} for name in ("ann", "bob", "cat")}
    table, by_hand = (three({"pregame": 0, **fee}, **openings).until(0) for _ in range(2))
    most: dict[str, int] = {}
    for seat, amount in (("R", 2), ("S", 5), ("T", 8))[:taken]:
        for each in (table, by_hand):
            each.act(0, "cat", bid(seat, amount))
    for place, (amount, more) in enumerate(made):
        who = ("ann", "bob")[place % 2]
        try:
            table.act(place + 1, who, with_raise("Z", amount, amount + more) if more else bid("Z", amount))
        except Rejected:
            continue
        most[who] = max(amount + more, amount)
        placed = bids_of(table)
        assert len(placed) <= 5
        for player, bids in placed:
            assert player == who or bids <= most[player]
            by_hand.act(place + 1, player, bid("Z", bids))
        assert table.public == by_hand.public
        assert table.state.core == by_hand.state.core
        assert len(table.state.raises) <= 1
        assert all(each.player == table.seat("Z").player for each in table.state.raises)
