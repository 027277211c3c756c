"""A rehearsal as a host goes through it: asked for, read, watched, and found to be of other settings."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from matches.admin.rehearsals.hours import dues
from matches.engine.rehearsal import Deadline
from matches.games.registry import all_games
from matches.models import Match, MatchRole, Rehearsal, Role
from matches.models.clock import MatchClock
from matches.services.creation import create_match, update_draft
from matches.services.hosting import start_now
from matches.services.rehearsals import RehearsedPlayer, report_in
from matches.services.rehearsing import BROKEN_OFF, FAILED, TOO_LONG, play_next
from matches.services.roster import PlayerChange, change_players
from tests.admin.conftest import BEGIN, Console, person, text_of, tiny_draft
from tests.fixtures.rehearsed import rehearse

pytestmark = pytest.mark.django_db


def words(page: str) -> str:
    """What a page says, in one line."""
    return " ".join(re.sub("<[^>]+>", " ", page).split())


def ask(console: Console, starts_at: str = "2031-05-18T15:00") -> str:
    """Press the button; the page that follows."""
    sent = {"starts_at": starts_at, "key": f"key-{starts_at}"}
    answer = console.client.post(f"{console.address}/rehearsals/", sent, follow=True)
    return text_of(console.client.get(answer.request["PATH_INFO"]) if play_next() else answer)


def test_from_the_draft_to_the_report_and_the_board(console: Console, tiny: None, host: Any, clock: Any) -> None:
    draft = tiny_draft(console, host, handles="")
    people = [person("ann", time_zone="Asia/Tokyo"), person("bob", time_zone="Europe/Berlin"), None]
    change_players(draft, host, [PlayerChange(None, {"user": each} if each else {"handle": "cat"}) for each in people])
    clock.shift(timedelta(minutes=1))
    assert 'value="rehearsals"' in console.page()
    form = text_of(console.client.get(f"{console.address}/rehearsals/"))
    assert "There is none" in form
    assert 'value="2031-05-18T15:00"' in form

    assert "in the past" in words(ask(console, "2031-05-01T13:00"))
    report = ask(console)
    (made,) = Rehearsal.objects.all()
    said = words(report)
    assert "Settings, players and start are still those of this rehearsal." in said
    # It begins at 13:00 UTC, 15:00 for the host in Berlin, and the lot is sold a day later: at 22:00 in Tokyo.
    assert "Begins Sun 18 May, 13:00 UTC (15:00 your time)" in said
    assert "Mon 19 May, 13:00 UTC (15:00 your time) · 22:00 for ann (Asia/Tokyo)" in said
    assert "20 matches" in said
    assert "Actions: withdraw, buy chips" in said
    assert re.search(r"2 bob \d+ \d+ bid: 1", said)
    assert "cat stand-in" in said
    assert made.seed not in report
    assert words(ask(console)) == said, "the same form again is the same rehearsal"

    board = f"{console.address}/rehearsals/{made.pk}/board/"
    assert f'href="{board}?play=1"' in report
    assert f'href="{board}?at=86400"' in report
    first = text_of(console.client.get(board))
    assert "Rehearsal: only hosts see this page" in first
    assert 'content="2031-05-18T13:00:00+00:00"' in first, "its own time, not the server's"
    assert "sold for None" in first
    assert 'rel="prev"' not in first
    end = text_of(console.client.get(board, {"at": "999999999"}))
    assert re.search(r"sold for \d+", end)
    assert 'rel="next"' not in end
    frame = console.client.get(board, {"at": "86400", "parts": "1", "as": "ann"}).json()
    assert (frame["at"], frame["now"]) == (86400, "2031-05-19T13:00:00+00:00")
    assert frame["parts"]["panel"]
    assert re.search(r"sold for \d+", frame["parts"]["board"])
    for odd in ("-1", "x", "²", "1e9", "nan"):
        assert console.client.get(board, {"at": odd, "parts": "1"}).json()["at"] == 0

    update_draft(draft, host, config={"closes": "3d"})
    report = text_of(console.client.get(f"{console.address}/rehearsals/{made.pk}/"))
    assert "This is no longer the match as it is set up now Settings have changed: " in words(report)
    assert "changed since" in words(text_of(console.client.get(f"{console.address}/rehearsals/")))

    Rehearsal.objects.update(rules_version=99)
    refused = console.client.get(board, follow=True)
    assert "cannot be watched" in text_of(refused)

    start_now(draft, host, "bots")
    assert "Only a match that has not begun can be rehearsed" in words(ask(console))
    assert text_of(console.client.get(f"{console.address}/rehearsals/")).count("<form") < form.count("<form")


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.slug)
def test_every_moment_of_every_game_can_be_watched_through_every_pair_of_eyes(
    console: Console, host: Any, game: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("matches.engine.rehearsal_report.MATCHES", 1)
    match = console.match = create_match(game.slug, "A draft", hosts=(host,))
    made = rehearse(match, host, BEGIN)
    report = report_in(made)
    assert report is not None
    moments = [0, *(each.at for each in report.played.deadlines)]
    board = f"{console.address}/rehearsals/{made.pk}/board/"
    handles = ["", *report.played.done]
    for number, at in enumerate(moments):
        frame = console.client.get(board, {"at": at, "parts": "1", "as": handles[number % len(handles)]}).json()
        assert frame["parts"]["board"]
        assert bool(frame["parts"]["panel"]) == bool(number % len(handles))
    assert words(text_of(console.client.get(f"{console.address}/rehearsals/{made.pk}/")))


def test_deadlines_are_in_everybodys_own_time_also_where_clocks_change() -> None:
    """Berlin's clocks go back on 26 October 2031; New York's a week later."""
    players = [
        RehearsedPlayer("ann", "Ann", "", 0, 0, "person", "America/New_York"),
        RehearsedPlayer("bob", "Bob", "", 0, 0, "bot"),
    ]
    begins = datetime(2031, 10, 25, 4, 30, tzinfo=UTC)
    found = dues(
        [Deadline(86_400 * day, f"Round {day}", "closes") for day in (0, 1, 9)],
        fixed=[0, 86_400],
        players=players,
        times=MatchClock(begins, timedelta()),
        here=ZoneInfo("Europe/Berlin"),
    )
    assert [[(each.moment, each.who) for each in due.elsewhere] for due in found] == [
        [("00:30", "Ann")],
        [("00:30", "Ann")],
        [("Sun 23:30", "Ann")],
    ]
    assert [due.sleepers for due in found] == [("you", "Ann"), ("you", "Ann"), ("you",)]
    assert [due.is_sure for due in found] == [True, True, False]


def test_with_a_usual_hour_deadlines_keep_their_time_of_day_when_the_clocks_change(
    console: Console, tiny: None, host: Any
) -> None:
    """Berlin's clocks go back on the night after the beginning, so that the day has 25 hours."""
    draft = tiny_draft(console, host)
    Match.objects.filter(pk=draft.pk).update(usual_hour="14:00", usual_zone="Europe/Berlin")
    begins = datetime(2031, 10, 25, 12, tzinfo=UTC)
    made = rehearse(draft, host, begins)
    page = words(text_of(console.client.get(f"{console.address}/rehearsals/{made.pk}/")))
    assert "Sun 26 Oct, 13:00 UTC (14:00 your time)" in page
    frame = console.client.get(f"{console.address}/rehearsals/{made.pk}/board/", {"at": 86400, "parts": "1"}).json()
    assert frame["now"] == "2031-10-26T13:00:00+00:00"
    Match.objects.filter(pk=draft.pk).update(usual_hour="")
    page = words(text_of(console.client.get(f"{console.address}/rehearsals/{made.pk}/")))
    assert "The usual hour has changed." in page


def test_observers_read_and_others_find_nothing(console: Console, host: Any, other_host: Any, draft: Match) -> None:
    made = rehearse(draft, host, BEGIN)
    for page in ("", f"{made.pk}/", f"{made.pk}/board/"):
        assert console.client.get(f"{console.address}/rehearsals/{page}").status_code == 200
        stranger = Console(other_host)
        assert stranger.client.get(f"{console.address}/rehearsals/{page}").status_code == 404
    MatchRole.objects.create(match=draft, user=other_host, role=Role.OBSERVER)
    seen = text_of(stranger.client.get(f"{console.address}/rehearsals/{made.pk}/"))
    assert "Watch it" in seen
    assert "Rehearse again" not in seen
    assert stranger.client.post(f"{console.address}/rehearsals/", {"starts_at": "2031-05-18T13:00"}).status_code == 403
    assert console.client.get(f"{console.address}/rehearsals/{made.pk + 1}/").status_code == 404
    other = create_match(draft.game, "Another", hosts=(host,))
    assert console.client.get(f"/admin/matches/match/{other.pk}/rehearsals/{made.pk}/").status_code == 404


def test_the_host_sees_how_far_it_is_and_why_there_is_no_report(console: Console, host: Any, draft: Match) -> None:
    asked = {"starts_at": "2031-05-18T13:00"}
    page = text_of(console.client.post(f"{console.address}/rehearsals/", asked, follow=True))
    made = Rehearsal.objects.get()
    assert "Bots are playing the match, 20 times at most." in words(page)
    assert "rehearsal-waiting" in page
    Rehearsal.objects.update(progress=7)
    address = f"{console.address}/rehearsals/{made.pk}/"
    assert console.client.get(address, {"state": 1}).json() == {"waits": True, "played": 7, "of": 20}
    assert '<progress id="played" max="20" value="7">' in text_of(console.client.get(address))
    assert "is being played" in words(text_of(console.client.get(f"{console.address}/rehearsals/")))
    assert console.client.get(f"{address}board/").status_code == 404
    refused = text_of(console.client.post(f"{console.address}/rehearsals/", asked))
    assert "This match is being rehearsed at this moment." in refused

    for problem in (TOO_LONG, FAILED, BROKEN_OFF):
        Rehearsal.objects.update(problem=problem)
        page = text_of(console.client.get(address))
        assert problem in page
        assert "Rehearse again" in page
        assert "rehearsal-waiting" not in page
        assert not console.client.get(address, {"state": 1}).json()["waits"]
    assert "has no report" in words(text_of(console.client.get(f"{console.address}/rehearsals/")))
