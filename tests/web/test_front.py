"""The front page and the lists: a newcomer understands, a player finds what is asked."""

from __future__ import annotations

from datetime import timedelta

import pytest

from matches.games.registry import all_games
from matches.models import Match
from matches.models.clock import FixedTime
from matches.services import joining
from matches.services.hosting import publish
from tests.fixtures.any_game import SLUG
from tests.fixtures.present import START
from tests.web.conftest import Table, browser


def test_a_newcomer_reads_what_this_is_and_what_to_do(auction: Table) -> None:
    page = browser().look("/")
    for words in ("auction games of hidden information", "Sign up", "Watch", "Join", "Night table"):
        assert words in page
    assert "has the lowest bid: <strong>4</strong> on Y" in page


def test_an_empty_house_says_so(db: None) -> None:
    page = browser().look("/")
    assert "No match is running" in page
    assert "Nothing is set up yet." in page
    assert "There is no such match" in browser().look("/matches/?state=finished")


def test_my_matches_says_what_is_asked_and_until_when(table: Table) -> None:
    page = browser(table.users["ann"]).look("/me/")
    assert "You can make one sealed bid" in page
    assert "Mon 2 Mar, 13:00 UTC" in page
    assert "match-card--asks" in page
    assert "You can make one sealed bid" in browser(table.users["ann"]).look("/")
    assert "You have no match yet" in browser(table.users["eve"]).look("/me/")


def test_my_matches_needs_a_sign_in(db: None) -> None:
    answer = browser().get("/me/")
    assert answer.status_code == 302
    assert answer["Location"] == "/accounts/login/?next=/me/"


def test_lists_are_filtered_by_state_and_game(auction: Table) -> None:
    assert "Night table" in browser().look("/matches/")
    assert "Night table" in browser().look(f"/matches/?state=running&game={SLUG}")
    assert "Night table" not in browser().look("/matches/?state=coming")


def test_drafts_are_on_no_list(db: None, present: FixedTime) -> None:
    Table(present)
    for url in ("/", "/matches/", f"/games/{SLUG}/"):
        assert "Night table" not in browser().look(url)


def test_each_game_has_a_page_in_its_own_words(db: None) -> None:
    page = browser().look("/games/")
    for game in all_games().values():
        assert game.title in page
        own = browser().look(f"/games/{game.slug}/")
        assert game.summary in own
        assert f"Designed by {' and '.join(game.designers)}." in own
        assert own.index("No match of this game has a free place now") < own.index("With the usual numbers")
        assert '<svg class="shape"' in own
    browser().look("/games/nothing/", 404)


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
        page.index("Take a place")
        < page.index("Night table")
        < page.index("Running now")
        < page.index("With the usual numbers")
    )
    assert "free place now" not in page


def test_the_front_page_asks_first_then_offers_places_then_shows_what_runs(coming: Table, present: FixedTime) -> None:
    running = Table(present).open()
    page = browser(running.users["ann"]).look("/")
    assert page.index("You are asked") < page.index("Running now")
    page = browser(running.users["eve"]).look("/")
    assert page.index("Take a place") < page.index("Running now")


def test_anyone_who_is_signed_in_takes_a_place_and_gives_it_back(coming: Table) -> None:
    eve = browser(coming.users["eve"])
    assert "Take a place" in eve.look(coming.url)
    assert "3 of 4 places are taken." in eve.look(coming.url)
    eve.post(f"{coming.url}join/")
    page = eve.look(coming.url)
    assert "You have a place" in page
    assert "Take a place" not in page
    eve.post(f"{coming.url}leave/")
    assert "Take a place" in eve.look(coming.url)


def test_a_visitor_is_sent_to_sign_up_and_back(coming: Table) -> None:
    assert f"/accounts/signup/?next={coming.url}" in browser().look(coming.url)
    assert browser().post(f"{coming.url}join/").status_code == 302


def test_hosts_and_latecomers_are_refused_in_words(coming: Table) -> None:
    dora = browser(coming.users["dora"])
    assert "Take a place" not in dora.look(coming.url)
    assert (
        "dora hosts this match, and a host never plays in it."
        in dora.post(f"{coming.url}join/", follow=True).content.decode()
    )
    joining.join(coming.match, coming.users["eve"])
    zoe = Table._person("zoe")
    assert "All places are taken." in browser(zoe).post(f"{coming.url}join/", follow=True).content.decode()


def test_the_start_is_told_in_utc_and_counts_down(coming: Table) -> None:
    page = browser().look(coming.url)
    assert "begins" in page
    assert "Mon 2 Mar, 14:00 UTC" in page
    assert "in 24 h" in page


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


def test_a_visitor_cannot_take_an_invitation_without_an_account(invitation: str) -> None:
    assert "Sign up and play" in browser().post(invitation).content.decode()
    assert "You are invited" in browser().look(invitation)


def test_a_player_cannot_take_a_second_place(invitation: str) -> None:
    ann = Table._person("ann")
    assert "You play in this match already." in browser(ann).post(invitation, follow=True).content.decode()


@pytest.mark.parametrize("code", ["x", "a:b:c", "eyJ", "'", "😀"])
def test_a_code_that_nobody_made_is_gone(db: None, code: str) -> None:
    assert browser().get(f"/join/{code}/").status_code == 410
