"""The demo's season of several matches, with standings, statements and a match that goes on."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from matches.demo import people
from matches.models import Match, clock
from matches.services.replay import verify as verify_match
from seasons import demo
from seasons.models import Season
from seasons.services.verification import verify

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(db: None) -> Season:
    found = demo.make(people.make_people(), clock.now())
    assert found is not None
    return found


def test_a_newcomer_finds_a_season_in_the_middle_of_it(season: Season, client: Client) -> None:
    first, second = season.matches.order_by("number")
    assert (first.match.status, second.match.status) == (Match.Status.FINISHED, Match.Status.OPEN)
    assert first.settled_at is not None
    assert first.match.game != second.match.game
    assert season.cast.filter(status="out", is_bot=True).count() == 1
    assert season.cast.filter(status="in", user__isnull=False).count() == len(people.PLAYERS)
    assert season.ledger.filter(reason="growth").exists()
    assert verify(season) == []
    assert [found for each in (first, second) for found in verify_match(each.match)] == []

    page: Any = client.get(season.get_absolute_url()).content.decode()
    assert "is out (place 8)" in page
    client.force_login(User.objects.get(username="ann"))
    assert "Brought into the match" in client.get(f"{season.get_absolute_url()}statement/").content.decode()
