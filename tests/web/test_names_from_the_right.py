"""A name that is read from the right, in sentences that the site makes: news, recaps, titles, other channels."""

from __future__ import annotations

import pytest

from matches.models import Player, clock
from matches.queries.feed import feed
from matches.services import joining
from tests.web.conftest import Table, browser

DANA = "\u2068דנה\u2069"
"""The name between the marks that set it apart (Unicode's FSI and PDI)."""


@pytest.fixture
def table_of_dana(table: Table) -> Table:
    Player.objects.filter(match=table.match, handle="ann").update(name="דנה")
    return table


def test_news_has_it_set_apart(table_of_dana: Table) -> None:
    table_of_dana.finish()
    texts = " ".join(line.text for line in feed(table_of_dana.match, None))
    assert f"won by {DANA}" in texts
    assert "דנה" not in texts.replace(DANA, "")


def test_recaps_and_titles_have_it_set_apart(table_of_dana: Table) -> None:
    table_of_dana.finish()
    url = table_of_dana.url
    assert f"Winner: {DANA}." in browser().look(f"{url}recap/")
    assert f"{DANA} wins" in browser().look(url)


def test_who_joins_is_told_with_it_set_apart(db: None, present: clock.FixedTime) -> None:
    """A mark after the name would stand before it."""
    table = Table(present)
    place = joining.add_player(table.match, "guest", name="דנה")
    answer = browser(table.users["eve"]).post(f"/join/{joining.invitation_of(place)}/", follow=True)
    assert f"You play in “Night table” as {DANA}." in answer.content.decode()
