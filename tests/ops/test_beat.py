"""Beat wakes when a task is due, and not before: a site on which nothing happens is to leave its processor alone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine
from celery import Celery
from celery.beat import Scheduler
from django.conf import settings
from django.utils.module_loading import import_string

from genius_site import celery
from genius_site.beat import InFile, InMemory
from tests.fixtures.present import START

SECONDS = 20


@pytest.fixture
def app() -> Celery:
    app = Celery("test", broker="memory://", set_as_current=False)
    app.conf.beat_schedule = {
        name: {"task": name, "schedule": seconds} for name, seconds in (("a", 1.0), ("b", 2.0), ("c", 5.0))
    }
    return app


def in_memory(app: Celery, folder: Path) -> Scheduler:
    return InMemory(app)


def in_file(app: Celery, folder: Path) -> Scheduler:
    return InFile(app, schedule_filename=str(folder / "schedule"))


@pytest.mark.parametrize("make", [in_memory, in_file])
def test_each_time_it_wakes_something_is_due(
    app: Celery, tmp_path: Path, make: Callable[[Celery, Path], Scheduler], monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    with time_machine.travel(START, tick=False) as now:
        beat = make(app, tmp_path)
        monkeypatch.setattr(beat, "apply_async", lambda entry, **how: sent.append(entry.name))
        idle = 0  # how often it was asked, and neither sent anything nor went to sleep
        while idle < 100 and datetime.now(UTC) < START + timedelta(seconds=SECONDS):
            before, seconds = len(sent), beat.tick()
            if seconds > 0:
                now.shift(timedelta(seconds=seconds))
            elif len(sent) == before:
                idle += 1
        beat.close()
    assert idle < 10
    assert {name: sent.count(name) for name in "abc"} == {
        "a": SECONDS - 1,
        "b": SECONDS // 2 - 1,
        "c": SECONDS // 5 - 1,
    }


def test_a_beat_of_its_own_has_it_too() -> None:
    assert import_string(settings.CELERY_BEAT_SCHEDULER.replace(":", ".")) is InFile
    assert celery.app.conf.beat_scheduler == settings.CELERY_BEAT_SCHEDULER
