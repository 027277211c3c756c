"""What is never needed again goes, and nothing else."""

import io
from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.management import call_command

from genius_site import cleanup
from genius_site.tasks import clear
from matches.models import OutboxRow, clock
from tests.services.conftest import (  # noqa: F401
    DAY,
    Table,
    _tiny_game_is_registered,
    person,
    table,
)

pytestmark = [pytest.mark.django_db]


def signed_in(key: str, ended_ago: timedelta) -> None:
    person_of = person(key)
    Session.objects.create(session_key=key, session_data="", expire_date=clock.now() - ended_ago)
    line = UserSession.objects.create(user=person_of, session_key=key, ip="192.0.2.1", user_agent="x")
    UserSession.objects.filter(pk=line.pk).update(last_seen_at=clock.now() - ended_ago)


def test_what_is_old_enough_goes_and_the_rest_stays(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    monkeypatch.setattr("matches.infra.db_waits.AT_ONCE", 2)
    for number in range(5):
        signed_in(f"old{number}", 40 * DAY)
    signed_in("present", -DAY)
    signed_in("just-ended", timedelta(hours=1))
    rows = OutboxRow.objects.count()
    assert rows
    found = {"sessions": 5, "devices": 5, "outbox": 0, "demo": 0}
    assert cleanup.count(clock.now()) == found
    assert cleanup.clear(clock.now()) == found
    assert {each.session_key for each in Session.objects.all()} == {"present", "just-ended"}
    assert {each.session_key for each in UserSession.objects.all()} == {"present", "just-ended"}
    table.at(31 * DAY)
    assert cleanup.clear(clock.now())["outbox"] == rows
    assert cleanup.clear(clock.now()) == dict.fromkeys(cleanup.KINDS, 0)


def test_the_worker_does_it_every_hour_and_a_command_at_once(db: None) -> None:
    signed_in("old", 40 * DAY)
    tasks = {entry["task"]: entry["schedule"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert tasks[clear.name] == 3600.0
    clear()
    assert not Session.objects.exists()
    out = io.StringIO()
    call_command("clear", stdout=out)
    assert out.getvalue().splitlines() == [f"{kind}: 0 deleted" for kind in cleanup.KINDS]
