"""What is told to Sentry: what failed and where, and nothing that anybody typed, sealed or holds as a key."""

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import sentry_sdk
import structlog
from sentry_sdk.transport import Transport

from genius_site import logs

SECRET = "sealed-7731"
DSN = "https://key@sentry.example.org/1"


class LocalCache(Transport):
    """Keeps what would be sent."""

    sent: list[str] = []

    def capture_envelope(self, envelope: Any) -> None:
        LocalCache.sent += [item.get_bytes().decode() for item in envelope.items]


@pytest.fixture
def sent() -> Iterator[list[str]]:
    LocalCache.sent = []
    with sentry_sdk.isolation_scope():
        logs.configure_reports(DSN, "https://genius.example.org", "genius@1", transport=LocalCache)
        yield LocalCache.sent
    sentry_sdk.get_global_scope().set_client(None)


def fail(bid: str) -> None:
    sealed = {"amount": bid}
    raise ValueError(f"DETAIL: Failing row contains ({sealed})")


def test_a_failure_is_told_by_its_place_and_nothing_else(sent: list[str]) -> None:
    try:
        fail(SECRET)
    except ValueError:
        structlog.get_logger("matches.x").exception("sweep_failed", match=7, error=SECRET)
    assert len(sent) == 1
    assert SECRET not in sent[0]
    event = json.loads(sent[0])
    assert event["message"] == "sweep_failed"
    assert event["release"] == "genius@1"
    (value,) = event["exception"]["values"]
    assert value["type"] == "ValueError"
    assert value["stacktrace"]["frames"][-1]["function"] == "fail"
    assert not {"request", "user", "extra", "breadcrumbs", "contexts", "modules", "server_name"} & event.keys()


def test_what_django_logs_of_a_request_keeps_its_path_to_itself(sent: list[str]) -> None:
    try:
        fail(SECRET)
    except ValueError:
        logging.getLogger("django.request").exception("%s: %s", "Internal Server Error", f"/join/{SECRET}/")
    assert SECRET not in sent[0]
    assert json.loads(sent[0])["message"] == "%s: %s"
