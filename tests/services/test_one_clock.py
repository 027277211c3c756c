"""Time is the database's, read under the match's lock: what a process's own clock says decides nothing."""

import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import structlog
from django.db import connection, transaction
from django.test import Client

from matches.infra import database_time
from matches.models import Heartbeat, Match, clock
from matches.services import deadlines
from matches.services.commands import command
from matches.services.deadlines import SWEEP, advance, advance_if_due, sweep
from matches.services.group.queue import submit
from matches.services.locking import locked_match
from matches.services.replay import verify
from tests.services.conftest import Table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

MINUTE = timedelta(minutes=1)
SET_WRONG = [2 * MINUTE, -2 * MINUTE]


@pytest.fixture
def set_own_clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[timedelta], None]]:
    """Sets the process's own clock wrong."""
    monkeypatch.setattr("genius_site.health.KEPT_SECONDS", 0.0)
    yield lambda ahead: monkeypatch.setattr(database_time, "own", lambda: datetime.now(UTC) + ahead)
    monkeypatch.undo()
    assert deadlines._is_on_time(), "which the process says once"


def by_the_database() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        found: datetime = cursor.fetchone()[0]
        return found


def due_in(left: timedelta) -> Table:
    """A running match whose bids close so long from now, by the database."""
    now = by_the_database()
    with clock.fixed(now - 5 * MINUTE) as begun:
        table = Table(begun, closes=(5 * MINUTE + left).total_seconds()).open()
    assert abs(table.match.next_deadline_at - now - left) < timedelta(seconds=1)
    return table


def settle(table: Table) -> None:
    """What hosts' commands begin with."""
    with command(table.match, table.host) as writer:
        writer.save()


WAYS: dict[str, Callable[[Table], Any]] = {
    "sweep": lambda table: sweep(),
    "advance": lambda table: advance(table.match_id),
    "page": lambda table: advance_if_due(table.match),
    "group": lambda table: submit(table.match_id, table.users["ann"].pk, {"type": "bid", "amount": 1}),
    "alone": lambda table: table.act("ann", "bid", amount=1),
    "host": settle,
}


def is_closed(table: Table) -> bool:
    return bool(table.state.core.phase != "running")


@pytest.mark.parametrize("ahead", SET_WRONG)
def test_nothing_is_early_or_late_where_the_own_clock_is_wrong(set_own_clock, ahead):
    set_own_clock(ahead)
    for name, way in WAYS.items():
        early, late = due_in(MINUTE), due_in(-MINUTE)
        way(early)
        way(late)
        assert not is_closed(early), name
        assert is_closed(late) == (name != "sweep"), name
        row = late.match.log.order_by("number").last()
        assert name == "sweep" or abs(row.received_at - by_the_database()) < MINUTE / 3
        assert verify(early.match) == verify(late.match) == []


@pytest.mark.parametrize("name", [name for name in WAYS if name not in ("sweep", "page")])
def test_the_own_clock_would_close_early(set_own_clock, monkeypatch, name):
    """So the test above can fail."""
    set_own_clock(2 * MINUTE)
    table = due_in(MINUTE)
    monkeypatch.setattr(clock, "ask", database_time.own)
    WAYS[name](table)
    assert is_closed(table)


def test_a_process_whose_clock_is_wrong_says_so_and_does_not_sweep(set_own_clock):
    table = due_in(-MINUTE)
    with structlog.testing.capture_logs() as said:
        set_own_clock(2 * MINUTE)
        assert (sweep(), sweep()) == (0, 0)
    assert [(line["event"], round(line["ahead_seconds"])) for line in said] == [("clock_wrong", 120)]
    assert abs(clock.skew() - 2 * MINUTE) < timedelta(seconds=1)
    assert not is_closed(table)
    assert not Heartbeat.objects.filter(name=SWEEP).exists()
    answer = Client().get("/healthz")
    assert (answer.status_code, answer.json()["parts"]["clock"]) == (503, "wrong")
    assert round(answer.json()["clock_ahead_seconds"]) == 120
    with structlog.testing.capture_logs() as said:
        set_own_clock(timedelta(seconds=0.5))
        assert sweep() == 1
    assert [line["event"] for line in said if line["event"].startswith("clock")] == ["clock_right"]
    answer = Client().get("/healthz").json()
    assert (answer["parts"]["clock"], answer["clock_ahead_seconds"]) == ("ok", 0.5)


def test_the_time_is_that_at_which_the_lock_was_there_and_not_when_one_began_to_wait():
    """Even where who had the lock changed nothing."""
    table, found = due_in(MINUTE), []

    def wait() -> None:
        with locked_match(table.match_id) as writer:
            found.append(writer.now)
        connection.close()

    waiter = threading.Thread(target=wait)
    with transaction.atomic():
        Match.objects.select_for_update().get(pk=table.match_id)
        waiter.start()
        waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
        with connection.cursor() as cursor:
            while cursor.execute(waiting) and not cursor.fetchone()[0]:
                pass
        free = by_the_database()
    waiter.join()
    assert found[0] > free


def test_an_answer_that_took_long_counts_only_when_the_last_one_is_old(monkeypatch: pytest.MonkeyPatch) -> None:
    connection.ensure_connection()
    monkeypatch.setattr(database_time, "_last", None)
    ticks = iter([0.0, 0.1, 1.0, 2.0, 70.0, 71.0])
    monkeypatch.setattr(database_time, "_ticks", lambda: next(ticks))
    told = []
    for _ in range(3):
        database_time.ask()
        assert database_time._last is not None
        told.append(database_time._last.ticks)
    assert told == [0.05, 0.05, 70.5]
