"""Board, purse and votes with their button are at hand, on the first screen and in few tabs, with as many players as
usual, in every phase."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.first_screen import shortcomings
from tests.fixtures.chromium import Visitors

pytestmark = pytest.mark.browser

GROUP_A = ("ann", "bob", "cat", "dan", "eve", "flo", "gil", "hal")
GROUP_B = ("ida", "jon", "kim", "leo", "mia", "ned", "oli", "pat")
MOVES = [
    ("1h", "ann", {"type": "vote_a", "votes": {"ann": 1, "bob": 1, "cat": 1, "dan": 1}}),
    ("1h", "eve", {"type": "vote_a", "votes": {"eve": 1, "flo": 1, "gil": 1}}),
    ("2h", "cat", {"type": "vote_b", "votes": {"kim": 2, "leo": 1}}),
    ("49h", "ann", {"type": "vote_b", "votes": {"kim": 2, "leo": 1}}),
]
ALONE = [*MOVES, ("51h", "ann", {"type": "vote_a", "votes": {"ann": 1}})]
OUTLIVED = [  # ann stays on stage longest, bob leaves before her, and two of six others get a token of hers
    *MOVES,
    ("51h", "bob", {"type": "vote_a", "votes": {"ann": 1, "bob": 1}}),
    ("73h", "bob", {"type": "vote_a", "votes": {"ann": 1}}),
]
PHASES: dict[str, dict[str, Any]] = {
    "first round": {"at": "2h"},
    "on stage": {"at": "50h", "moves": MOVES},
    "in the gallery": {"at": "50h", "moves": MOVES[1:2]},
    "vote": {"at": "73h", "moves": ALONE},
    "gift": {"at": "97h", "moves": OUTLIVED},
    "finished": {"at": "20d", "moves": ALONE},
}


_WORDS_OVER_YOU = """(tile) => {
    const lot = tile.querySelector(".lot"), you = getComputedStyle(lot, "::after"), box = lot.getBoundingClientRect();
    if (!you.content.includes("you")) return ["no word for it"];
    const [right, bottom] = [box.right - parseFloat(you.right), box.bottom - parseFloat(you.bottom)];
    const [left, top] = [right - parseFloat(you.width), bottom - parseFloat(you.height)];
    const range = document.createRange();
    const found = [];
    for (const part of tile.querySelectorAll(".tws-tile__mine, .tws-tile__sum")) {
        range.selectNodeContents(part);
        for (const words of range.getClientRects()) {
            const isOver = words.right > left && words.left < right && words.bottom > top + 1 && words.top < bottom - 1;
            if (isOver || words.right > box.right) found.push(part.innerText);
        }
    }
    return found;
}"""


def test_a_player_sees_all_that_is_needed_at_once(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    people = [person(name) for name in (*GROUP_A, *GROUP_B)]
    page = visit(people[0])
    for phase, details in PHASES.items():
        match = table("Footlights", people, game="together_we_survive", bring={"priority": 1}, **details)
        page.goto(match["url"])
        assert shortcomings(page, acts=phase != "finished") == [], phase


@pytest.mark.parametrize("size", [{"width": 1280, "height": 900}, {"width": 390, "height": 844}], ids=["desk", "phone"])
def test_of_many_players_each_name_is_whole_and_so_is_what_one_gives_them(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any], size: dict[str, int]
) -> None:
    free = [{"handle": f"player{number}", "priority": 1} for number in range(10, 39)]
    ann = person("ann")
    details = {"game": "together_we_survive", "bring": {"priority": 1}, "at": "2h", "open_places": "bots"}
    page = visit(ann, viewport=size)
    page.goto(table("A full house", [ann], free=free, **details)["url"])
    names = page.locator(".tws-tiles--many .mark__name")
    assert names.count() == 30
    broken = "(all) => all.filter((each) => each.offsetHeight > 24).map((each) => each.textContent)"
    assert names.evaluate_all(broken) == []
    page.locator("#board-b [data-lot]").first.evaluate("(lot) => lot.click()")
    given = page.locator(".tws-tile__mine").first
    given.wait_for()
    room = "(given) => given.closest('.tws-tile').getBoundingClientRect().right - given.getBoundingClientRect().right"
    assert given.evaluate(room) >= -1


def test_what_one_gives_oneself_lies_beside_the_word_that_says_whose_tile_it_is(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    """On a phone, where a tile is hardly wider than both."""
    people = [person(name) for name in (*GROUP_A, *GROUP_B)]
    match = table("A mirror", people, game="together_we_survive", bring={"priority": 1}, at="2h")
    for player, board in ((people[0], "#board"), (people[8], "#board-b")):
        page = visit(player, viewport={"width": 390, "height": 844})
        page.goto(match["url"])
        tile = page.locator(f"{board} .tws-tile:has([data-lot='{player['handle']}'])")
        tile.locator("[data-lot]").evaluate("(lot) => lot.click()")
        tile.get_by_text("1 unsent").wait_for()
        assert tile.evaluate(_WORDS_OVER_YOU) == []
