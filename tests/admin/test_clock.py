"""The console's previews of what a clock will show: in extensions that are paused, and in fast matches."""

from __future__ import annotations

from typing import Any

import pytest

from matches.models import Match
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


class TestUnits:
    """What a person types is never taken for seconds."""

    @pytest.mark.parametrize("typed", ["24", "7.5", " 86400 "])
    def test_a_length_without_a_unit_is_asked_about_at_its_field(self, console: Console, typed: str) -> None:
        answer = console.client.post("/admin/matches/match/add/", settings_form(bid_timer=typed))
        page = text_of(answer)
        assert f"{typed.strip()} of what? Write the unit after it" in page
        assert not Match.objects.exists()
