"""A lock that somebody else keeps costs what it locks, and nothing else."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any, TypeVar

import pytest
from django.db import OperationalError, connection, connections, transaction
from django.test import Client

from matches.models import clock
from matches.services import deadlines, outages
from matches.services.deadlines import SWEEP, advance, sweep
from matches.services.errors import Busy
from matches.services.locking import lock_row
from matches.services.outages import last_beat
from tests.fixtures.locks import kept, kept_match
from tests.services.conftest import Table

both = [pytest.mark.both, pytest.mark.django_db(transaction=True)]
postgresql = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

FOR_EVER = 3_600_000
"""Milliseconds: longer than any test."""

R = TypeVar("R")


def beside(lock: AbstractContextManager[None], work: Callable[[], R]) -> R:
    """What `work` gives while somebody else keeps the lock, which is not given up before `work` has ended.

    The settings' limits are off meanwhile: work that waits for the lock, and does not limit that itself, never ends.
    """

    def alone() -> R:
        try:
            return work()
        finally:
            connections.close_all()

    with limit_of_waiting(FOR_EVER), ThreadPoolExecutor(1) as pool, lock:
        return pool.submit(alone).result(30)  # a test that fails gives up the lock then, so that it ends at all


@pytest.fixture
def tables() -> list[Table]:
    """Three matches whose only deadline has come; nobody has passed it."""
    present = clock.FixedTime(clock.now())
    return [Table(present, closes=0.001, decision_time=0).open() for _ in range(3)]


def statuses(tables: list[Table]) -> list[str]:
    return [table.match.status for table in tables]


class TestASweep:
    pytestmark = postgresql

    def test_leaves_out_what_is_locked_and_comes_back_to_it(self, tables: list[Table]) -> None:
        assert beside(kept_match(tables[0].match_id), sweep) == 3
        assert statuses(tables) == ["open", "finished", "finished"]
        assert tables[0].match.failures == 0
        assert last_beat(SWEEP) is not None
        assert sweep() == 1
        assert statuses(tables) == ["finished"] * 3

    def test_waits_only_a_moment_for_what_lies_behind_the_match(self, tables: list[Table]) -> None:
        lock = kept("UPDATE matches_player SET version = version WHERE match_id = %s", tables[0].match_id)
        assert beside(lock, sweep) == 3
        assert statuses(tables)[1:] == ["finished"] * 2


class TestOnEitherDatabase:
    pytestmark = both

    def test_a_page_is_shown_as_it_was(self, tables: list[Table]) -> None:
        page, api = (f"{start}/matches/{tables[0].match.public_id}/" for start in ("", "/api/v1"))
        for address in (f"{page}history/", api):
            assert beside(kept_match(tables[0].match_id), partial(get, address)).status_code == 200
        assert tables[0].match.status == "open"
        Client().get(f"{page}history/")
        assert tables[0].match.status == "finished"

    def test_a_sweep_goes_round(self, tables: list[Table]) -> None:
        with pytest.MonkeyPatch.context() as patch:
            if connection.vendor == "sqlite":
                patch.setattr(deadlines, "beat", beat_that_fails)
            assert beside(kept_match(tables[0].match_id), sweep) == 3
        assert tables[0].match.status == "open"
        sweep()
        assert tables[0].match.status == "finished"

    def test_a_person_is_told_to_come_back_and_nothing_is_stored(self, tables: list[Table]) -> None:
        table = tables[0]
        rows = table.match.log_count
        with kept_match(table.match_id), limit_of_waiting(100), pytest.raises(Busy, match="try again"):
            table.act("ann", "bid", key="one", amount=1)
        assert table.match.log_count == rows
        assert table.act("ann", "bid", key="one", amount=1).code == "wrong_phase"


def beat_that_fails(name: str) -> None:
    """On SQLite the sweep cannot even note that it ran, while somebody else writes; that is said in `/healthz`."""
    with limit_of_waiting(100), pytest.raises(OperationalError, match="locked"):
        outages.beat(name)


@contextmanager
def limit_of_waiting(milliseconds: int) -> Iterator[None]:
    """For the block, this thread's and that of threads which begin in it, instead of the settings' limits."""
    limits: dict[str, Any] = {"timeout": milliseconds / 1000}
    if connection.vendor == "postgresql":
        limits = {"options": f"-c lock_timeout={milliseconds}"}
    options = connection.settings_dict["OPTIONS"]
    connection.close()  # the next one has the limit that is set here
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(options, "pool", raising=False)
        for name, limit in limits.items():
            patch.setitem(options, name, limit)
        yield
        connection.close()


class TestLimits:
    pytestmark = postgresql

    def test_a_transaction_that_was_forgotten_gives_up_its_lock(self, tables: list[Table]) -> None:
        table, locked, go_on = tables[0], threading.Event(), threading.Event()

        def freeze() -> None:
            try:
                with transaction.atomic():
                    with connection.cursor() as cursor:
                        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 100")
                    lock_row(table.match_id)
                    locked.set()
                    go_on.wait(20)
            finally:
                connection.close()

        with ThreadPoolExecutor(1) as pool:
            frozen = pool.submit(freeze)
            assert locked.wait(10)
            assert advance(table.match_id) == 1
            go_on.set()
            assert frozen.exception(10) is not None


def get(address: str) -> Any:
    try:
        return Client(raise_request_exception=False).get(address)
    finally:
        connections.close_all()
