"""A match's page while its match goes on by itself: what moves is what has changed. Each type's whole match, from
before its start to after its end, in front of a player and a visitor who only look on, at a desk and on a phone."""

from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest

from tests.browser.first_screen import SIZES
from tests.browser.served import Hands
from tests.browser.shifts import Shift, catch_up, shifts
from tests.browser.tables_of import TableOf, unusual_tables, usual_tables
from tests.fixtures.chromium import Visitors

pytestmark = pytest.mark.browser

MOST = 0.002
"""Of what has moved in a whole match, without the feed's lines and what is in a lot: nothing that anybody sees. What is
left are single pixels where a line of large letters follows one of small ones."""
MOST_STEPS = 200


def some_tables() -> list[TableOf]:
    """A table of a preset and an unusual one, in each run others; with EVERY_PAGE=1 all."""
    kinds = usual_tables(), unusual_tables()
    if os.environ.get("EVERY_PAGE"):
        return [each for kind in kinds for each in kind]
    seed = os.environ["RANDOM_SEED"]
    return [min(kind, key=lambda each: sha256(f"{seed} {each}".encode()).digest()) for kind in kinds]


@pytest.mark.parametrize("of", some_tables(), ids=str)
def test_nothing_jumps_while_a_match_goes_on(
    visit: Visitors,
    person: Callable[..., Any],
    table: Callable[..., Any],
    hands: Hands,
    record_property: Callable[[str, Any], None],
    of: TableOf,
) -> None:
    ann = person("ann")
    places = range(1, of.players)
    bots = [{"handle": f"bot{number}", "name": f"Bot {number}", "is_bot": True, "garnets": 5} for number in places]
    match = table("Standing still", [ann], game=of.game, config=of.config, free=bots)
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
