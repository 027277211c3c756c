"""A form that is sent twice, by a double click or by the browser, counts once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from accounts.forms import MOST_LIVING_TOKENS
from accounts.models import ApiToken
from matches.models import Match, clock
from matches.services import joining
from matches.services.joining import add_player
from tests.access.cast import START, Cast, cast_at
from tests.fixtures.any_game import SLUG

AT_ONCE = 20


@pytest.fixture
def cast(db: None) -> Iterator[Cast]:
    with cast_at(START) as cast:
        yield cast


def hidden(page: str, name: str) -> str:
    """What the page put into a hidden field of its form."""
    found = re.search(rf'<input type="hidden" name="{name}" value="([^"]+)"', page)
    assert found, f"there is no {name}"
    return found[1]


def test_a_new_match_saved_twice_is_one_match(cast: Cast) -> None:
    browser = cast.browser("host")
    page = browser.get(f"/admin/matches/match/add/?game={SLUG}").content.decode()
    form = {
        "game": SLUG,
        "title": "Twice",
        "description": "",
        "joining": "invited",
        "places": "8",
        "open_places": "wait",
    }
    form |= {"key": hidden(page, "key"), "_save": "Save"}
    first, second = (browser.post("/admin/matches/match/add/", form) for _ in range(2))
    assert Match.objects.filter(title="Twice").count() == 1
    assert first["Location"] == second["Location"]
    another = browser.post("/admin/matches/match/add/", {**form, "key": "another"})
    assert another["Location"] != first["Location"]


def test_a_switch_confirmed_twice_is_switched_once(cast: Cast) -> None:
    match, browser = cast.matches["open"], cast.browser("host")
    url = f"/admin/matches/match/{match.pk}/do/blood/"
    form = {"key": hidden(browser.get(url).content.decode(), "key"), "_confirm": "1"}
    for _ in range(2):
        assert browser.post(url, form).status_code == 302
    match.refresh_from_db()
    assert match.blood_garnets


def test_an_invitation_accepted_twice_leads_to_the_match(cast: Cast) -> None:
    draft, browser = cast.matches["draft"], cast.browser("stranger")
    code = joining.invitation_of(add_player(draft, "free"))
    for _ in range(2):
        answer = browser.post(f"/join/{code}/")
        assert (answer.status_code, answer["Location"]) == (302, draft.get_absolute_url())
    assert cast.browser("elsewhere").get(f"/join/{code}/").status_code == 410
    assert draft.players.filter(user=cast.people["stranger"]).count() == 1


# -- many at once, in threads with connections of their own ---------------------------------------------


@pytest.fixture
def crowd(transactional_db: Any) -> Iterator[Cast]:
    with clock.fixed(START):
        yield Cast()


def at_once(post: Any) -> list[Any]:
    """The answers to as many equal requests as fit into one moment. It is the present that everybody has, as for the
    thread that judges actions: times stand still for one thread alone."""
    barrier = Barrier(AT_ONCE)

    def one(_: int) -> Any:
        try:
            barrier.wait(20)
            return post()
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as threads:
        return list(threads.map(one, range(AT_ONCE)))


def twin_of(browser: Client) -> Client:
    twin = Client()
    twin.cookies = browser.cookies
    return twin


@pytest.mark.both
def test_equal_bids_at_once_are_one_bid(crowd: Cast) -> None:
    match, browser = crowd.matches["open"], crowd.browser("player")
    rows = match.log.count()
    url, form = (
        f"{match.get_absolute_url()}act/",
        {"type": "bid", "seat": "Z", "amount": "3", "key": "the same"},
    )
    answers = at_once(lambda: twin_of(browser).post(url, form))
    assert {answer.status_code for answer in answers} == {302}
    assert match.log.count() == rows + 1


@pytest.mark.both
def test_nobody_gets_more_tokens_than_the_most_by_asking_at_once(crowd: Cast) -> None:
    browser = crowd.browser("player")
    for number in range(MOST_LIVING_TOKENS - 3):
        ApiToken.issue(crowd.people["player"], f"{number}")
    answers = at_once(
        lambda: twin_of(browser).post("/profile/tokens/", {"name": "one more", "scope": "act", "days": 90})
    )
    assert {answer.status_code for answer in answers} == {200}
    assert ApiToken.objects.filter(user=crowd.people["player"]).count() == MOST_LIVING_TOKENS
