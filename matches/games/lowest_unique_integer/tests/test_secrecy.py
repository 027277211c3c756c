"""Two matches that differ only in what a viewer may not know look the same to that viewer."""

from datetime import timedelta
from typing import Any

import pytest

from matches.engine.errors import Rejected
from matches.games.lowest_unique_integer import GAME
from matches.games.lowest_unique_integer.tests.table import WITHDRAW, Table, bid, buy, three
from tests.games import twins

BATTERY: tuple[Any, ...] = (
    *(bid(seat, amount) | {"up_to": up_to} for seat in "TYZ" for amount in (1, 4, 6) for up_to in (3, 5, 8, 16)),
    *({"type": "raise", "seat": seat, "up_to": up_to} for seat in "TYZA" for up_to in (0, 3, 4, 6, 8, 16, 99)),
    *({"type": "withdraw_raise", "seat": seat} for seat in "YZA"),
    *(bid(seat, amount) for seat in "RSTUVWXYZA" for amount in (-1, 0, 1, 2, 3, 5, 16, 17, 99)),
    *(buy(count) for count in (-1, 0, 1, 2, 99)),
    WITHDRAW,
    *({"type": "name_candidate", "player": player} for player in ("ann", "bob", "cat", "zed")),
    *({"type": "give_tokens", "to": to} for to in ([], ["ann"], ["ann", "bob"])),
    {"type": "vote", "player": "ann"},
    {"type": "bid"},
)


def look_the_same_to(viewer: str, one: Table, other: Table) -> None:
    twins.look_the_same_to(viewer, one, other, BATTERY)


def rich() -> Table:
    return three(ann={"garnets": 9, "priority": 5}, bob={"garnets": 9, "priority": 3}, cat={"priority": 1})


def test_sealed_bids_show_to_nobody_else() -> None:
    one = rich().act("1h", "ann", bid("Z", 3))
    other = rich().act("1h", "ann", bid("T", 7))
    look_the_same_to("bob", one, other)
    look_the_same_to("cat", one, other)
    look_the_same_to("cat", one, rich().act("1h", "ann", buy()))
    silent = rich()
    assert (one.public, one.private("cat")) == (silent.public, silent.private("cat"))


def test_dropped_sealed_bids_show_to_nobody_else() -> None:
    one = rich().act("1h", "ann", bid("Z", 3)).act("1h", "bob", bid("Y", 3)).until("24h")
    other = rich().act("1h", "ann", bid("Z", 3)).act("1h", "bob", bid("T", 3)).until("24h")
    none = rich().act("1h", "ann", bid("Z", 3)).until("24h")
    look_the_same_to("cat", one, other)
    look_the_same_to("ann", one, other)
    look_the_same_to("cat", one, none)


def test_purchases_and_purses_show_to_nobody_else() -> None:
    def play(*, bought: int, garnets: int) -> Table:
        table = three(ann={"garnets": garnets}, bob={"garnets": 9}, cat={"garnets": 2})
        table.act("24h", "ann", bid("Z", 3)).act("25h", "bob", bid("Y", 4))
        for _ in range(bought):
            table.act("26h", "ann", buy())
        return table

    look_the_same_to("cat", play(bought=0, garnets=9), play(bought=2, garnets=9))
    look_the_same_to("bob", play(bought=1, garnets=9), play(bought=3, garnets=90))


def test_chips_stay_private_while_the_candidate_is_decided() -> None:
    def play(bought: int) -> Table:
        table = Table(
            config={"variant": "F8", "pregame": 0}, ann={}, bob={"garnets": 9}, cat={}, dan={}, eve={}, fay={}
        )
        table.until(0).act(0, "ann", bid("R", 1)).act(0, "eve", bid("S", 2))
        for _ in range(bought):
            table.act(1, "bob", buy())
        return table.until("24h")

    one, other = play(1), play(3)
    assert one.public.phase == "decision"
    assert one.public.result is not None
    assert one.public.result.accounts == ()
    for viewer in ("ann", "cat", "eve"):
        look_the_same_to(viewer, one, other)


def test_hosts_see_who_submitted_and_open_it_on_purpose() -> None:
    table = rich().act("1h", "ann", bid("Z", 3))
    assert GAME.sealed(table.state) == {"ann": {"seat": "Z", "amount": 3}}
    assert GAME.sealed(table.until("24h").state) is None


# -- standing raises -------------------------------------------------------------------------------


def auction(*steps: tuple[str, Any] | None) -> Table:
    """What happens in the auction, hour by hour; None lets an hour pass."""
    table = rich().act("1h", "bob", bid("Y", 1)).until("24h")
    for hour, step in enumerate(steps, 25):
        if step is not None:
            table.act(timedelta(hours=hour), *step)
    return table


def verdict(table: Table, player: str, action: Any) -> tuple[Any, ...]:
    """What a dry run tells this player."""
    try:
        GAME.submit(table.state, player, action, table.state.core.time, table.draw)
    except Rejected as refusal:
        return refusal.code, refusal.message, refusal.field
    return ()


BY_HAND = ("ann", bid("Z", 3))
WITH_RAISE = ("ann", bid("Z", 3) | {"up_to": 9})
RAISES = ("ann", {"type": "raise", "seat": "Z", "up_to": 9})
HIGHER = ("ann", {"type": "raise", "seat": "Z", "up_to": 16})
WITHDRAWS = ("ann", {"type": "withdraw_raise", "seat": "Z"})
ANSWERED = ("bob", bid("Z", 4))
OVERBID = ("bob", bid("Z", 9))
LAST = ("bob", bid("X", 2))

RAISE_TWINS = {
    "none or one": ((BY_HAND, None, LAST), (BY_HAND, RAISES, LAST)),
    "made with the bid": ((BY_HAND, LAST), (WITH_RAISE, LAST)),
    "how high": ((BY_HAND, RAISES, LAST), (BY_HAND, HIGHER, LAST)),
    "changed": ((BY_HAND, RAISES, HIGHER, LAST), (BY_HAND, None, None, LAST)),
    "withdrawn": ((BY_HAND, RAISES, WITHDRAWS, LAST), (BY_HAND, None, None, LAST)),
    "how high, when it has bid": ((WITH_RAISE, None, ANSWERED), (WITH_RAISE, HIGHER, ANSWERED)),
    "one that could not answer, or none": ((WITH_RAISE, OVERBID), (BY_HAND, OVERBID)),
    "one that met a lower one": (
        (WITH_RAISE, None, ("bob", {"type": "raise", "seat": "Z", "up_to": 7})),
        (WITH_RAISE, HIGHER, ("bob", {"type": "raise", "seat": "Z", "up_to": 7})),
    ),
}


@pytest.mark.parametrize("name", RAISE_TWINS)
def test_a_standing_raise_shows_to_nobody_else(name: str) -> None:
    one, other = (auction(*steps) for steps in RAISE_TWINS[name])
    # A bid on the seat makes the raise bid in turn: that is what it is for. What it would do, no dry run tells.
    elsewhere = [action for action in BATTERY if action.get("seat") != "Z"]
    for viewer in ("bob", "cat"):
        if one.state != other.state:
            twins.look_the_same_to(viewer, one, other, elsewhere)
        assert one.heard(viewer) == other.heard(viewer)
        assert [verdict(one, viewer, action) for action in BATTERY] == [
            verdict(other, viewer, action) for action in BATTERY
        ]


@pytest.mark.parametrize("action", [RAISES, WITHDRAWS])
def test_a_standing_raise_touches_its_owner_alone(action: Any) -> None:
    table = auction(WITH_RAISE, action)
    assert (table.last.public, table.last.touched) == (False, {"ann"})
    assert (table.last.bids, table.last.announcements) == ((), ())


def test_the_comparison_would_find_a_raise_that_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: raises in the public view."""
    monkeypatch.setattr(GAME, "public_view", lambda state: state.raises)
    one, other = (auction(*steps) for steps in RAISE_TWINS["how high"])
    with pytest.raises(AssertionError):
        twins.look_the_same_to("cat", one, other, ())
