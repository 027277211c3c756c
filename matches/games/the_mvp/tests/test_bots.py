"""Bots play legally to the end, and well enough that it is a match."""

from __future__ import annotations

from typing import Any

import pytest

from matches.engine.core import FINISHED
from matches.engine.draw import Draw
from matches.games.the_mvp import GAME
from matches.games.the_mvp.tests.table import DECK, NAMES, Table, bid, six
from tests.fixtures.chosen import one_in


def chance(player: str) -> Draw:
    return Draw(player.encode().ljust(32, b"."))


def action(table: Table, player: str) -> dict[str, Any] | None:
    return GAME.bot_action(table.public, table.private(player), table.state.core.time, chance(player))


def played(number: int) -> Table:
    """A whole match of bots, each of whom looks twice between deadlines."""
    table = Table(draw=Draw(number.to_bytes(32, "big")), **{name: {"garnets": 3} for name in NAMES})
    while (due := GAME.next_deadline(table.state)) is not None:
        for player in (*NAMES, *NAMES):
            does = action(table, player)
            if does is not None:
                table.act(table.state.core.time, player, does)
        table.until(due)
    return table


@pytest.mark.parametrize("number", one_in(3, range(6)))
def test_bots_claim_most_cards_and_score(number: int) -> None:
    table = played(number)
    assert table.state.core.phase == FINISHED
    outcome = GAME.outcome(table.state)
    assert outcome is not None
    assert len(outcome.details["controllers"]) >= 12
    assert all(team["cards"] for team in outcome.details["teams"].values())
    assert sum(team["score"] for team in outcome.details["teams"].values()) > 0


def test_a_bot_submits_once_a_round_and_adds_no_more_than_it_has() -> None:
    table = six()
    does = action(table, "ann")
    assert does is not None
    assert does["type"] == "bid"
    assert 0 < sum(does["adds"].values()) <= 30
    table.act("1h", "ann", does)
    assert action(table, "ann") is None


def test_a_bot_without_chips_bids_nothing() -> None:
    table = six({"chips": 0})
    assert action(table, "ann") == {"type": "bid", "adds": {}}


def test_a_bot_bids_more_on_a_card_that_makes_more_points() -> None:
    """Red has grapes 3, 4 and 6, so the one at W would make four in a row; P is exposed too, and fits nothing yet."""
    done = six({"deck": DECK, "chips": 500}).act("1h", "ann", bid(U=1, V=1, X=1)).until("72h")
    added: dict[str, int] = {}
    for number in range(40):
        does = GAME.bot_action(done.public, done.private("ann"), done.state.core.time, Draw(number.to_bytes(32, "big")))
        assert does is not None
        for place, amount in does["adds"].items():
            added[place] = added.get(place, 0) + amount
    assert added["W"] > 2 * added["P"]


def test_a_bot_votes_for_somebody_else_and_gives_what_it_must() -> None:
    table = six().until("48h")
    for player in NAMES:
        does = action(table, player)
        assert does is not None
        assert does["type"] == "vote"
        assert does["player"] != player
        table.act("49h", player, does)
    assert table.state.core.phase == FINISHED
