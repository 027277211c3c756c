"""What comes in is signed, fresh, of the right form, and new; or refused."""

import json
from datetime import timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.cache import cache

from matches.models import Submission
from tests.chat_commands.conftest import Chat
from tests.fixtures.any_game import SLUG
from tests.web.conftest import Table

pytestmark = [pytest.mark.django_db]


def test_a_ping_is_answered(chat: Chat) -> None:
    answer = chat.post(chat.body(type=1, user={"id": "1"}))
    assert (answer.status_code, answer.json()) == (200, {"type": 1})
    assert answer["Content-Type"] == "application/json"


FORGED = [
    {"key": Ed25519PrivateKey.from_private_bytes(bytes(32))},
    {"signed": b"{}"},
    {"X-Signature-Ed25519": ""},
    {"X-Signature-Ed25519": "ab"},
    {"X-Signature-Ed25519": "zz" * 64},
    {"X-Signature-Ed25519": "é" * 64},
    {"X-Signature-Timestamp": ""},
    {"X-Signature-Timestamp": "²"},
    {"X-Signature-Timestamp": "9" * 4000},
    {"X-Signature-Timestamp": "1"},
    {"age": 301},
    {"age": -310},
]


def test_forged_and_stale_requests_are_refused(chat: Chat) -> None:
    for forged in FORGED:
        answer = chat.post(chat.body(type=1), **forged)
        assert answer.status_code == 401
        assert answer.json()["code"] in ("bad_signature", "stale")
        assert chat.post(chat.body(type=1), age=290).status_code == 200


MALFORMED = [
    *(b"", b"{", b"[]", b"null", b"\xff", b"[" * 30_000, b'{"id":"x"}', b"x" * 70_000),
    *(
        {"type": 3},
        {"type": 2},
        {"id": 5},
        {"id": "1" * 30},
        {"application_id": "1"},
        {"token": "../é"},
        {"data": {"name": "x"}},
    ),
    {"data": {"name": "x", "options": [{"name": "y", "type": 3, "value": {}}]}, "user": {"id": "1"}},
]


def test_what_is_malformed_is_refused(chat: Chat) -> None:
    for body in MALFORMED:
        answer = chat.post(chat.body(**body) if isinstance(body, dict) else body)
        assert answer.status_code == 400


@pytest.mark.both
def test_the_same_request_is_taken_once(chat: Chat, table: Table) -> None:
    data = {"name": SLUG.replace("_", "-"), "options": [_bid("Z", 3)]}
    body = json.dumps(chat.body(data=data, user={"id": "1"})).encode()
    assert "Done:" in chat.post(body).json()["data"]["content"]
    again = chat.post(body)
    assert (again.status_code, again.json()["code"]) == (400, "seen_before")
    assert Submission.objects.filter(kind="action").count() == 1
    # By the time at which it is forgotten its timestamp would be refused.
    table.present.instant += timedelta(hours=1)
    cache.clear()
    assert chat.post(body, age=3600).json()["code"] == "stale"


def _bid(seat: str, amount: int) -> dict[str, Any]:
    options = [{"name": "seat", "type": 3, "value": seat}, {"name": "amount", "type": 4, "value": amount}]
    return {"name": "bid", "type": 1, "options": options}
