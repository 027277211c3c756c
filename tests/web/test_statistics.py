"""Statistics: of a match type, of a person, from finished matches alone."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from matches.models import Match
from matches.models.clock import FixedTime
from matches.queries import statistics
from matches.queries.statistics import table_of
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


def test_it_is_read_once_and_asked_with_few_statements(table: Table) -> None:
    table.finish()
    statistics._figures.clear()
    with CaptureQueriesContext(
        connection,
    ) as first:
        before = statistics.of_game(SLUG)
    with CaptureQueriesContext(connection) as second:
        assert statistics.of_game(SLUG) == before
    assert len(first) == 2
    assert len(second) == 1


def test_a_cancelled_draft_or_hidden_match_adds_nothing(table: Table) -> None:
    table.finish()
    Match.objects.update(status="cancelled")
    assert statistics.of_game(SLUG) == ()


def test_numbers_come_in_steps_where_there_are_many() -> None:
    few = table_of("x", [3, 1, 3])
    assert [(row.label, row.count, row.percent) for row in few.rows] == [("1", 1, 33), ("2", 0, 0), ("3", 2, 67)]
    assert few.average == 2.3
    many = table_of("x", list(range(100)))
    assert [row.label for row in many.rows][:2] == ["0 to 12", "13 to 25"]
    assert sum(row.count for row in many.rows) == 100
    mixed = table_of("x", [7, "nobody won"])
    assert [row.label for row in mixed.rows] == ["7", "nobody won"]
    assert table_of("x", ["a", "b", "a"]).rows[0].label == "a"


def test_a_person_sees_how_often_they_won_and_nobody_where_they_keep_it_to_themselves(table: Table) -> None:
    table.finish()
    assert "1 1 100 % " in words(browser().look("/people/ann/"))
    User.objects.filter(username="ann").update(keeps_private=True)
    assert "100 %" not in browser().look("/people/ann/")
