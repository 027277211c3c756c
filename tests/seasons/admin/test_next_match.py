"""The next match of a season, while its members are still in another."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from matches.models import Match
from tests.seasons.admin.conftest import SeasonDesk, text_of
from tests.seasons.played import HOST, three_matches

pytestmark = pytest.mark.django_db


def test_what_the_season_would_refuse_is_said_before_anything_is_made_or_published(clock: Any) -> None:
    season = three_matches(end=False)
    desk = SeasonDesk(User.objects.get(username=HOST), season)
    busy = "plays in another match of the season"
    assert "must finish another match" in text_of(desk.client.get(f"{desk.address}/next/"))
    typed = {"game": "coin_collectors", "title": "Fourth", "players": ["ann", "bob", "dan", "eve"]}
    assert busy in text_of(desk.client.post(f"{desk.address}/next/", typed))
    assert not Match.objects.filter(title="Fourth").exists()

    desk.client.post(f"{desk.address}/next/", {**typed, "_draft": "1"})
    draft = Match.objects.get(title="Fourth")
    address = f"/admin/matches/match/{draft.pk}/do"
    tomorrow = f"{timezone.localtime() + timedelta(days=1):%Y-%m-%dT%H:%M}"
    published = desk.client.post(f"{address}/publish/", {"starts_at": tomorrow})
    for asked in (text_of(published), text_of(desk.client.get(f"{address}/start/"))):
        assert busy in asked, asked
        assert "What will happen" not in asked
