"""Statistics: of a match type, of a person, from finished matches alone."""

from __future__ import annotations

import re
from html import unescape

import pytest

from matches.models import Match
from matches.models.clock import FixedTime
from matches.queries import statistics
from tests.fixtures.any_game import SLUG
from tests.web.conftest import Table, browser

pytestmark = pytest.mark.django_db
PAGE = f"/games/{SLUG}/statistics/"


def words(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page.partition("<main")[2])).split())


def test_only_finished_matches_are_counted(table: Table, present: FixedTime) -> None:
    table.bid("ann", "Z", 3)
    assert "No match of this game is finished yet" in browser().look(PAGE)
    table.bid("bob", "Z", 5).bid("cat", "Y", 3).at(25).bid("ann", "Y", 4).at(24 * 8)
    Table(present).open().bid("cat", "Z", 9)
    page = browser().look(PAGE)
    text = words(page)
    assert "F8: 1 match" in text
    assert "Winning bid , 4" in text or "Winning bid, 4" in text.replace(" ,", ",")
    assert "First (sealed) bid" in text
    widths = [int(each) for each in re.findall(r'<rect width="(\d+)"', page)]
    assert max(widths) == 100  # in each table the row of the largest count
    assert all(0 <= each <= 100 for each in widths)
    assert " 9 " not in text.partition("First (sealed) bid")[2].partition("What a seat")[0]


def test_a_cancelled_draft_or_hidden_match_adds_nothing(table: Table) -> None:
    table.finish()
    Match.objects.update(status="cancelled")
    assert statistics.of_game(SLUG) == ()
