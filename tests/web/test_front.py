"""The front page and the lists: a newcomer understands, a player finds what is asked."""

from __future__ import annotations

from datetime import timedelta

import pytest

from matches.models import Match
from matches.models.clock import FixedTime
from matches.services import joining
from matches.services.hosting import publish
from tests.fixtures.any_game import SLUG
from tests.fixtures.present import START
from tests.web.conftest import Table, browser


def test_my_matches_says_what_is_asked_and_until_when(table: Table) -> None:
    page = browser(table.users["ann"]).look("/me/")
    assert "You can make one sealed bid" in page
    assert "Mon 2 Mar, 13:00 UTC" in page
    assert "You may move" in page
    assert "You can make one sealed bid" in browser(table.users["ann"]).look("/")
    assert "You have no matches yet" in browser(table.users["eve"]).look("/me/")


# -- joining -----------------------------------------------------------------------------------------


@pytest.fixture
def coming(db: None, present: FixedTime) -> Table:
    """A match that begins in a day; anyone may join, one place of four is left."""
    table = Table(present)
    Match.objects.filter(pk=table.match_id).update(joining=Match.Joining.OPEN, places=4)
    publish(table.match, table.users["dora"], START + timedelta(days=1))
    return table


def test_a_games_page_begins_with_the_tables_that_can_be_joined(coming: Table) -> None:
    page = browser(coming.users["eve"]).look(f"/games/{SLUG}/")
    assert (
        page.index("Join a match")
        < page.index("Night table")
        < page.index("Running now")
        < page.index("These are the usual numbers")
    )
    assert "free place now" not in page


def test_the_front_page_asks_first_then_offers_places_then_shows_what_runs(coming: Table, present: FixedTime) -> None:
    running = Table(present).open()
    page = browser(running.users["ann"]).look("/")
    assert page.index("Your move") < page.index("Running now")
    page = browser(running.users["eve"]).look("/")
    assert page.index("Join a match") < page.index("Running now")


def test_anyone_who_is_signed_in_takes_a_place_and_gives_it_back(coming: Table) -> None:
    eve = browser(coming.users["eve"])
    assert "Play in this match" in eve.look(coming.url)
    assert "3 of 4 places are taken." in eve.look(coming.url)
    eve.post(f"{coming.url}join/")
    page = eve.look(coming.url)
    assert "You have a place" in page
    assert "Play in this match" not in page
    eve.post(f"{coming.url}leave/")
    assert "Play in this match" in eve.look(coming.url)


def test_hosts_and_latecomers_are_refused_in_words(coming: Table) -> None:
    dora = browser(coming.users["dora"])
    assert "Play in this match" not in dora.look(coming.url)
    assert (
        "dora hosts this match, and a host never plays in it."
        in dora.post(f"{coming.url}join/", follow=True).content.decode()
    )
    joining.join(coming.match, coming.users["eve"])
    zoe = Table._person("zoe")
    assert "All places are taken." in browser(zoe).post(f"{coming.url}join/", follow=True).content.decode()


# -- invitations -------------------------------------------------------------------------------------


@pytest.fixture
def invitation(db: None, present: FixedTime) -> str:
    table = Table(present)
    return f"/join/{joining.invitation_of(joining.add_player(table.match, 'guest'))}/"


def test_an_invitation_shows_its_match_and_is_good_once(invitation: str) -> None:
    assert "You are invited to “Night table”" in browser().look(invitation)
    zoe, yan = Table._person("zoe"), Table._person("yan")
    answer = browser(zoe).post(invitation, follow=True)
    assert "You play in “Night table” as " in answer.content.decode()
    gone = browser(yan).get(invitation)
    assert gone.status_code == 410
    assert "This invitation no longer works" in gone.content.decode()
