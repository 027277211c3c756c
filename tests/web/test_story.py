"""The result as a story: turning points that the rules find, a line about everybody, and texts to pass on."""

import re
from html import unescape

import pytest

from matches.services.group.queue import submit
from tests.web.conftest import Table, browser


def words(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def test_before_the_end_nothing_is_told(auction: Table) -> None:
    page = browser().look(f"{auction.url}result/")
    assert "Turning points" not in page
    assert "Share the result" not in page


def test_votes_are_neither_in_words_nor_in_the_story(table: Table) -> None:
    """A row that stays private stays so, in words too: here one that was malformed, as a vote might have been."""
    submit(table.match_id, table.users["ann"].pk, {"type": "vote", "player": "bob", "oops": 1})
    table.finish()
    log = words(browser().look(f"{table.url}log/"))
    assert "oops" not in log
    assert "Vote:" not in log
    assert "oops" in words(browser(table.users["ann"]).look(f"{table.url}log/"))


pytestmark = pytest.mark.django_db
