"""On SQLite the threads of a process write in turn: nobody waits behind one that writes on and on."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError
from django.db.utils import ConnectionHandler

from genius_site.sqlite3.base import line_of

LONG = 60.0
"""Seconds; nothing here takes that long, unless it fails."""


@pytest.fixture
def open_one(tmp_path: Path, django_db_blocker: Any) -> Iterator[Callable[[], Any]]:
    """Connections to one file; in each thread another one."""
    name = str(tmp_path / "here.sqlite3")
    handler = ConnectionHandler({"default": {**settings.SQLITE, "NAME": name}})
    with django_db_blocker.unblock():
        yield lambda: handler["default"]
        handler.close_all()


def begin(connection: Any) -> None:
    connection.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)


def end(connection: Any) -> None:
    connection.commit()
    connection.set_autocommit(True)


def set_patience(connection: Any, seconds: float) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")


def until(holds: Callable[[], object]) -> None:
    ends = monotonic() + LONG
    while not holds():
        assert monotonic() < ends
        threading.Event().wait(0.001)


class OneWaits:
    """A thread that waits for the lock, which this one has."""

    def __init__(self, open_one: Callable[[], Any], threads: ThreadPoolExecutor) -> None:
        self.mine = open_one()
        line = line_of(self.mine.settings_dict["NAME"])
        begin(self.mine)
        self.may_end = threading.Event()
        self.other = threads.submit(self._write, open_one)
        until(lambda: line.is_waited_for)

    def _write(self, open_one: Callable[[], Any]) -> None:
        connection = open_one()
        set_patience(connection, LONG)
        begin(connection)
        self.may_end.wait(LONG)
        end(connection)
        connection.close()

    def writes_again_at_once(self) -> bool:
        """Whether this thread gets the lock a second time while the other one still waits."""
        end(self.mine)
        set_patience(self.mine, 0)
        try:
            begin(self.mine)
        except OperationalError:
            return False
        end(self.mine)
        return True


def test_nobody_writes_again_before_whoever_waits(open_one: Callable[[], Any]) -> None:
    with ThreadPoolExecutor(1) as threads:
        race = OneWaits(open_one, threads)
        assert not race.writes_again_at_once()
        race.may_end.set()
        race.other.result(LONG)
        set_patience(race.mine, LONG)
        begin(race.mine)
        end(race.mine)
