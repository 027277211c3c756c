"""`/healthz`: a word for each part, 503 when one fails, and nothing else."""

from datetime import timedelta

import pytest
from django.db import connections
from django.test import Client

from genius_site import health
from matches.models import Heartbeat, clock
from matches.services.deadlines import sweep

# It looks by a connection of its own, which sees only what was committed.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "KEPT_SECONDS", 0.0)


def parts(status: int) -> dict[str, str]:
    answer = Client().get("/healthz")
    assert answer.status_code == status
    assert "no-store" in answer["Cache-Control"]
    body = answer.json()
    assert body["status"] == ("ok" if status == 200 else "failed")
    return dict(body["parts"])


def test_all_is_well_while_the_sweep_goes_round() -> None:
    sweep()
    assert parts(200) == {"database": "ok", "clock": "ok", "channel_layer": "ok", "deadline_sweep": "ok"}


def test_a_sweep_that_never_ran_or_stopped_is_a_failure() -> None:
    assert parts(503)["deadline_sweep"] == "never ran"
    sweep()
    Heartbeat.objects.update(at=clock.now() - timedelta(seconds=11))
    assert parts(503)["deadline_sweep"] == "too long ago"


def test_however_often_strangers_ask_it_looks_once_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    parts(503)
    monkeypatch.setattr(health, "KEPT_SECONDS", 1000.0)
    sweep()
    assert parts(503)["deadline_sweep"] == "never ran"


def test_it_says_how_old_the_last_sweep_is() -> None:
    assert Client().get("/healthz").json()["sweep_age_seconds"] is None
    sweep()
    Heartbeat.objects.update(at=clock.now() - timedelta(seconds=4))
    assert 4 <= Client().get("/healthz").json()["sweep_age_seconds"] < 9


def test_a_layer_that_loses_messages_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    class Deaf:
        async def new_channel(self) -> str:
            raise ConnectionError("redis://:secret@10.0.0.1 is away")

    sweep()
    monkeypatch.setattr(health, "get_channel_layer", Deaf)
    assert parts(503)["channel_layer"] == "failed"
    assert "secret" not in Client().get("/healthz").content.decode()


def test_a_database_that_is_away_is_an_answer_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connections["default"].settings_dict, "NAME", "/proc/nowhere/genius.sqlite3")
    assert parts(503) == {"database": "failed", "clock": "failed", "channel_layer": "ok", "deadline_sweep": "failed"}
