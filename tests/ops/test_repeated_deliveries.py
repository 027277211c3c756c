"""A broker that delivers one message again and again, to several threads of a worker at once: it is done once.

The worker and Redis are real. A message is repeated in both ways in which a broker does it: the same one stands in the
queue many times, and one that is being worked on is taken for lost (`visibility_timeout`) and handed out once more.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from celery.contrib.testing.worker import start_worker
from celery.signals import task_postrun, task_prerun
from django.conf import settings
from django.core import mail
from redis import Redis

from accounts import letters
from accounts.models import User
from genius_site.celery import app
from matches.models import Match, clock
from matches.services import deadlines
from matches.services.creation import create_match
from matches.services.deadlines import advance
from matches.services.hosting import publish
from matches.services.joining import add_player
from notices.models import Notice
from tests.fixtures.any_game import SLUG, SMALL

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

TIMES, THREADS = 30, 4
SECONDS = 60
LONG_AGO = timedelta(days=9)
ONCE = (
    *("matches.tasks.sweep", "matches.tasks.move_bots", "matches.tasks.store_results"),
    *("matches.tasks.grow_blood_garnets", "notices.tasks.pass_on", "notices.tasks.remind", "notices.tasks.tell_hosts"),
    *("notices.tasks.send", "notices.tasks.tell_of_messages", "accounts.tasks.send_letters"),
)
"""In the order in which one makes work for the next."""


class Runs:
    """How often each task was begun and ended, and a moment at which enough were."""

    def __init__(self) -> None:
        self.begun: Counter[str] = Counter()
        self.ended: Counter[str] = Counter()
        self._changed = threading.Condition()

    def begin(self, task: Any = None, **rest: Any) -> None:
        with self._changed:
            self.begun[task.name] += 1
            self._changed.notify_all()

    def end(self, task: Any = None, **rest: Any) -> None:
        with self._changed:
            self.ended[task.name] += 1
            self._changed.notify_all()

    def wait(self, counted: Counter[str], task: str, count: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: counted[task] >= count, SECONDS), counted


@pytest.fixture
def runs() -> Iterator[Runs]:
    runs = Runs()
    task_prerun.connect(runs.begin)
    task_postrun.connect(runs.end)
    yield runs
    task_prerun.disconnect(runs.begin)
    task_postrun.disconnect(runs.end)


@contextmanager
def worker() -> Iterator[None]:
    """A worker in threads of this process, on a Redis whose queue is empty."""
    with Redis.from_url(settings.REDIS_URL) as redis:
        redis.flushdb()
    with start_worker(app, pool="threads", concurrency=THREADS, perform_ping_check=False, shutdown_timeout=SECONDS):
        yield


def take_for_lost() -> None:
    """What every worker does now and then: put back into the queue what nobody has acknowledged for long enough. Here
    no time at all is enough."""
    options = {**app.conf.broker_transport_options, "visibility_timeout": 0}
    with app.connection_for_read(transport_options=options) as connection:
        connection.default_channel.qos.restore_visible(interval=1)


def deliver_again_and_again(task: str) -> None:
    """The same message, many times."""
    for _ in range(TIMES):
        app.send_task(task, task_id=f"the-same-{task}")


def a_match_of_long_ago(title: str) -> Match:
    """Everybody has an account; all of its deadlines have passed, and nobody has looked since."""
    with clock.fixed(datetime.now(UTC) - LONG_AGO):
        host = User.objects.create_user(f"host-{title}")
        match = create_match(SLUG, title, by=host, config=SMALL)
        for name in ("ann", "bob", "cat"):
            person = User.objects.create_user(f"{name}-{title}", f"{name}-{title}@example.org")
            add_player(match, name, user=person, garnets=5)
        publish(match, host)
    return match


def story(match: Match) -> list[Any]:
    """What the log tells: each deadline at its own time, and what else there is, which came when it came."""
    rows = match.log.order_by("number").values_list("kind", "accepted", "match_time")
    return [(kind, accepted, at if kind == "deadline" else None) for kind, accepted, at in rows]


def test_what_is_delivered_many_times_is_done_once(runs: Runs) -> None:
    match, alone = a_match_of_long_ago("many"), a_match_of_long_ago("alone")
    advance(alone.pk)
    letters.send("ann@example.org", "Hello", "Text")
    with worker():
        for task in ONCE:
            deliver_again_and_again(task)
            runs.wait(runs.ended, task, TIMES)
    assert runs.ended == Counter(dict.fromkeys(ONCE, TIMES))  # the control: each was really done so often
    match.refresh_from_db()
    assert match.status == Match.Status.FINISHED
    assert len(story(match)) > 3
    assert story(match) == story(alone)
    told = Counter(Notice.objects.values_list("user", "match", "event", "title"))
    assert told
    assert set(told.values()) == {1}
    sent = Counter((letter.to[0], letter.subject) for letter in mail.outbox)
    assert sent[("ann@example.org", "Hello")] == 1
    assert set(sent.values()) == {1}


def test_a_message_that_is_taken_for_lost_while_it_is_worked_on_is_done_once(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, alone = a_match_of_long_ago("slow"), a_match_of_long_ago("alone")
    advance(alone.pk)
    sweep, sweeps = deadlines.sweep, []

    def slowly(*given: Any, **named: Any) -> Any:
        sweeps.append(threading.get_ident())
        if len(sweeps) == 1:
            take_for_lost()
            runs.wait(runs.begun, "matches.tasks.sweep", 2)
        return sweep(*given, **named)

    monkeypatch.setattr(deadlines, "sweep", slowly)
    with worker():
        app.send_task("matches.tasks.sweep", task_id="slow")
        runs.wait(runs.ended, "matches.tasks.sweep", 2)
    assert len(set(sweeps[:2])) == 2  # two threads were at it together
    match.refresh_from_db()
    assert match.status == Match.Status.FINISHED
    assert story(match) == story(alone)
