"""`/livez` and `/readyz`: cheap, for everybody, under any host, and telling nothing but a status."""

import pytest
from django.db import connection, connections
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from genius_site import health

# It looks by a connection of its own, which sees only what was committed.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "_ready", (float("-inf"), False))


def ask(path: str, method: str = "get") -> tuple[int, bytes]:
    answer = getattr(Client(headers={"host": "10.0.0.7"}), method)(path)
    assert "no-store" in answer["Cache-Control"]
    assert not answer.cookies
    return answer.status_code, answer.content


def test_a_site_that_is_well_is_live_and_ready_under_any_host() -> None:
    assert ask("/livez") == (200, b"ok\n")
    assert ask("/readyz") == (200, b"ok\n")
    assert ask("/healthz")[0] in (200, 503)
    assert Client(headers={"host": "10.0.0.7"}).get("/").status_code == 400
    assert Client().post("/readyz").status_code == 405


def test_without_its_database_it_is_live_but_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connections["default"].settings_dict, "NAME", "/proc/nowhere/secret-name")
    connection.close()
    assert ask("/readyz") == (503, b"not ready\n")
    assert ask("/livez") == (200, b"ok\n")


def test_a_migration_that_is_not_applied_makes_it_unready(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = MigrationRecorder(connection)
    recorder.record_unapplied("matches", "0001_initial")
    try:
        assert ask("/readyz") == (503, b"not ready\n")
    finally:
        recorder.record_applied("matches", "0001_initial")
