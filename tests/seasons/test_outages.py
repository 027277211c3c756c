"""The time to name an opponent comes later too where it ended while the site was away; growth goes by the calendar."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from matches.models import Heartbeat, clock
from matches.services import hosting
from matches.services.deadlines import advance
from matches.services.outages import SWEEP
from notices.models import Notice
from seasons import notices
from seasons.engine import season as rules
from seasons.models import Season, SeasonRow
from seasons.services import running
from seasons.services.cast import add_member
from seasons.services.drafts import create_season
from seasons.services.verification import verify
from tests.fixtures.any_game import SLUG
from tests.seasons.test_telling import START, _season

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def _match_is_played(season: Season, host: Any, time: clock.FixedTime) -> None:
    """Two days in which nobody does anything."""
    match = running.add_match(season, host, SLUG)
    match.seed = "00" * 32
    match.save(update_fields=["seed"])
    hosting.start_now(match, host)
    time.forward(48 * HOUR)
    advance(match.pk)


def test_the_time_to_name_an_opponent_comes_later_once_and_everybody_is_told(settings):
    settings.OUTAGE_AFTER, settings.OUTAGE_LEAST = timedelta(minutes=10), 12 * HOUR
    with clock.fixed(START) as time:
        season, host, people = _season()
        _match_is_played(season, host, time)
        running.sweep()
        notices.tell()
        Notice.objects.all().delete()
        season.refresh_from_db()
        assert season.next_deadline_at == START + 72 * HOUR
        Heartbeat.objects.create(name=SWEEP, at=START + 60 * HOUR)
        time.forward(32 * HOUR)
        assert running.advance_if_due(season)
        assert not running.advance_if_due(season)
        assert season.next_deadline_at == START + 92 * HOUR
        assert rules.decode(season.state).phase == "opponent"
        row = season.log.order_by("number").last()
        assert (row.kind, row.season_time) == (SeasonRow.Kind.OUTAGE, 72 * HOUR)
        notices.tell()
        assert {notice.user for notice in Notice.objects.all()} == {host, *people.values()}
        assert Notice.objects.first().text == (
            "The site was down from Tue 20 May, 01:00 UTC until Tue 20 May, 21:00 UTC, so the time to name an "
            "opponent now ends Wed 21 May, 09:00 UTC."
        )
        assert verify(season) == []
        Heartbeat.objects.update(at=START + 92 * HOUR)
        time.forward(12 * HOUR)
        assert running.advance_if_due(season)
        assert rules.decode(season.state).phase == "death_match"
        assert verify(season) == []


def test_growth_at_the_very_hour_does_not_keep_an_outage_from_extending_it(settings):
    settings.OUTAGE_AFTER, settings.OUTAGE_LEAST = timedelta(minutes=10), 12 * HOUR
    with clock.fixed(START) as time:
        season, host, _ = _season()
        _match_is_played(season, host, time)
        running.sweep()
        running.count_blood(season, host, season.matches.get())
        Heartbeat.objects.create(name=SWEEP, at=START + 60 * HOUR)
        time.forward(32 * HOUR)
        assert running.advance_if_due(season)
        assert rules.decode(season.state).phase == "opponent"
        rows = season.log.filter(season_time=72 * HOUR).order_by("number")
        assert [row.kind for row in rows] == ["outage", "deadline"]
        assert season.next_deadline_at == START + 92 * HOUR
        assert verify(season) == []


def test_a_draw_for_a_bot_is_no_deadline_that_an_outage_puts_off(settings):
    settings.OUTAGE_AFTER, settings.OUTAGE_LEAST = timedelta(minutes=10), 12 * HOUR
    with clock.fixed(START) as time:
        host = User.objects.create_user("holly", is_staff=True)
        season = create_season("Autumn", host, settings={"settlement": "automatic"})
        for name in ("ann", "bob", "cat", "dan"):
            add_member(season, host, name, is_bot=True)
        running.begin(season, host)
        _match_is_played(season, host, time)
        Heartbeat.objects.create(name=SWEEP, at=START + 48 * HOUR - timedelta(seconds=1))
        time.forward(2 * HOUR)
        running.sweep()
        season.refresh_from_db()
        assert rules.decode(season.state).phase == "death_match"
        assert season.log.count() < 20
