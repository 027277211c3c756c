"""One match whose rules cannot show it, because they have a fault or somebody has damaged its row, hides no other: the
front page, all lists, feeds and calendars stay. Its own pages, and programs, are told why nothing is shown."""

from collections.abc import Callable
from typing import Any

import pytest

from matches.models import Match, clock
from matches.queries.access import NOT_SHOWN
from matches.services.creation import create_match
from matches.services.hosting import publish
from matches.services.joining import add_player
from notices.calendars import make_address
from tests.fixtures.any_game import GAME, SLUG, SMALL
from tests.web.conftest import NAMES, Table, browser

Break = Callable[[pytest.MonkeyPatch, Match], None]


def _damaged(monkeypatch: pytest.MonkeyPatch, match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(state="{}")


def _fails(name: str) -> Break:
    """Rules that fail with the state of this match, and no other."""

    def of(monkeypatch: pytest.MonkeyPatch, match: Match) -> None:
        asked, bad = getattr(GAME, name), GAME.decode_state(match.state)

        def ask(state: Any, *rest: Any) -> Any:
            if state == bad:
                raise ZeroDivisionError
            return asked(state, *rest)

        monkeypatch.setattr(GAME, name, ask)

    return of


WAYS = {
    "damaged": _damaged,
    "no public view": _fails("public_view"),
    "no private view": _fails("private_view"),
}


@pytest.fixture
def sound(auction: Table) -> Match:
    """Another match of the same people, beside the one that is to break."""
    match = create_match(SLUG, "Sound table", hosts=(auction.users["dora"],), config=SMALL)
    for name in NAMES:
        add_player(match, name, user=auction.users[name], garnets=6)
    publish(match, auction.users["dora"])
    return Match.objects.get(pk=match.pk)


PAGES = ("", "parts/", "rules/", "history/", "news/", "result/", "log/", "replay/", "talk/", "picture.png", "feed.atom")
API = ("", "feed/", "history/", "log/", "export/", "players/", "replay/", "notes/")


@pytest.mark.parametrize("way", WAYS)
def test_its_own_pages_say_that_it_cannot_be_shown(way: str, auction: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    WAYS[way](monkeypatch, auction.match)
    for name in (None, "ann", "dora"):
        client = browser(auction.users[name] if name else None)
        answers = {suffix: client.get(auction.url + suffix) for suffix in PAGES}
        assert not [suffix for suffix, answer in answers.items() if answer.status_code == 500], name
        if way != "no private view" or name == "ann":
            page = client.look(auction.url, 503)
            assert NOT_SHOWN in page
            assert auction.match.title in page
            assert ("Open its console" in page) == (name == "dora")
    if way == "damaged":  # the others fail with the position before it alone
        act = {"type": "buy_chips", "count": "1", "key": "k"}
        assert browser(auction.users["ann"]).post(auction.url + "act/", act).status_code == 503


@pytest.mark.parametrize("way", WAYS)
def test_programs_get_a_code_of_their_own(way: str, auction: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    WAYS[way](monkeypatch, auction.match)
    ann, api = browser(auction.users["ann"]), f"/api/v1/matches/{auction.match.public_id}/"
    answers = {suffix: ann.get(api + suffix) for suffix in API}
    assert not [suffix for suffix, answer in answers.items() if answer.status_code == 500]
    assert answers[""].status_code == 503
    assert answers[""].json() == {"code": "match_illegible", "message": NOT_SHOWN} | answers[""].json()


def test_a_draft_is_not_betrayed_by_that(auction: Table) -> None:
    """Who may not see a match gets what they get for one that does not exist."""
    Match.objects.filter(pk=auction.match_id).update(state="{}", status=Match.Status.DRAFT)
    assert NOT_SHOWN not in browser().look(auction.url, 404)


@pytest.mark.parametrize("way", WAYS)
def test_lists_show_it_by_its_title_and_everything_else(
    way: str, auction: Table, sound: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    WAYS[way](monkeypatch, auction.match)
    for name in (None, "ann", "dora"):
        client = browser(auction.users[name] if name else None)
        addresses = ["/", "/matches/", f"/games/{SLUG}/", *(["/me/", "/me/all/"] if name == "ann" else [])]
        for address in addresses:
            page = client.look(address)
            assert sound.title in page, (name, address)
            assert auction.match.title in page, (name, address)
    mine = browser(auction.users["ann"]).get("/api/v1/me/matches/").json()["matches"]
    assert {each["match"]["title"] for each in mine} == {sound.title, auction.match.title}
    calendar = browser().look(f"/calendar/{make_address(auction.users['ann']).secret}.ics")
    assert sound.title in calendar


def test_results_of_others_stay(table: Table, present: clock.FixedTime, monkeypatch: pytest.MonkeyPatch) -> None:
    table.finish()
    other = Table(present).open().at(24 * 20)
    Match.objects.filter(pk=other.match_id).update(title="Broken table", state="{}")
    assert other.match.status == Match.Status.FINISHED
    results = browser().look("/results.atom")
    assert "Night table" in results
    assert "Broken table" in results
    assert "Broken table" in browser().look("/matches/?state=finished")
