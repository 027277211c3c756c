"""The calculator of shares on the pages: of the game, of a match, and beside a player's own bids."""

from __future__ import annotations

import re
from html import unescape

from matches.games.coin_collectors.tests.at_table import AtTable
from matches.games.coin_collectors.tests.test_pages import TREASURY, text_of
from tests.web.conftest import browser

EXAMPLE = {
    "type": "shares",
    "prize[gold]": "2",
    "prize[silver]": "5",
    "bids[A][gold]": "1",
    "bids[A][silver]": "2",
    "bids[B][gold]": "1",
    "bids[B][silver]": "1",
    "bids[C][gold]": "1",
    "bids[C][bronze]": "1",
}


TYPED = re.compile(r'name="((?:prize|bids)[^"]*)" [^>]*value="([^"]+)"')


def test_it_begins_with_ones_own_bids_and_as_many_players_as_there_are(at_table: AtTable) -> None:
    at_table.bid("ann", {"Treasury": TREASURY})
    page = browser(at_table.users["ann"]).look(at_table.url)
    page = page[page.index('id="calculator"') :]
    prize, mine = (
        {"prize[gold]": "2", "prize[silver]": "5"},
        {f"bids[ann][{coin}]": str(n) for coin, n in TREASURY.items()},
    )
    assert dict(TYPED.findall(page)) == prize | mine
    assert {f"bids[{who}][gold]" for who in at_table.players} == set(re.findall(r'name="(bids\[\w+\]\[gold\])"', page))
    for who in (None, "bob"):
        assert not set(mine) & set(
            dict(TYPED.findall(browser(at_table.users[who] if who else None).look(f"{at_table.url}ask/")))
        )
    links = re.findall(r'href="([^"]*ask/[^"]*)" data-prize="([^"]*)"', page)
    address = {unescape(name): unescape(href) for href, name in links}["Treasury"]
    asked = browser().look(address)
    assert dict(TYPED.findall(asked)) == prize | mine
    assert "Each would get" in text_of(asked)
    assert "data-prize" not in browser(at_table.users["ann"]).look(at_table.at(24 * 7).url)


def test_on_a_match_it_knows_no_more_for_anybody(at_table: AtTable) -> None:
    at_table.bid("ann", {"Treasury": TREASURY})
    answers = {
        browser(at_table.users[who] if who else None)
        .get(f"{at_table.url}ask/", EXAMPLE, headers={"HX-Request": "true"})
        .content
        for who in (None, "ann", "bob", "dora")
    }
    assert len(answers) == 1
