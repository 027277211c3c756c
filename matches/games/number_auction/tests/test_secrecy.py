"""Two matches that differ only in what a viewer may not know look the same to that viewer."""

from typing import Any

from matches.engine.actions import encode
from matches.engine.core import DECISION
from matches.games.number_auction.tests.table import ASCENDING, BUY, Table, at_once, bid, name, three
from tests.games import twins

BATTERY: tuple[Any, ...] = (
    *(bid({number: amount}) for number in (1, 2, 5, 6, 50, 51) for amount in (-1, 0, 1, 100, 101, 10**9)),
    bid({}),
    bid({1: 60, 2: 60}),
    BUY,
    *(name(player) for player in ("ann", "bob", "cat", "zed")),
    {"type": "give_tokens", "to": ["ann"]},
    {"type": "vote", "player": "ann"},
    {"type": "bid"},
)


def look_the_same_to(viewer: str, one: Table, other: Table) -> None:
    twins.look_the_same_to(viewer, one, other, BATTERY)


def rich() -> Table:
    return three(ann={"garnets": 9}, bob={"garnets": 9}, cat={"garnets": 1})


def test_sealed_bids_show_to_nobody_else() -> None:
    one, other = rich().act("1h", "ann", bid({1: 30})), rich().act("1h", "ann", bid({2: 7, 5: 100}))
    look_the_same_to("bob", one, other)
    look_the_same_to("cat", one, rich().act("1h", "ann", bid({})))
    look_the_same_to("cat", one, rich().act("1h", "ann", BUY))
    silent = rich()
    assert (one.public, one.private("cat")) == (silent.public, silent.private("cat"))


def test_a_purchase_in_the_pregame_stays_secret_until_the_first_round_closes() -> None:
    def play(bought: int) -> Table:
        table = Table(config={"pregame": "1h"}, ann={"garnets": 9}, bob={}, cat={})
        for _ in range(bought):
            table.act("30m", "ann", BUY)
        return table

    look_the_same_to("bob", play(0), play(2))
    look_the_same_to("bob", play(0).until("1h"), play(2).until("1h"))
    assert play(2).until("25h").public.sheets[0].tokens == 160


def test_losing_bids_stay_secret_after_the_round() -> None:
    def play(lost: dict[int, int]) -> Table:
        return rich().act("1h", "ann", bid({1: 30} | lost)).act("1h", "bob", bid({1: 40})).until("24h")

    # A tie that nobody wins looks like a number on which nobody bid; a dropped bid like none.
    tied = rich().act("1h", "ann", bid({2: 8})).act("1h", "bob", bid({2: 8})).until("24h")
    idle = rich().until("24h")
    assert encode(tied.public) == encode(idle.public)
    assert encode(tied.private("cat")) == encode(idle.private("cat"))
    assert tied.heard("cat") == idle.heard("cat")
    look_the_same_to("bob", play({2: 90}), play({3: 95}))
    look_the_same_to("cat", play({2: 90}), play({}))


def test_who_paid_the_second_price_stays_secret() -> None:
    one = rich().act("1h", "ann", bid({1: 30})).act("1h", "bob", bid({1: 40})).until("24h")
    other = rich().act("1h", "cat", bid({1: 30})).act("1h", "bob", bid({1: 40})).until("24h")
    look_the_same_to("bob", one, other)
    assert encode(one.public) == encode(other.public)


def test_losing_bids_stay_secret_while_the_candidate_is_decided() -> None:
    def play(lost: int) -> Table:
        table = at_once(ann={"garnets": 3}).act("1h", "ann", bid({40: 9})).act("1h", "bob", bid({40: 2, 7: lost}))
        return table.act("2h", "cat", bid({7: lost})).until("24h")

    one, other = play(3), play(8)
    assert one.public.phase == DECISION
    assert one.state != other.state
    assert encode(one.public) == encode(other.public)
    look_the_same_to("ann", one, other)


def test_later_numbers_show_to_nobody_before_their_round() -> None:
    def play(order: list[int]) -> Table:
        return Table(config={"numbers": order}, ann={}, bob={}, cat={}).until(0)

    one, other = play(ASCENDING), play([*ASCENDING[:5], *reversed(ASCENDING[5:])])
    for viewer in ("ann", "bob", "cat"):
        look_the_same_to(viewer, one, other)
    states = {view.number: (view.state, view.round) for view in one.public.board}
    assert states[5] == ("open", 1)
    assert {states[number] for number in range(6, 51)} == {("later", None)}


def test_whether_the_order_was_fixed_shows_to_nobody() -> None:
    drawn = Table(ann={}, bob={}, cat={}).until("24h")
    fixed = Table(config={"numbers": list(drawn.state.order)}, ann={}, bob={}, cat={}).until("24h")
    look_the_same_to("ann", drawn, fixed)
