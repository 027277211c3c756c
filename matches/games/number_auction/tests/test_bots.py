"""Bots play legally, to the end, and not sillily."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from matches.engine.draw import Draw
from matches.games.number_auction import GAME
from matches.games.number_auction.tests.table import Table
from tests.fixtures.chosen import one_in

HANDLES = ("ann", "bob", "cat", "dan", "eve", "fay", "gil", "hal")


def play(seed: int, players: int = 4, looks: int = 3, **config: Any) -> tuple[Table, Counter[str]]:
    """Ask every bot a few times before each deadline; whatever they do must be accepted."""
    draw = Draw(seed.to_bytes(32, "big"))
    handles = HANDLES[:players]
    table = Table(config=config, draw=draw, **{handle: {"garnets": 3} for handle in handles})
    done: Counter[str] = Counter()
    while (due := GAME.next_deadline(table.state)) is not None:
        for look in range(looks if due else 0):
            now = table.state.core.time + (due - table.state.core.time) * look / looks
            for handle in handles:
                action = GAME.bot_action(table.public, table.private(handle), now, draw)
                if action is not None:
                    table.act(now, handle, action)
                    done[action["type"]] += 1
        table.until(due)
    return table, done


@pytest.mark.parametrize("seed", one_in(4, range(4)))
def test_bots_finish_a_match(seed: int) -> None:
    table, done = play(seed)
    assert done["bid"] == 40
    assert sum(lot.player is not None for lot in table.state.lots) > 35
    outcome = GAME.outcome(table.state)
    assert outcome is not None
    assert len(outcome.elimination_candidates) == 1
    assert min(outcome.scores.values()) > 100


def test_bots_buy_now_and_then_and_keep_something() -> None:
    counts = [play(seed)[1]["buy_tokens"] for seed in range(4)]
    assert 0 < sum(counts) < 20


def test_bots_bid_as_often_however_often_they_are_asked() -> None:
    assert play(1, looks=1)[1]["bid"] == play(1, looks=9)[1]["bid"]


def test_bots_cope_with_every_setting() -> None:
    play(2, players=8, garnet_credit=True, pregame="1h")
    play(3, players=3, rounds=1, numbers_per_round=50, tokens=0, income=0)
    play(4, rounds=50, numbers_per_round=1, round=1, first_round=1, decision_time=0)
    play(5, tokens=1_000_000, income=1_000_000, tokens_per_garnet=1_000_000)
