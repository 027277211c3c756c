"""A season's usual hour is that of its matches, unless they are given their own."""

from __future__ import annotations

from datetime import time
from typing import Any

import pytest

from seasons.models import Season
from seasons.services import drafting, running
from tests.fixtures.any_game import SLUG
from tests.services.conftest import person

pytestmark = pytest.mark.django_db


def test_matches_of_a_season_have_its_usual_hour(present: Any) -> None:
    host = person("hanna", is_staff=True)
    season = drafting.create_season("Spring", host, usual_hour=time(21, 0), zone="Europe/Berlin")
    for handle in ("ann", "bob", "cat"):
        drafting.add_member(season, host, handle, is_bot=True)
    running.begin(season, host)
    match = running.add_match(Season.objects.get(pk=season.pk), host, SLUG)
    assert str(match.hour) == "21:00 in Europe/Berlin"
    own = running.add_match(season, host, SLUG, usual_hour="", usual_zone="")
    assert own.hour is None
