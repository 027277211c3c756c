"""Money, corrections, forecasts and what is told at a close."""

from datetime import timedelta
from typing import Any

import pytest

from matches.engine.actions import decode_action
from matches.engine.core import RUNNING
from matches.engine.errors import Rejected
from matches.engine.step import to_player
from matches.games.the_mvp import GAME
from matches.games.the_mvp.prospects import BidsForecast, Effect
from matches.games.the_mvp.tests.table import Table, bid, identity, location, six


def forecast(table: Table, player: str, raw: Any) -> Any:
    decoded = decode_action(GAME.actions, raw)
    return GAME.forecast(table.public, table.private(player), decoded)


def said(table: Table, audience: str) -> list[str | None]:
    """The last step's announcements to that audience, in words."""
    return [GAME.describe(item, str.title) for item in table.last.announcements if item.audience == audience]


def test_the_first_round_is_open_at_once() -> None:
    table = six()
    assert table.state.core.phase == RUNNING
    assert GAME.next_deadline(table.state) == timedelta(hours=48)
    assert said(table, "everyone") == ["Round 1 of at most 13 is open."]


def test_what_each_player_is_told_at_a_close() -> None:
    table = six(eve={"garnets": 3}).act("1h", "ann", bid(U=2, V=1)).act("1h", "cat", bid(V=1)).until("48h")
    table.act("49h", "bob", bid(U=1)).act("49h", "eve", identity("A")).act("49h", "eve", location("pear-3"))
    table.until("72h")
    assert said(table, to_player("ann")) == [
        "Round 2: You paid 2 chips on U and 1 chip on V for cards of your team.",
        "You control grape 3, claimed by your team. Your team has claimed grape 4, and you do not control it.",
    ]
    assert said(table, to_player("bob")) == ["Round 2: 1 chip on U came back to you."]
    assert said(table, to_player("eve")) == [
        "Your team has claimed grape 3 and grape 4, and you do not control them.",
        "The answer that you bought: A is apple 1.",
        "The answer that you bought: pear 3 lies on O.",
    ]
    assert said(table, to_player("dan")) == []


def test_chips_move_only_when_a_card_is_claimed() -> None:
    table = six().act("1h", "ann", bid(U=3, V=2)).act("1h", "bob", bid(V=2)).until("48h")
    assert not table.last.postings
    table.until("72h")
    assert [(each.giver, each.receiver, each.asset, each.amount) for each in table.last.postings] == [
        ("ann", None, "chip", 3)
    ]


def test_corrections_take_free_chips_alone() -> None:
    table = six().act("1h", "ann", bid(P=10)).act("49h", "ann", bid(U=5))
    assert GAME.holds(table.state, "ann") == {"chip": 15}
    with pytest.raises(Rejected):
        table.correct("ann", "chip", -16)
    table.correct("ann", "chip", -15)
    assert table.private("ann").unused == 0
    assert table.until("72h").public.places[20].total == 5


def test_chips_that_a_host_gives_can_be_bid() -> None:
    table = six()
    assert table.refused("1h", "ann", bid(U=31)).code == "not_enough_chips"
    table.correct("ann", "chip", 1)
    table.act("2h", "ann", bid(U=31))
    assert table.private("ann").unused == 0


def test_a_token_from_a_host_makes_its_holder_immune() -> None:
    table = six({"max_rounds": 2}).act("1h", "ann", bid(U=1, V=1, W=1)).act("1h", "cat", bid(X=1))
    for player in ("bob", "dan"):
        table.correct(player, "tol", 1)
    table.until("72h")
    assert table.state.core.candidates == ("fay",)


def test_if_all_losers_are_immune_nobody_is() -> None:
    table = six({"max_rounds": 2}).act("1h", "ann", bid(U=1, V=1, W=1)).act("1h", "cat", bid(X=1))
    for player in ("bob", "dan", "fay"):
        table.correct(player, "tol", 1)
    table.until("72h")
    assert table.private("ann").asked[0].options == ("bob", "dan", "fay")


def test_forecast_of_bids() -> None:
    table = six().act("1h", "ann", bid(P=4)).until("48h")
    assert forecast(table, "ann", bid(U=3, P=2)) == BidsForecast(
        added=5, unused=21, effects=(Effect("P", "waits", 6), Effect("U", "open", 3))
    )


def test_what_a_team_has_and_still_can_have() -> None:
    table = six().act("1h", "ann", bid(U=1, V=1)).act("1h", "bob", bid(X=1)).until("72h")
    red, green = table.public.teams
    grapes = next(line for line in red.runs if line.name == "grape")
    assert (grapes.cards, grapes.gone) == (("grape-3", "grape-4"), ("grape-6",))
    assert grapes.free == ("grape-1", "grape-2", "grape-5")
    assert (grapes.points, grapes.most) == (0, 10)
    sixes = next(line for line in red.sets if line.name == "6")
    assert (sixes.most, next(line for line in green.sets if line.name == "6").most) == (3, 12)
    threes = next(line for line in green.sets if line.name == "3")
    assert threes.most == 3
    assert (red.score, red.spent, green.cards) == (0, 2, ("grape-6",))
