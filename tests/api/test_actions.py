"""Actions by HTTP: the same answers for a token (past Django) and for a session cookie (through it)."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError

from matches.api import actions
from matches.api.replies import ApiError
from matches.infra import rate_limits
from matches.infra.rate_limits import Buckets
from matches.models import Match, Submission
from matches.services import actions as services
from matches.services import refusal_quota
from matches.services.errors import MatchFault
from tests.fixtures.site import Site
from tests.fixtures.table import Answer, Person, Table, request, running

both = pytest.mark.both  # what reads or writes more than who asks

WAYS = ["token", "session"]
both_ways = pytest.mark.parametrize("by", WAYS)


def refused(answer: Answer, status: int, code: str) -> None:
    assert (answer.status, answer.code) == (status, code), answer
    assert answer.body["accepted"] is False
    assert answer.body["message"].endswith((".", ")"))
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert (answer.body["status"], answer.body["detail"]) == (status, answer.body["message"])
    assert answer.body["type"].endswith(f":problem/{code}")
    assert "no-store" in answer.headers["Cache-Control"]


@both
@both_ways
def test_a_good_action_is_accepted_with_receipt_and_versions(table: Table, ann: Person, by: str) -> None:
    before = table.match.public_version
    answer = ann.post(table.good_bid(0), by=by)
    assert answer.status == 200
    assert set(answer.body) == {"accepted", "receipt", "versions"}
    assert answer.body["accepted"] is True
    assert set(answer.body["receipt"]) == {"number", "at", "match_time", "hash", "salt"}
    assert answer.body["versions"] == {"public": before + 1, "private": table.player(0).version}
    assert answer.headers["Cache-Control"] == "no-store, private"


@both
def test_what_the_rules_refuse_comes_back_with_code_sentence_and_field(ann: Person) -> None:
    answer = ann.post({"type": "bid", "seat": "Z", "amount": 0})
    refused(answer, 422, "not_positive")
    assert answer.body["field"] == "amount"
    refused(ann.post({"type": "dance"}), 422, "unknown_action")
    refused(ann.post({"type": "bid", "seat": "Z", "amount": "5"}), 422, "malformed")


NO_JSON = [
    b"",
    b"{",
    b'{"type": "bid", "seat": "Z", "amount": NaN}',
    b'{"type": "bid", "type": "bid"}',
    b'{"type": "bid", "amount": 1e999}',
    b'{"type": "\xff"}',
    b'{"type": "\\ud800"}',
    b"[" * 8000 + b"]" * 8000,
    b"[" * 30 + b"]" * 30,
    b'{"type": "bid", "amount": ' + b"9" * 5000 + b"}",
]


def test_a_body_that_is_no_json_is_refused_and_not_stored(ann: Person) -> None:
    for body in NO_JSON:
        rows = Submission.objects.count()
        refused(ann.post(body), 400, "malformed_json")
        assert Submission.objects.count() == rows


BAD_TOKENS = [
    {"Authorization": "Bearer gen_unknown"},
    {"Authorization": "Bearer"},
    {"Authorization": "Basic YW5uOmFubg=="},
    {"Authorization": "Bearer gen_\xff"},
]


def test_a_bad_token_is_refused(table: Table) -> None:
    for headers in BAD_TOKENS:
        answer = request(table.site, "POST", f"/api/v1/matches/{table.id}/actions/", b"{}", **headers)
        refused(answer, 401, "bad_token")
        assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_session_without_csrf_token_is_refused(table: Table, ann: Person) -> None:
    rows = Submission.objects.count()
    data, path = json.dumps(table.good_bid(0)).encode(), f"/api/v1/matches/{table.id}/actions/"
    refused(request(table.site, "POST", path, data, **ann.cookies(csrf=False)), 403, "csrf_failed")
    wrong = ann.cookies() | {"X_CSRFToken": "d" * 32}
    refused(request(table.site, "POST", path, data, **wrong), 403, "csrf_failed")
    foreign = ann.cookies() | {"Origin": "https://evil.example"}
    refused(request(table.site, "POST", path, data, **foreign), 403, "csrf_failed")
    assert Submission.objects.count() == rows


def test_a_hidden_and_an_unknown_match_get_the_same_answer(site: Site, table: Table) -> None:
    hidden = running(site)[0]
    Match.objects.filter(public_id=hidden.id).update(status="draft")
    person = table.people[0]
    for by in WAYS:
        answers = [person.post({"type": "bid"}, by=by, match=match) for match in (hidden.id, "bbbbbbbbbbbb", "1")]
        for answer in answers:
            refused(answer, 404, "not_found")
        assert len({json.dumps(answer.body) for answer in answers}) == 1


@both
@both_ways
def test_the_same_key_repeats_the_first_answer_and_another_body_conflicts(table: Table, ann: Person, by: str) -> None:
    action = table.good_bid(0)
    first, again = (ann.post(action, by=by, Idempotency_Key="once") for _ in range(2))
    assert first.status == again.status == 200
    assert first.body["receipt"] == again.body["receipt"]
    assert Submission.objects.filter(player=table.player(0)).count() == 1
    refused(ann.post(table.good_bid(0), by=by, Idempotency_Key="once"), 409, "key_reused")


def test_a_bad_key_is_refused(table: Table, ann: Person) -> None:
    for key in ("", "x" * 101, "with space", "caf\xe9"):
        refused(ann.post(table.good_bid(0), Idempotency_Key=key), 400, "bad_key")


def test_faster_than_anybody_plays_is_refused_with_the_time_to_wait(
    table: Table, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = Buckets(2, 3, lambda: 0.0)
    monkeypatch.setattr(rate_limits, "action_rates", lambda: stopped)
    answers = [ann.post(table.good_bid(0)) for _ in range(4)]
    assert [answer.status for answer in answers] == [200, 200, 200, 429]
    refused(answer := answers[3], 429, "too_many_requests")
    assert {answer.headers["RateLimit-Policy"] for answer in answers} == {'"actions";q=3;w=2'}
    left = [answer.headers["RateLimit"] for answer in answers]
    assert left == ['"actions";r=2;t=1', '"actions";r=1;t=1', '"actions";r=0;t=2', '"actions";r=0;t=2']
    assert answer.headers["Retry-After"] == "1"
    assert table.people[1].post(table.good_bid(1)).status == 200


@both
def test_when_too_much_was_refused_it_is_said_until_when_and_good_bids_go_through(
    table: Table, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refusal_quota, "QUOTAS", ((2, timedelta(hours=1)),))
    bad = {"type": "bid", "seat": "nowhere", "amount": 1}
    assert [ann.post(bad).status for _ in range(2)] == [422, 422]
    answer = ann.post(bad)
    refused(answer, 429, "too_many_refused")
    assert 3500 < int(answer.headers["Retry-After"]) <= 3600
    assert ann.post(table.good_bid(0)).status == 200


@both_ways
@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (OperationalError("server closed the connection unexpectedly: secret"), 503, "database_unavailable"),
        (MatchFault("Something is wrong with this match."), 503, "match_fault"),
        (RuntimeError("secret"), 500, "internal_error"),
    ],
)
def test_what_fails_on_our_side_is_an_answer_that_tells_nothing(
    table: Table, ann: Person, by: str, error: Exception, status: int, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(services, "act", fail)
    answer = ann.post(table.good_bid(0), by=by)
    refused(answer, status, code)
    assert "secret" not in json.dumps(answer.body)


@both
@both_ways
def test_a_dry_run_answers_and_stores_nothing(table: Table, ann: Person, by: str) -> None:
    rows, version = Submission.objects.count(), table.match.public_version
    answer = ann.post(table.good_bid(0), by=by, query="?dry_run=1")
    assert (answer.status, answer.body) == (200, {"accepted": True, "dry_run": True})
    refused(ann.post({"type": "dance"}, by=by, query="?dry_run=1"), 422, "unknown_action")
    assert (Submission.objects.count(), table.match.public_version) == (rows, version)


def test_a_token_at_a_host_that_is_not_ours_is_left_to_django(ann: Person, table: Table) -> None:
    answer = ann.post(table.good_bid(0), Host="evil.example")
    assert (answer.status, answer.code) == (400, "bad_request")


def test_of_two_keys_none_is_chosen() -> None:
    assert actions.key_of(["once"]) == "once"
    with pytest.raises(ApiError) as refusal:
        actions.key_of(["once", "twice"])
    assert (refusal.value.status, refusal.value.code) == (400, "bad_key")


UNKNOWN = [
    "dry_run=true",
    "dry_run=",
    "dry_run",
    "dry=1",
    "dry_run=1&dry_run=0",
    "dry_run=1&fast=1",
    "Dry_run=1",
    "x=1",
    "=1",
]


def test_a_query_that_is_not_understood_carries_nothing_out(table: Table, ann: Person) -> None:
    for query in UNKNOWN:
        rows = Submission.objects.count()
        refused(ann.post(table.good_bid(0), query=f"?{query}"), 400, "malformed")
        refused(ann.post(b"{", query=f"?{query}"), 400, "malformed")
        assert Submission.objects.count() == rows
