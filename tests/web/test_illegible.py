"""One match whose rules cannot show it, because they have a fault or somebody has damaged its row, hides no other: the
front page, all lists, feeds and calendars stay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from feeds.calendars.addresses import make_address
from matches.models import Match, clock
from matches.services.creation import create_match
from matches.services.hosting import publish
from matches.services.joining import add_player
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
    calendar = browser().look(f"/calendar/{make_address(auction.users['ann'], None).secret}.ics")
    assert sound.title in calendar


def test_results_and_statistics_of_others_stay(
    table: Table, present: clock.FixedTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.finish()
    other = Table(present).open().at(24 * 20)
    Match.objects.filter(pk=other.match_id).update(title="Broken table", state="{}")
    assert other.match.status == Match.Status.FINISHED
    results = browser().look("/results.atom")
    assert "Night table" in results
    assert "Broken table" in results
    assert "Broken table" in browser().look("/matches/?state=finished")
    assert browser().look(f"/games/{SLUG}/statistics/")
