"""What a personal token is good for, and until when; the same on the short way past Django and through it."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken
from matches.infra import rate_limits
from matches.infra.rate_limits import Buckets
from matches.live import hub
from matches.live.watcher import Watcher
from matches.models import Submission
from tests.fixtures.table import Person, Table
from tests.live.stage import wait_for
from tests.live.test_sockets import closed_with, frame, opened

pytestmark = pytest.mark.both

WAYS = ["gate", "django"]


def send(ann: Person, body: dict[str, Any], way: str, query: str = "") -> tuple[int, dict[str, Any]]:
    if way == "gate":
        answer = ann.post(body, query=query)
        return answer.status, answer.body
    path, headers = f"/api/v1/matches/{ann.match_id}/actions/{query}", ann.bearer()
    response = Client().post(path, json.dumps(body), content_type="application/json", headers=headers)
    return response.status_code, response.json()


def change(ann: Person, **fields: Any) -> None:
    ApiToken.objects.filter(user=ann.user).update(**fields)


@pytest.mark.parametrize("way", WAYS)
def test_an_expired_token_is_told_so(table: Table, ann: Person, way: str) -> None:
    change(ann, expires_at=timezone.now() + timedelta(minutes=1))
    assert send(ann, table.good_bid(0), way)[0] == 200
    change(ann, expires_at=timezone.now())
    status, body = send(ann, table.good_bid(0), way)
    assert (status, body["accepted"], body["code"]) == (401, False, "token_expired")
    assert "Make a new one on your profile page" in body["message"]
    for path in (f"matches/{table.id}/", f"matches/{table.id}/feed/"):
        answer = ann.get(path)
        assert (answer.status, answer.code) == (401, "token_expired")
    assert ann.get(f"matches/{table.id}/").headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("way", WAYS)
def test_a_token_that_only_reads_does_not_act(table: Table, ann: Person, way: str) -> None:
    change(ann, scope=ApiToken.Scope.READ)
    rows, bid = Submission.objects.count(), table.good_bid(0)
    status, body = send(ann, bid, way)
    assert (status, body["accepted"], body["code"]) == (403, False, "token_may_only_read")
    assert "Make one on your profile page that may act" in body["message"]
    assert send(ann, bid, way, "?dry_run=1") == (200, {"accepted": True, "dry_run": True})
    assert Submission.objects.count() == rows
    change(ann, scope=ApiToken.Scope.ACT)
    assert send(ann, bid, way)[0] == 200


def test_a_revoked_token_uses_up_nothing_of_its_owners_rate(
    table: Table, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = Buckets(1, 3, lambda: 0.0)
    monkeypatch.setattr(rate_limits, "action_rates", lambda: stopped)
    assert ann.post(table.good_bid(0)).status == 200
    ApiToken.objects.get(user=ann.user).revoke()
    assert [ann.post(table.good_bid(0)).status for _ in range(6)] == [401] * 6
    ann.token = ApiToken.issue(ann.user, "a new one")[1]
    assert ann.post(table.good_bid(0)).status == 200


def test_a_socket_ends_soon_after_its_token(table: Table, ann: Person) -> None:
    """Rights are read again once a minute; here the minute is over at once."""
    with opened(table.site, f"/ws/matches/{table.id}/?format=json", **ann.bearer()) as program:
        frame(program)
        change(ann, expires_at=timezone.now())
        the_hub = hub._hub
        assert the_hub is not None
        [socket] = [watcher for watcher in the_hub._topic_of if isinstance(watcher, Watcher)]
        socket.recheck_at = 0.0
        assert closed_with(program)[1] == 4401
    with opened(table.site, f"/ws/matches/{table.id}/?format=json", **ann.bearer()) as program:
        told, code = closed_with(program)
        assert (told[0]["error"]["code"], code) == ("token_expired", 4401)
    assert wait_for(lambda: len(the_hub) == 0)
