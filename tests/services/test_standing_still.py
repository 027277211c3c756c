"""A lock that somebody else keeps costs what it locks, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import psycopg
import pytest
from django.conf import settings
from django.db import OperationalError, connection, connections, transaction
from django.test import Client

from matches.infra import db_waits
from matches.infra.turns import NotNow, Turns
from matches.models import Match, Player, clock
from matches.services import bots, deadlines, heartbeat, joining
from matches.services.deadlines import SWEEP, advance, sweep
from matches.services.errors import Busy
from matches.services.heartbeat import last_beat
from matches.services.locking import lock_row
from tests.fixtures.locks import kept, kept_match
from tests.services.conftest import DAY, Table

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

    def test_control_one_that_waits_stands_still_until_the_lock_is_given_up(self, tables: list[Table]) -> None:
        """Without the limits; what `sweep` would do if it called `advance` as everybody else does."""

        def wait_for_ever() -> int:
            try:
                return advance(tables[0].match_id)
            finally:
                connection.close()

        with limit_of_waiting(FOR_EVER), ThreadPoolExecutor(1) as pool:
            with kept_match(tables[0].match_id):
                future = pool.submit(wait_for_ever)
                while not waiting_for_locks():
                    assert not future.done()
            assert future.result(10) == 1


def waiting_for_locks() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        )
        return int(cursor.fetchone()[0])


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

    def test_health_is_told_soon(self, tables: list[Table]) -> None:
        sweep()
        answer = beside(kept_match(tables[0].match_id), partial(get, "/healthz"))
        parts = {"database": "ok", "clock": "ok", "channel_layer": "ok", "deadline_sweep": "ok"}
        assert answer.json()["parts"] == parts

    def test_a_bot_comes_back_in_a_moment(self, tables: list[Table], monkeypatch: pytest.MonkeyPatch) -> None:
        bot = tables[0].player("ann")
        Player.objects.filter(pk=bot.pk).update(user=None, is_bot=True)
        monkeypatch.setattr(type(tables[0].match.rules), "bot_action", lambda *_: {"type": "bid", "amount": 1})

        def lock_after_claim(*arguments: Any, **_: Any) -> None:
            raise Busy("locked")

        monkeypatch.setattr(bots, "submit_for", lock_after_claim)
        bot = tables[0].player("ann")
        with pytest.raises(Busy):
            bots.move(bot)
        bot.refresh_from_db()
        assert bot.bot_acts_at is not None
        assert bot.bot_acts_at - clock.now() <= timedelta(seconds=2)

    def test_inside_of_a_transaction_the_one_around_it_decides(self, tables: list[Table]) -> None:
        with transaction.atomic():
            assert advance(tables[0].match_id, wait=False) == 1
        assert tables[0].match.status == "finished"


def beat_that_fails(name: str) -> None:
    """On SQLite the sweep cannot even note that it ran, while somebody else writes; that is said in `/healthz`."""
    with limit_of_waiting(100), pytest.raises(OperationalError, match="locked"):
        heartbeat.beat(name)


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

    def test_are_those_of_the_settings(self) -> None:
        """Who is frozen in a transaction loses it before those who wait for its locks are refused."""
        ask = (
            "SELECT current_setting('lock_timeout'), current_setting('statement_timeout'), "
            "current_setting('idle_in_transaction_session_timeout')"
        )
        with psycopg.connect(os.environ["DATABASE_URL"], options=settings.POSTGRESQL_LIMITS) as server:
            assert server.execute(ask).fetchone() == ("4500ms", "15s", "2s")
        assert 2 * settings.IDLE_SECONDS < settings.LOCK_SECONDS < 5

    def test_are_off_for_commands(self, tmp_path: Path) -> None:
        """A dump or a check of every log takes what it takes, and needs no pool."""
        ask = "from django.db import connection as c; u = c.cursor(); u.execute('SHOW statement_timeout')"
        command = [sys.executable, "manage.py", "shell", "-v0", "-c", f"{ask}; print(u.fetchone()[0], bool(c.pool))"]
        environment = {name: os.environ[name] for name in ("PATH", "DATABASE_URL")} | {"DATA_DIR": str(tmp_path)}
        found = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
        assert found.split() == ["0", "False"]

    def test_are_off_for_migrations_and_on_again_after_them(self, db: None) -> None:
        def limit() -> str:
            with connection.cursor() as cursor:
                cursor.execute("SELECT current_setting('lock_timeout')")
                return str(cursor.fetchone()[0])

        with db_waits.unhurried():
            assert limit() == "0"
        assert limit() == "4500ms"

    def test_a_table_that_is_locked_is_busy_and_no_fault(self, tables: list[Table]) -> None:
        page, api = f"/matches/{tables[0].match.public_id}/", f"/api/v1/matches/{tables[0].match.public_id}/"
        with kept("LOCK TABLE matches_match"), ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(get, (page, api)))
        for answer in answers:
            assert answer.status_code == 503
            assert answer["Retry-After"] == "2"
        assert b"Too much is going on" in answers[0].content
        assert answers[1].json()["code"] == "busy"

    @pytest.mark.parametrize(("table", "part"), [("matches_heartbeat", "failed"), ("matches_match", "ok")])
    def test_health_is_told_whatever_is_locked(self, db: None, table: str, part: str) -> None:
        sweep()
        answer = beside(kept(f"LOCK TABLE {table}"), partial(get, "/healthz"))
        parts = {"database": "ok", "clock": "ok", "channel_layer": "ok", "deadline_sweep": part}
        assert answer.json()["parts"] == parts

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

    def test_joining_a_locked_match_is_busy(self, tables: list[Table]) -> None:
        with kept_match(tables[0].match_id), limit_of_waiting(100), pytest.raises(Busy):
            joining.leave(tables[0].match, tables[0].users["ann"])


def get(address: str) -> Any:
    try:
        return Client(raise_request_exception=False).get(address)
    finally:
        connections.close_all()


class TestTurns:
    def test_who_waits_too_long_or_as_one_too_many_is_told(self) -> None:
        turns, inside, go_on = Turns(most=2), threading.Event(), threading.Event()

        def hold() -> None:
            with turns.taken("a", 0):
                inside.set()
                go_on.wait(10)

        with ThreadPoolExecutor(1) as pool:
            held = pool.submit(hold)
            inside.wait(10)
            with pytest.raises(NotNow), turns.taken("a", 0.01):
                pass
            with turns.taken("b", 0):
                pass
            turns._lines["a"].people = 2
            with pytest.raises(NotNow), turns.taken("a", 10):
                pass
            turns._lines["a"].people = 1
            go_on.set()
            held.result(10)
        assert turns._lines == {}

    def test_one_at_a_time(self) -> None:
        turns, together, most = Turns(most=10), [0], [0]

        def work(_: int) -> None:
            with turns.taken("a", 10):
                together[0] += 1
                most[0] = max(most[0], together[0])
                together[0] -= 1

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, range(200)))
        assert most == [1]

    @pytest.mark.both
    @pytest.mark.django_db(transaction=True)
    def test_a_match_costs_one_connection_of_a_process(self, tables: list[Table]) -> None:
        """The second thread waits in line, without asking the database at all."""
        table, asked = tables[0], []

        def act(_: int) -> str:
            try:
                with connection.execute_wrapper(lambda run, sql, *rest: (asked.append(sql), run(sql, *rest))[1]):
                    return table.act("ann", "bid", amount=1).code
            except Busy:
                return "busy"
            finally:
                connection.close()

        from matches.services import locking

        with locking._turns.taken(table.match_id, 0), pytest.MonkeyPatch.context() as patch:
            patch.setattr(locking.settings, "LOCK_SECONDS", 0.05)
            with ThreadPoolExecutor(4) as pool:
                assert list(pool.map(act, range(4))) == ["busy"] * 4
        assert asked == []

    @pytest.mark.services
    @pytest.mark.django_db(transaction=True)
    def test_who_waits_in_line_gives_their_connection_back(self, tables: list[Table]) -> None:
        """A page has read who asks before it acts; those who wait must leave connections to others."""
        table = tables[0]
        from matches.services import locking

        def act() -> tuple[bool, bool]:
            try:
                assert table.match.pk
                held = connection.connection is not None
                with pytest.raises(Busy):
                    table.act("ann", "bid", amount=1)
                return held, connection.connection is not None
            finally:
                connection.close()

        with locking._turns.taken(table.match_id, 0), pytest.MonkeyPatch.context() as patch:
            patch.setattr(locking.settings, "LOCK_SECONDS", 0.05)
            with ThreadPoolExecutor(1) as pool:
                assert pool.submit(act).result(20) == (True, False)


class TestPageAfterwards:
    pytestmark = both

    def test_a_day_later_nothing_is_left_of_it(self, tables: list[Table]) -> None:
        with kept_match(tables[1].match_id):
            advance_quietly(tables[1].match_id)
        tables[1].present.forward(DAY)
        sweep()
        assert Match.objects.filter(failures=0, fault="", status="finished").count() == 3


def advance_quietly(match_id: int) -> None:
    with pytest.raises(Busy):
        advance(match_id, wait=False)
