"""The pages of a match as each kind of viewer gets them, without scripts."""

from __future__ import annotations

import re
from html import unescape

import pytest

from matches.games.coin_collectors.tests.at_table import ODD, SECRET, AtTable
from matches.games.coin_collectors.tests.table import lift
from tests.games.reading import part, steady, text_of
from tests.web.conftest import browser

TREASURY = {"gold": 1, "silver": 1}


def inputs(html: str) -> dict[str, str]:
    """The number fields of the form that have something in them."""
    found = re.findall(r'name="(bids\[[^"]*)" [^>]*value="([^"]*)"', part(html, 'id="part-act"'))
    return {unescape(name): value for name, value in found if value}


# -- the board ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["", "parts/", "rules/", "history/", "news/", "ask/?type=shares"])
@pytest.mark.parametrize("who", [None, "ann", "eve"])
def test_no_page_tells_of_rounds_to_come(at_table: AtTable, suffix: str, who: str | None) -> None:
    at_table.at(50)
    page = browser(at_table.users[who] if who else None).get(f"{at_table.url}{suffix}").content.decode()
    assert SECRET not in page
    assert "Smelter" not in page


# -- the player's own --------------------------------------------------------------------------------


def test_what_is_sealed_fills_the_form_and_stands_with_its_time(at_table: AtTable) -> None:
    at_table.at(26).bid("ann", {ODD: {"silver": 1}, "Treasury": {"gold": 1}}, **lift("bid"))
    page = browser(at_table.users["ann"]).look(at_table.url)
    counts = text_of(part(page, 'class="submission__counts"', "</section>"))
    assert "16:00 UTC" in counts
    assert f"{ODD} 1 silver coin Treasury 1 gold coin Bid limit lifted Costs 1 garnet when the round closes" in counts
    assert "If you do nothing, what you sealed counts when the round closes" in counts
    assert inputs(page) == {"bids[St.%20Mary%27s%20%5Bold%5D%20%26%20co][silver]": "1", "bids[Treasury][gold]": "1"}
    assert re.search(r'name="lift_bid_limit"[^>]* checked', page)
    assert "Seal this instead" in page


def test_a_refusal_stands_at_the_very_field_and_keeps_what_was_typed(at_table: AtTable) -> None:
    ann = browser(at_table.users["ann"])
    answer = ann.press(at_table.url, "bid", htmx=True, **{"bids[Treasury][gold]": "5", "bids[Treasury][silver]": "1"})
    assert answer.status_code == 422
    html = answer.content.decode()
    field = re.search(r'<input id="([^"]+)" name="bids\[Treasury\]\[gold\]"[^>]*>', html)
    assert field is not None
    assert 'aria-invalid="true"' in field[0]
    assert 'value="5"' in field[0]
    assert "You have 1 gold coin" in part(html, f'id="{field[1]}-error"', "</p>")


# -- the end and the rules ---------------------------------------------------------------------------


def test_the_result_opens_every_auction_tier_by_tier(at_table: AtTable) -> None:
    at_table.bid("ann", {"Treasury": TREASURY}).bid("bob", {"Treasury": {"silver": 1}}, **lift("auction")).at(24 * 7)
    page = browser().look(f"{at_table.url}result/")
    opened = text_of(part(page, 'id="opened-1"', "</details>"))
    assert "1 gold coin bid for 2 gold coins 5 silver coins" in opened
    assert "2 silver coins bid for nothing" in opened
    assert "Auction limit lifted Paid 1 garnet" in opened
    assert SECRET in page
    assert "Everybody's coins" in text_of(page)


def test_nothing_of_it_shows_to_others(at_table: AtTable) -> None:
    others = [browser(at_table.users[who] if who else None) for who in (None, "bob", "eve")]
    before = [steady(each.look(at_table.url)) for each in others]
    at_table.bid("ann", {"Treasury": TREASURY})
    assert [steady(each.look(at_table.url)) for each in others] == before
