"""The result as a story: turning points that the rules find, a line about everybody, and texts to pass on."""

from __future__ import annotations

import re
from html import unescape

import pytest

from matches.services.group.queue import submit
from tests.web.conftest import Table, browser


def words(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def test_a_finished_match_is_told_as_a_story(table: Table) -> None:
    table.finish()
    page = browser().look(f"{table.url}result/")
    text = words(page)
    assert "Turning points" in text
    assert "Closest call" in text
    assert "ann won Y for 4" in text.replace("  ", " ") or "won Y for 4" in text
    assert f'src="{table.url}picture.png?v=' in page
    assert page.index("Turning points") < page.index("What everybody had") < page.index("The seed")
    shared = re.search(r'<textarea id="share-text"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)
    assert shared
    lines = unescape(shared[1]).splitlines()
    assert "||Winner: ann.||" in lines
    hidden = [line for line in lines[1:] if "ann" in line]
    assert hidden
    assert all(line.startswith("||") and line.endswith("||") for line in hidden)


def test_who_has_won_comes_first(table: Table) -> None:
    table.bid("bob", "Z", 3).at(25).at(24 * 8)
    page = words(browser().look(f"{table.url}result/").partition("everybody-title")[2])
    assert page.index("won Z for 3") < page.index("won no seat")


def test_before_the_end_nothing_is_told(auction: Table) -> None:
    page = browser().look(f"{auction.url}result/")
    assert "Turning points" not in page
    assert "Pass it on" not in page


def test_everybody_is_told_the_same_story(table: Table) -> None:
    table.finish()
    stories = {
        words(
            browser(table.users[name] if name else None).look(f"{table.url}result/").partition("turning-title")[2]
        ).partition("The seed")[0]
        for name in (None, "ann", "dora")
    }
    assert len(stories) == 1


def test_the_log_and_receipts_are_in_words_first(table: Table) -> None:
    table.bid("ann", "Z", 3)
    mine = browser(table.users["ann"]).look(f"{table.url}log/")
    assert "Bid: amount 3, seat Z" in words(mine)
    assert mine.index("Bid: amount 3, seat Z") < mine.index("&quot;amount&quot;:3")  # the JSON is behind
    table.bid("bob", "Z", 5).bid("cat", "Y", 3).at(25).bid("ann", "Y", 4).at(24 * 8)
    log = browser().look(f"{table.url}log/")
    assert "Bid: amount 5, seat Z" in words(log)
    assert "The match began" in words(log)
    assert "A deadline passed" in words(log)
    assert log.index("Rows of the log") < log.index("Check the chain")


def test_votes_are_neither_in_words_nor_in_the_story(table: Table) -> None:
    """A row that stays private stays so, in words too: here one that was malformed, as a vote might have been."""
    submit(table.match_id, table.users["ann"].pk, {"type": "vote", "player": "bob", "oops": 1})
    table.finish()
    log = words(browser().look(f"{table.url}log/"))
    assert "oops" not in log
    assert "Vote:" not in log
    assert "oops" in words(browser(table.users["ann"]).look(f"{table.url}log/"))


pytestmark = pytest.mark.django_db
