"""The console's previews of what a clock will show: in extensions that are paused, and in fast matches."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from matches.models import Match
from matches.services.hosting import extend, undo
from tests.admin.conftest import Console, settings_form, text_of


@pytest.fixture
def fast(console: Console, draft: Match, players: list[Any]) -> Match:
    """A match that runs eight times as fast: its first deadline, after 24 h of match time, comes after 3 h."""
    Match.objects.filter(pk=draft.pk).update(speed=8)
    console.save_players([{"person": user.username} for user in players])
    console.do("start")
    return draft


def test_resuming_in_an_extension_says_when_the_deadline_will_really_come(
    console: Console, running: Match, later: Any
) -> None:
    console.do("extend", by="3h", reason="")
    later(hours=1)
    console.do("pause", reason="")
    later(hours=1)
    # 24 h are left of the clock, and 2 h of the extension.
    said = "The next deadline is then Sun 18 May, 17:00 UTC"
    assert said in console.ask("resume")
    assert "Sun 18 May, 16:00 UTC" not in console.ask("resume")
    console.do("resume")
    assert "Sun 18 May, 17:00 UTC" in console.page()


def test_extending_a_fast_match_says_when_its_deadline_will_really_come(console: Console, fast: Match) -> None:
    asked = console.ask("extend", by="16h", reason="")
    assert "Every deadline comes 2 h (16 h of match time) later" in asked
    assert "The next deadline is then Sat 17 May, 18:00 UTC (20:00 your time)." in asked
    assert "As it is now, the next one would come Sat 17 May, 16:00 UTC" in asked
    page = console.do("extend", by="16h", reason="")
    assert "The next deadline is Sat 17 May, 18:00 UTC" in page


def test_an_extension_until_an_instant_ends_at_it_in_a_fast_match_too(console: Console, fast: Match) -> None:
    until = datetime(2031, 5, 17, 20, 30, tzinfo=UTC)
    host = fast.hosts.get()
    extend(fast, host, until=until)
    fast.refresh_from_db()
    assert fast.next_deadline_at == until
    undo(fast, host, fast.log.latest("number").number)
    fast.refresh_from_db()
    assert fast.next_deadline_at == datetime(2031, 5, 17, 16, tzinfo=UTC)


def test_the_console_says_how_long_a_fast_matchs_spans_really_are(console: Console, fast: Match) -> None:
    assert "3 h (24 h of match time)" in console.page()
    form = text_of(console.client.get(f"{console.address}/do/extend/"))
    assert "of match time, which runs 8 times as fast" in form


def test_a_preview_counts_down_in_real_time(console: Console, fast: Match) -> None:
    page = text_of(console.client.get(f"{console.address}/preview/"))
    assert "opens Sat 17 May, 16:00 UTC" in " ".join(page.split()) or "2031-05-17T16:00:00+00:00" in page
    assert "after 3 h (24 h of match time)" in page


class TestUnits:
    """What a person types is never taken for seconds."""

    @pytest.mark.parametrize("typed", ["24", "7.5", " 86400 "])
    def test_a_length_without_a_unit_is_asked_about_at_its_field(self, console: Console, typed: str) -> None:
        answer = console.client.post("/admin/matches/match/add/", settings_form(bid_timer=typed))
        page = text_of(answer)
        assert f"{typed.strip()} of what? Write the unit after it" in page
        assert not Match.objects.exists()

    def test_an_extension_without_a_unit_too(self, console: Console, running: Match) -> None:
        assert "24 of what? Write the unit after it" in console.ask("extend", by="24", reason="")

    def test_what_is_understood_nowhere_is_not_offered_bare_seconds(self, console: Console, running: Match) -> None:
        page = console.ask("extend", by="soon", reason="")
        assert "'soon' is not a time" in page
        assert "number of seconds" not in page

    def test_seconds_in_a_stored_config_are_shown_with_their_unit_and_come_back_the_same(
        self, console: Console, draft: Match
    ) -> None:
        Match.objects.filter(pk=draft.pk).update(config={"bid_timer": 5400, "pregame": 90.5})
        page = text_of(console.client.get(f"{console.address}/settings/"))
        assert 'value="1h30m"' in page
        assert 'value="90.5 seconds"' in page
        sent = settings_form(bid_timer="1h30m", pregame="90.5 seconds")
        assert console.client.post(f"{console.address}/settings/", sent).status_code == 302
        draft.refresh_from_db()
        assert draft.rules.read_config(draft.config) == draft.rules.read_config({"bid_timer": 5400, "pregame": 90.5})
