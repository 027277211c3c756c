"""Several processes that notice the same outage at once, on PostgreSQL: it is noted once, and counts once."""

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from matches.models import Heartbeat, Outage, clock
from matches.services import deadlines
from matches.services.deadlines import SWEEP, advance, sweep
from matches.services.group.queue import submit
from matches.services.replay import verify
from tests.services.conftest import HOUR, Table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def at_once(works: list[Callable[[], Any]]) -> None:
    gate, errors = threading.Barrier(len(works)), []

    def run(work: Callable[[], Any]) -> None:
        try:
            gate.wait(20)
            work()
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []


def test_all_who_come_first_at_once_extend_once(settings, monkeypatch):
    settings.OUTAGE_AFTER, settings.OUTAGE_LEAST = timedelta(minutes=10), 12 * HOUR
    monkeypatch.setattr(deadlines, "_looked_after", None)
    now = clock.ask()
    with clock.fixed(now - 30 * HOUR) as begun:
        tables = [Table(begun).open() for _ in range(3)]
    Heartbeat.objects.create(name=SWEEP, at=now - 8 * HOUR)
    works: list[Callable[[], Any]] = [sweep, sweep]
    for table in tables:
        user = table.users["ann"].pk
        works.append(lambda table=table: advance(table.match_id))
        works.append(lambda table=table, user=user: submit(table.match_id, user, {"type": "bid", "amount": 1}))
    at_once(works)
    outage = Outage.objects.get()
    for table in tables:
        assert table.match.announcements.filter(kind="outage").count() == 1
        assert table.match.next_deadline_at == outage.until + 12 * HOUR
        assert verify(table.match) == []
