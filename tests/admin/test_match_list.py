"""The hosts' list of matches, when there are many."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

from matches.models import Match
from tests.admin.conftest import BEGIN, Console
from tests.fixtures.copies import copies_of

LIST = "/admin/matches/match/"
TITLE = re.compile(r"<th[^>]*field-title[^>]*>\s*<a[^>]*>([^<]+)</a>")


@pytest.fixture
def many(console: Console, running: Match, host: Any) -> list[str]:
    """Titles of a host's fifty matches, in the order of the list: the next deadline first."""
    copies = copies_of(running, 49, host=host)
    for number, match in enumerate(copies):
        match.title, match.next_deadline_at = f"table {number}", BEGIN - timedelta(days=1, seconds=number)
    Match.objects.bulk_update(copies, ["title", "next_deadline_at"])
    return [match.title for match in reversed(copies)] + [running.title]


def titles(console: Console, page: int) -> list[str]:
    answer = console.client.get(LIST, {"p": page})
    assert answer.status_code == 200
    return TITLE.findall(answer.content.decode())


def test_pages_follow_one_another_in_order(console: Console, many: list[str]) -> None:
    found = [titles(console, page) for page in (1, 2, 3)]
    assert [len(each) for each in found] == [20, 20, 10]
    assert [title for each in found for title in each] == many
