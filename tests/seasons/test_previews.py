"""What a link to a season's pages shows in a chat."""

import re
from datetime import UTC, datetime
from html import unescape

import pytest
from django.test import Client

from accounts.models import User
from matches.models import clock
from seasons.services import running
from seasons.services.cast import add_member
from seasons.services.drafts import create_season

START = datetime(2031, 5, 17, 13, tzinfo=UTC)

pytestmark = pytest.mark.django_db


def test_it_shows_nothing_that_only_some_know() -> None:
    """A correction is told to its member alone, until the next match is settled: everybody gets the same preview."""
    host = User.objects.create_user("holly", is_staff=True)
    season = create_season("Autumn", host)
    for name in ("ann", "bob", "cat", "dan"):
        add_member(season, host, name, user=User.objects.create_user(name))

    def tags(name: str = "") -> dict[str, str]:
        client = Client()
        if name:
            client.force_login(User.objects.get(username=name))
        page = client.get(season.get_absolute_url()).content.decode()
        found = re.findall(r'<meta property="(og:[^"]+)"\s+content="([^"]*)"', page)
        return {key: unescape(content) for key, content in found}

    with clock.fixed(START):
        assert tags("holly") == {}, "nobody passes a draft on"
        running.begin(season, host)
        before = tags()
        assert before["og:title"].startswith("Autumn · ")
        assert "4 of 4 members still in" in before["og:description"]
        assert before["og:image"].startswith("http")
        running.command(season, host, {"correct": {"player": "ann", "asset": "garnet", "amount": 7}, "reason": "Quiz."})
        assert tags() == tags("ann") == tags("holly") == before
