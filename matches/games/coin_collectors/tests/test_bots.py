"""Bots play legally, to the end, and not sillily."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from matches.engine.draw import Draw
from matches.games.coin_collectors import GAME
from matches.games.coin_collectors.items import KINDS
from matches.games.coin_collectors.tests.table import Table, auction, round_of, with_items
from tests.fixtures.chosen import one_in

HANDLES = ("ann", "bob", "cat", "dan", "eve", "fay", "gus")


def play(seed: int, **config: Any) -> tuple[Table, list[dict[str, Any]]]:
    """Ask every bot twice in every phase, as a server would; whatever they do must be accepted."""
    draw = Draw(seed.to_bytes(32, "big"))
    table = Table(config=config, draw=draw, **{handle: {"garnets": 2} for handle in HANDLES})
    done = []
    while (due := GAME.next_deadline(table.state)) is not None:
        for handle in HANDLES * 2:
            now = table.state.core.time
            action = GAME.bot_action(table.public, table.private(handle), now, draw)
            if action is not None:
                table.act(now, handle, action)
                done.append(action)
        if GAME.next_deadline(table.state) == due:
            table.until(due)
    return table, done


@pytest.mark.parametrize("seed", one_in(3, range(6)))
def test_bots_finish_a_match(seed: int) -> None:
    table, done = play(seed)
    bids = [action for action in done if action["type"] == "bid"]
    assert len(bids) == 5 * len(HANDLES), "one submission a round, and none twice"
    assert all(action["bids"] for action in bids[: len(HANDLES)])
    coins = table.public.result.standings if table.public.result else ()
    assert sum(each.total for each in coins) > 3 * len(HANDLES) * 2, "they should collect more than they began with"


def test_bots_use_what_they_win_and_spread_their_coins() -> None:
    used: Counter[str] = Counter()
    spread: Counter[int] = Counter()
    for seed in range(12):
        for action in play(seed)[1]:
            used.update(item["item"] for item in action.get("items", []))
            if action["type"] == "bid":
                used["lift"] += action["lift_auction_limit"]
                spread[len(action["bids"])] += 1
    assert set(used) >= {*KINDS, "lift"}
    assert spread[0] < spread[1] + spread[2] + spread[3]


def test_bots_do_not_spy_in_the_last_round_nor_lift_on_credit() -> None:
    last = round_of(auction("Mill", gold=1), auction("Smithy", gold=1), auction("Mint", gold=1), auction_limit=1)
    for seed in range(20):
        table = with_items(last, spyglass=1)
        draw = Draw(seed.to_bytes(32, "big"))
        action = GAME.bot_action(table.public, table.private("ann"), table.state.core.time, draw)
        assert action is not None
        assert (action["items"], action["lift_auction_limit"]) == ([], False)


def test_bots_cope_with_every_setting() -> None:
    play(1, pregame=0, round="1m", decision_time=0, garnet_credit=True, limit_price=0)
    play(2, start={}, rounds=[round_of(), round_of(auction("Mill", gold=1), auction_limit=0, bid_limit=0)])
    play(3, start={"gold": 50, "silver": 0, "bronze": 70}, items={"wide_net": None})
