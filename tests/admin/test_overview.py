"""The overview of all matches of a host: what each needs, who is missing, and a cost that does not grow."""

from datetime import timedelta
from typing import Any

import pytest

from matches.models import Match, clock
from matches.pages import desk
from matches.services import hosting
from matches.services.absences import note_away
from matches.services.creation import create_match
from matches.services.group.queue import submit
from matches.services.questions import ask_hosts
from tests.admin.conftest import Console, browser_of, text_of

pytestmark = pytest.mark.django_db

ADDRESS = "/admin/matches/match/overview/"


def overview(user: Any, **headers: str) -> str:
    answer = browser_of(user).get(ADDRESS, **headers)
    assert answer.status_code == 200
    return text_of(answer)


def entry_of(user: Any, match: Match) -> desk.Entry:
    return next(entry for entry in desk.entries_for(user) if entry.title == match.title)


def test_it_says_of_each_match_what_is_going_on_and_what_is_asked(
    console: Console, running: Match, players: list[Any], host: Any, other_host: Any
) -> None:
    entry = entry_of(host, running)
    assert (entry.role, entry.status, entry.where) == ("Owner", "Running", "Before the auction")
    assert entry.missing == ("ann", "bob", "cat")
    assert entry.until == running.next_deadline_at
    assert not entry.needs
    page = overview(host)
    assert "Nothing is waiting for a host now." in page
    assert f'data-deadline="{entry.until.isoformat()}"' in page
    assert "UTC" in page

    submit(running.pk, players[0].pk, {"type": "bid", "seat": "W", "amount": 17})
    ask_hosts(running.pk, players[1].pk, "May I?")
    Match.objects.filter(pk=running.pk).update(fault="It broke <at> seat 17")
    draft = create_match(running.game, "Later on", by=host)
    entry = entry_of(host, running)
    assert entry.missing == ("bob", "cat")
    assert [need.text for need in entry.needs] == ["an action failed; the match goes on", "1 question from players"]
    assert [each.title for each in desk.entries_for(host)] == [running.title, draft.title], "the most urgent first"
    page = overview(host)
    assert "2 things are waiting for a host." in page
    assert "Missing: bob, cat" in page.replace("\n", " ")
    assert "seat 17" not in page, "a fault's own words may quote what is sealed"

    place, now = running.players.get(handle="cat"), clock.now()
    note_away(running, host, place, now, now + timedelta(days=1))
    assert entry_of(host, running).missing == ("bob",), "nobody waits for somebody whom a host has excused"

    # Nobody else has it: not a player, not another host, not an administrator who was not named.
    assert not desk.entries_for(players[0])
    assert running.title not in overview(other_host)
    hosting.set_roles(running, host, [host], observers=[other_host])
    assert entry_of(other_host, running).role == "Observer"
    assert browser_of(players[0]).get(ADDRESS).status_code == 302
