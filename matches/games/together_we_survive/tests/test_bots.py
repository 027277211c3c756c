"""Bots play legally, to the end, and not sillily."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from matches.engine.draw import Draw
from matches.games.together_we_survive import GAME
from matches.games.together_we_survive.tests.table import Table

GROUP_A = "ann bob cat dan eve fay gus hal"
GROUP_B = "ida jon kim leo mia ned oda pia"


def play(seed: int, looks: int = 3, a: str = GROUP_A, b: str = GROUP_B, **config: Any) -> tuple[Table, Counter[str]]:
    """Ask every bot a few times before each deadline; whatever they do must be accepted."""
    draw = Draw(seed.to_bytes(32, "big"))
    table = Table(a, b, config=config, draw=draw, garnets=dict.fromkeys((*a.split(), *b.split()), 2))
    done: Counter[str] = Counter()
    while (due := GAME.next_deadline(table.state)) is not None:
        for look in range(looks):
            now = table.state.core.time + (due - table.state.core.time) * look / looks
            for handle in table.state.core.handles:
                if GAME.next_deadline(table.state) is None:
                    return table, done
                action = GAME.bot_action(table.public, table.private(handle), now, draw)
                if action is not None:
                    table.act(now, handle, action)
                    done[action["type"]] += 1
        table.until(due)
    return table, done


@pytest.mark.parametrize("seed", range(4))
def test_bots_finish_a_match_of_several_rounds(seed: int) -> None:
    table, done = play(seed)
    assert len(table.state.closed) >= 3
    assert done["vote_a"] > 8
    assert done["vote_b"] > 8
    kinds = Counter(kind for each in table.state.closed if not each.automatic for kind in each.kinds.values())
    assert kinds["both"] > 0
    assert kinds["none"] == 0
    outcome = GAME.outcome(table.state)
    assert outcome is not None
    assert len(outcome.elimination_candidates) == 2
    assert max(outcome.details["tokens"].values()) > 5


def test_bots_decide_by_themselves() -> None:
    decided = Counter[str]()
    for seed in range(8):
        decided += play(seed)[1] + play(seed, a="ann bob cat", b="kim leo max")[1]
    assert decided["vote"] > 0
    assert decided["give_tokens"] > 0


def test_bots_vote_as_often_however_often_they_are_asked() -> None:
    def closed(looks: int) -> list[Any]:
        return [each.kinds for each in play(1, looks)[0].state.closed]

    assert closed(2) == closed(9)


def test_bots_cope_with_every_setting() -> None:
    play(2, garnet_credit=True, both_price=9)
    play(3, a="ann bob", b="kim leo", tokens_a=0, tokens_b=0, decision_time=0)
    play(4, a="ann bob cat", b="kim leo", round=1, first_round=1, mass_win=1, both_price=0)
    play(5, tokens_a=1_000_000, tokens_b=1_000_000, tokens_per_garnet=1)
