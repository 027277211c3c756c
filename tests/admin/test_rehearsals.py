"""A rehearsal as a host goes through it: asked for, read, watched, and found to be of other settings."""

import re
from datetime import timedelta
from typing import Any

import pytest

from matches.models import Match, MatchRole, Rehearsal, Role
from matches.services.hosting import start_now
from matches.services.rehearsals import play_next
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


def test_from_the_draft_to_the_report(console: Console, tiny: None, host: Any, clock: Any) -> None:
    draft = tiny_draft(console, host, handles="")
    people = [person("ann", time_zone="Asia/Tokyo"), person("bob", time_zone="Europe/Berlin"), None]
    change_players(draft, host, [PlayerChange(None, {"user": each} if each else {"handle": "cat"}) for each in people])
    clock.shift(timedelta(minutes=1))
    assert 'value="rehearsals"' in console.page()
    form = text_of(console.client.get(f"{console.address}/rehearsals/"))
    assert "Nobody has rehearsed this match yet" in form
    assert 'value="2031-05-18T15:00"' in form

    assert "in the past" in words(ask(console, "2031-05-01T13:00"))
    report = ask(console)
    (made,) = Rehearsal.objects.all()
    said = words(report)
    # It begins at 13:00 UTC, 15:00 for the host in Berlin, and the lot is sold a day later.
    assert "Begins Sun 18 May, 13:00 UTC (15:00 your time)" in said
    assert "Mon 19 May, 13:00 UTC (15:00 your time)" in said
    assert "20 matches" in said
    assert "withdraw, buy chips" in said
    assert re.search(r"2 bob \d+ \d+ bid: 1", said)
    assert "cat stand-in" in said
    assert made.seed not in report
    assert words(ask(console)) == said, "the same form again is the same rehearsal"

    start_now(draft, host, "bots")
    assert "You can rehearse only a match that has not begun" in words(ask(console))
    assert "Summary, " in text_of(console.client.get(f"{console.address}/rehearsals/"))


def test_observers_read_and_others_find_nothing(console: Console, host: Any, other_host: Any, draft: Match) -> None:
    rehearse(draft, host, BEGIN)
    stranger = Console(other_host)
    assert console.client.get(f"{console.address}/rehearsals/").status_code == 200
    assert stranger.client.get(f"{console.address}/rehearsals/").status_code == 404
    MatchRole.objects.create(match=draft, user=other_host, role=Role.OBSERVER)
    seen = text_of(stranger.client.get(f"{console.address}/rehearsals/"))
    assert "Summary, " in seen
    assert 'name="starts_at"' not in seen
    assert stranger.client.post(f"{console.address}/rehearsals/", {"starts_at": "2031-05-18T13:00"}).status_code == 403
