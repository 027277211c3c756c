"""A match's page while its match goes on by itself: what moves is what has changed. Each type's whole match, from
before its start to after its end, in front of a player and a visitor who only look on, at a desk and on a phone."""

from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import sha256
from typing import Any, NamedTuple

import pytest

from matches.games.registry import all_games
from tests.browser.first_screen import SIZES
from tests.browser.served import Hands
from tests.browser.shifts import Shift, catch_up, shifts
from tests.fixtures.chromium import Visitors

pytestmark = pytest.mark.browser

MOST = 0.002
"""Of what has moved in a whole match, without the feed's lines and what is in a lot: nothing that anybody sees. What is
left are single pixels where a line of large letters follows one of small ones."""
MOST_STEPS = 200
PACE = ("pregame", "first_round", "round", "decision_time")
"""Settings that change nothing on a board."""


class SetUp(NamedTuple):
    """A match type, the name of one of its presets, and for how many players."""

    game: str
    preset: str
    players: int


def some_set_ups() -> list[Any]:
    """Two, in each run others; with EVERY_PAGE=1 all: each preset for as few, as usual and as many as can play."""
    found: dict[Any, SetUp] = {}
    for slug, game in sorted(all_games().items()):
        for preset, config in game.presets.items():
            for players in (game.sizes.least, game.made_for(preset)[0], game.sizes.most):
                alike = (slug, players, *sorted((key, str(each)) for key, each in config.items() if key not in PACE))
                found.setdefault(alike, SetUp(slug, preset, players))
    seed, set_ups = os.environ["RANDOM_SEED"], list(found.values())
    if not os.environ.get("EVERY_PAGE"):
        set_ups = sorted(set_ups, key=lambda each: sha256(f"{seed} {each}".encode()).digest())[:2]
    return [pytest.param(each, id=f"{each.game}-{each.preset}-{each.players}".replace(" ", "_")) for each in set_ups]


@pytest.mark.parametrize("set_up", some_set_ups())
def test_nothing_jumps_while_a_match_goes_on(
    visit: Visitors,
    person: Callable[..., Any],
    table: Callable[..., Any],
    hands: Hands,
    record_property: Callable[[str, Any], None],
    set_up: SetUp,
) -> None:
    ann = person("ann")
    game = all_games()[set_up.game]
    places = range(1, set_up.players)
    bots = [{"handle": f"bot{number}", "name": f"Bot {number}", "is_bot": True, "garnets": 5} for number in places]
    match = table("Standing still", [ann], game=game.slug, config=dict(game.presets[set_up.preset]), free=bots)
    pages = {}
    for width, height in SIZES:
        for name, who in (("ann", ann), ("a visitor", None)):
            page = visit(who, viewport={"width": width, "height": height})
            page.goto(match["url"])
            pages[f"{name} at {width} × {height}"] = page
    found: dict[str, list[Shift]] = {name: [] for name in pages}
    for _ in range(MOST_STEPS):
        step = hands.order("play_on", pk=match["pk"])
        for name, page in pages.items():
            catch_up(page, step["version"])
            found[name] += shifts(page)
        if step["is_over"]:
            break
    assert step["is_over"]
    sums = {name: round(sum(each.value for each in moves), 3) for name, moves in found.items()}
    worst = sorted((str(each) for moves in found.values() for each in moves), reverse=True)[:12]
    record_property("sums", sums)
    record_property(
        "with the feed", {name: round(sum(each.whole for each in moves), 3) for name, moves in found.items()}
    )
    assert max(sums.values()) <= MOST, "\n".join(worst)
