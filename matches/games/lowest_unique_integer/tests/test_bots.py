"""Bots play legally, to the end, and not sillily."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest

from matches.engine.draw import Draw
from matches.games.lowest_unique_integer import GAME
from matches.games.lowest_unique_integer.tests.table import Table
from tests.fixtures.chosen import one_in

HANDLES = ("ann", "bob", "cat", "dan", "eve", "fay", "gil", "hal", "ivy", "jon")


def play(seed: int, every: timedelta, **config: Any) -> tuple[Table, Counter[str]]:
    """Ask every bot again and again, as a server would; whatever they do must be accepted."""
    draw = Draw(seed.to_bytes(32, "big"))
    table = Table(
        config=config, draw=draw, **{handle: {"garnets": 4, "priority": i} for i, handle in enumerate(HANDLES)}
    )
    done: Counter[str] = Counter()
    now = timedelta()
    while table.public.phase != "finished":
        for handle in HANDLES:
            table.until(now)
            action = GAME.bot_action(table.public, table.private(handle), now, draw)
            if action is not None:
                table.act(now, handle, action)
                done[action["type"]] += 1
        now += every
    return table, done


@pytest.mark.parametrize("seed", one_in(2, range(4)))
def test_bots_finish_a_match(seed: int) -> None:
    table, done = play(seed, timedelta(minutes=20))
    assert done["bid"] > 20
    assert len(table.state.won) >= 6
    assert len(table.state.sealed) == len(HANDLES)
    outcome = GAME.outcome(table.state)
    assert outcome is not None
    assert outcome.winners


def test_bots_bid_as_often_however_often_they_are_asked() -> None:
    seldom, often = play(1, timedelta(hours=1))[1], play(1, timedelta(minutes=5))[1]
    assert 0.4 < often["bid"] / seldom["bid"] < 2.5


def test_bots_cope_with_every_setting() -> None:
    play(2, timedelta(hours=1), variant="F8", fee_after="24h", stop_after="3d", garnet_credit=True)
    play(3, timedelta(seconds=1), pregame="1m", bid_timer="1m", decision_time="20s", columns=5, rows=5)
    play(4, timedelta(hours=1), pregame=0, chips=0, chip_price=0, stop_after="4d")
