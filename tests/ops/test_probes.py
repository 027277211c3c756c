"""`/livez` and `/readyz`: cheap, for everybody, and telling nothing but a status."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from asgiref.testing import ApplicationCommunicator
from django.conf import settings
from django.db import connection, connections
from django.db.migrations.recorder import MigrationRecorder

from genius_site.asgi import application
from genius_site.probes import readiness

# It looks by a connection of its own, which sees only what was committed.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    readiness.of_this_process.forget()
    yield
    readiness.of_this_process.forget()


async def ask(path: str, method: str = "GET") -> tuple[int, bytes]:
    scope = {"type": "http", "path": path, "method": method, "headers": [(b"host", b"10.0.0.7")], "query_string": b""}
    talk = ApplicationCommunicator(application, scope)
    await talk.send_input({"type": "http.request"})
    start = await talk.receive_output(10)
    assert (b"cache-control", b"no-store") in start["headers"]
    assert not [name for name, _ in start["headers"] if name in (b"set-cookie", b"server", b"x-request-id")]
    return start["status"], (await talk.receive_output(10))["body"]


async def test_a_site_that_is_well_is_live_and_ready_under_any_host() -> None:
    assert await ask("/livez") == (200, b"ok\n")
    assert await ask("/readyz") == (200, b"ok\n")
    assert await ask("/readyz", "HEAD") == (200, b"")
    assert (await ask("/readyz", "POST"))[0] == 405


@pytest.mark.parametrize("path", ["/healthz", "/"])
async def test_health_is_told_to_whoever_asks_the_process_by_its_address(path: str) -> None:
    """As `curl http://127.0.0.1:8000/healthz` does; every other page refuses a host that is not the site's."""
    scope = {"type": "http", "path": path, "method": "GET", "headers": [(b"host", b"10.0.0.7")], "query_string": b""}
    talk = ApplicationCommunicator(application, scope)
    await talk.send_input({"type": "http.request"})
    start = await talk.receive_output(10)
    assert (start["status"] != 400) == (path == "/healthz")
    await talk.wait()


async def test_without_its_database_it_is_live_but_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connections["default"].settings_dict, "NAME", "/proc/nowhere/secret-name")
    assert await ask("/readyz") == (503, b"not ready\n")
    assert await ask("/livez") == (200, b"ok\n")


async def test_a_migration_that_is_not_applied_makes_it_unready(monkeypatch: pytest.MonkeyPatch) -> None:
    leaves = frozenset({("matches", "9999_of_tomorrow"), *readiness.of_this_process._newest()})
    monkeypatch.setattr(readiness.of_this_process, "_leaves", leaves)
    assert await ask("/readyz") == (503, b"not ready\n")
    assert await readiness.of_this_process.why() == "1 apps lack migrations: matches"


def test_a_database_that_is_newer_than_the_program_serves_it() -> None:
    recorder = MigrationRecorder(connection)
    recorder.record_applied("matches", "9999_of_tomorrow")
    try:
        assert readiness.of_this_process._look() == readiness.READY
    finally:
        recorder.record_unapplied("matches", "9999_of_tomorrow")


async def test_redis_that_is_away_is_no_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """People play on without it, so nobody must take the site out of service for it."""
    monkeypatch.setattr(settings, "REDIS_URL", "redis://127.0.0.1:1/0")
    assert (await ask("/readyz"))[0] == 200


def test_however_often_it_is_asked_the_database_is_asked_once_a_second() -> None:
    found = readiness.Readiness()
    looks: list[int] = []
    found._look = lambda: looks.append(1) or readiness.READY  # type: ignore[method-assign,func-returns-value]
    assert {found._look_once() for _ in range(50)} == {readiness.READY}
    assert len(looks) == 1
