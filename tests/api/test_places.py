"""Who is away, more time, and invitations, for programs."""

import json
from datetime import timedelta
from typing import Any

import pytest

from matches.models import Absence, Match, clock
from tests.fixtures.table import Answer, Person, Table, request


def iso(**ahead: float) -> str:
    return (clock.now() + timedelta(**ahead)).isoformat()


def post(person: Person, what: str, body: Any, *, by: str = "token", **headers: str) -> Answer:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    who = person.bearer() if by == "token" else person.cookies()
    path = f"/api/v1/matches/{person.match_id}/{what}/"
    return request(person.site, "POST", path, data, **{"Content_Type": "application/json", **who, **headers})


def get(person: Person, what: str) -> Answer:
    return person.get(f"matches/{person.match_id}/{what}/")


@pytest.fixture
def lenient(table: Table) -> Table:
    Match.objects.filter(pk=table.match.pk).update(bots_stand_in=True)
    return table


@pytest.mark.parametrize("by", ["token", "session"])
def test_a_player_is_away_and_comes_back(lenient: Table, by: str) -> None:
    ann, bob = lenient.people[:2]
    assert get(ann, "place").body["own"] is None
    said = {"do": "away", "since": iso(), "until": iso(days=2), "reason": "My wedding", "bot": True}
    sent = post(ann, "place", said, by=by, Idempotency_Key="one")
    assert (sent.status, sent.body) == (200, {"accepted": True})
    assert post(ann, "place", said, by=by, Idempotency_Key="one").body == sent.body
    assert Absence.objects.count() == 1
    own = get(ann, "place").body["own"]
    assert (own["reason"], own["bot"], own["is_now"], own["noted_by"]) == ("My wedding", True, True, "")
    seen = get(bob, "place").body
    assert seen["own"] is None
    (other,) = seen["away"]
    assert other == {key: own[key] for key in ("player", "since", "until", "bot", "is_now")}
    assert "wedding" not in json.dumps(seen)

    assert post(ann, "place", {"do": "back"}, by=by, Idempotency_Key="one").code == "key_reused"
    assert post(ann, "place", {"do": "back"}, by=by, Idempotency_Key="two").status == 200
    assert post(ann, "place", {"do": "back"}, by=by, Idempotency_Key="two").status == 200
    assert post(ann, "place", {"do": "back"}, by=by).code == "not_away"
    assert get(ann, "place").body["own"] is None


FAR = "9999-12-31T23:59:59-12:00"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, "malformed_json"),
        ([], 422, "malformed"),
        ({}, 422, "malformed"),
        ({"do": "fly"}, 422, "malformed"),
        ({"do": "back", "now": True}, 422, "malformed"),
        ({"do": "away", "since": "2026-11-24", "until": "x"}, 422, "malformed"),
        ({"do": "away", "since": "2026-11-24T10:00", "until": "2026-11-25T10:00"}, 422, "malformed"),
        ({"do": "away", "since": 5, "until": FAR}, 422, "malformed"),
        ({"do": "away", "since": FAR, "until": FAR}, 409, "absence_times"),
        ({"do": "away", "since": "9999-12-31T22:59:59-12:00", "until": FAR}, 409, "absence_times"),
        ({"do": "away", "since": "0001-01-01T00:00:00+14:00", "until": FAR}, 409, "absence_times"),
        ({"do": "away", "since": "SOON", "until": "LATER", "reason": "x" * 201}, 422, "malformed"),
        ({"do": "away", "since": "SOON", "until": "LATER", "reason": "a\0b"}, 422, "text_not_visible"),
        ({"do": "away", "since": "SOON", "until": "LATER", "reason": "a\nb"}, 422, "text_not_visible"),
        ({"do": "away", "since": "LATER", "until": "SOON"}, 409, "absence_times"),
        ({"do": "away", "since": "SOON", "until": "LATER", "bot": True}, 409, "no_bots_stand_in"),
    ],
)
def test_what_cannot_be_is_refused_in_words(table: Table, body: Any, status: int, code: str) -> None:
    if isinstance(body, dict):
        times = {"SOON": iso(hours=1), "LATER": iso(hours=5)}
        body = {key: times.get(str(value), value) for key, value in body.items()}
    answer = post(table.people[0], "place", body)
    assert (answer.status, answer.code) == (status, code), answer.body
    assert answer.body["message"].endswith(".")
    assert not Absence.objects.exists()
