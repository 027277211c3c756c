"""A host sets a usual hour and moves the clock by it; one action pauses all of a host's matches."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from matches.models import Match
from matches.services.replay import verify
from tests.admin.conftest import Console, settings_form, text_of
from tests.fixtures.any_game import SLUG

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ALL = "/admin/matches/match"


def choice(page: str, words: str) -> str:
    """The value of a radio button with these words."""
    found = re.search(rf'type="radio" name="\w+" value="([^"]+)"[^>]*>\s*{re.escape(words)}', page)
    assert found, page
    return found[1]


def test_a_match_by_its_usual_hour_from_the_draft_to_the_end_of_a_pause(
    console: Console, host: Any, players: list[Any], later: Any
) -> None:
    form = text_of(console.client.get(f"/admin/matches/match/add/?game={SLUG}"))
    assert re.search(r'name="usual_hour"(?![^>]* value=)', form), "none is meant unless a host types one"
    assert '<option value="Europe/Berlin" selected>' in form
    for wrong, zone in (("25:00", "Europe/Berlin"), ("21:00", "")):
        sent = settings_form() | {"usual_hour": wrong, "usual_zone": zone}
        assert "time" in text_of(console.client.post("/admin/matches/match/add/", sent))
    assert not Match.objects.exists()
    match = console.create(usual_hour="21:00", usual_zone="Europe/Berlin")
    console.save_players([{"person": user.username} for user in players])

    asked = text_of(console.client.get(f"{console.address}/do/publish/"))
    assert "It begins by itself Sat 17 May, 19:00 UTC (21:00 your time)" in asked, "the next usual hour"
    sent = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', asked)) | {"_back": "1"}
    form = text_of(console.client.post(f"{console.address}/do/publish/", sent))
    assert 'value="2031-05-17T21:00' in form, "in the host's zone, for those who want another"
    asked = console.ask("publish", starts_at="2031-05-17T21:30", open_places="wait")
    assert "It does not begin at its usual hour, 21:00 in Europe/Berlin" in asked
    console.do("publish", starts_at="2031-05-17T21:00", open_places="wait")
    later(hours=10)  # 23:00 UTC; the pregame ends on Sunday 19:00 UTC
    first = datetime(2031, 5, 18, 19, tzinfo=UTC)
    console.match.refresh_from_db()
    assert console.match.next_deadline_at == first

    form = text_of(console.client.get(f"{console.address}/do/extend/"))
    value = choice(form, "Comes at the next usual hour: Mon 19 May, 19:00 UTC (21:00 your time)")
    asked = console.ask("extend", when=value, by="2h", reason="")
    assert "The next deadline is then Mon 19 May, 19:00 UTC (21:00 your time)" in asked
    assert "The next deadline is Mon 19 May, 19:00 UTC" in console.do("extend", when=value, at="", reason="")
    assert "this choice is gone" in console.ask("extend", when=value, reason=""), "the deadline has moved"
    assert "after the current deadline" in console.ask("extend", when="at", at="2031-05-19T20:00", reason="")
    console.do("extend", at="2031-05-19T22:00", reason="")  # whoever types a time means it
    assert console.match.next_deadline_at == first + DAY + HOUR

    assert "ambiguous or it may not exist" in console.ask("pause", when="at", at="2031-10-26T02:30", reason="")
    assert "at most 30 days" in console.ask("pause", when="at", at="2031-08-26T02:30", reason="")
    console.do("pause", when="at", at="2031-05-18T12:00", reason="A storm.")
    assert "resumes" in console.page()
    page = text_of(console.client.get(match.get_absolute_url()))
    assert "2031-05-18T10:00:00+00:00" in page, "everybody sees when it goes on"
    assert "Usual hour: 21:00 in Europe/Berlin" in " ".join(page.split())
    form = text_of(console.client.get(f"{console.address}/do/resume/"))
    value = choice(form, "By itself at the next usual hour: Sun 18 May, 19:00 UTC (21:00 your time)")
    assert "It resumes by itself" not in console.do("resume", when=value)
    later(hours=21)
    console.match.refresh_from_db()
    assert (console.match.status, console.match.anchor_at > first) == ("open", True)

    console.do("close", later="hour", reason="")
    console.match.refresh_from_db()
    assert console.match.next_deadline_at.astimezone(UTC).hour == 19
    assert verify(console.match) == []
