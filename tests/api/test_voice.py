"""What hosts say, and questions to them, for programs."""

import json
from typing import Any

import pytest

from matches.models import HostNote, Question
from matches.services import hosting
from tests.fixtures.site import Site
from tests.fixtures.table import Answer, Person, Table, request


@pytest.fixture
def host(table: Table) -> Any:
    from accounts.models import User

    user = User.objects.create_user("dora", "dora@example.org", None)
    table.match.roles.create(user=user, role="cohost")
    return user


def ask(person: Person, body: Any, *, by: str = "token", **headers: str) -> Answer:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    who = person.bearer() if by == "token" else person.cookies()
    path = f"/api/v1/matches/{person.match_id}/questions/"
    return request(person.site, "POST", path, data, **{"Content_Type": "application/json", **who, **headers})


def get(site: Site, path: str) -> Answer:
    return request(site, "GET", f"/api/v1/{path}")


def test_everybody_reads_what_hosts_say_and_who_hosts(table: Table, host: Any) -> None:
    first = hosting.announce(table.match, host, "clarification", "At noon.")
    second = hosting.announce(table.match, host, "clarification", "At one.", corrects=first.token)
    hosting.withdraw(table.match, host, second.token, "It is not known yet")
    answer = get(table.site, f"matches/{table.id}/notes/")
    assert answer.status == 200
    assert "dora" in answer.body["hosts"]
    before, now = answer.body["notes"]
    assert (before["text"], before["corrects"], before["kind"], before["host"]) == (
        "At noon.",
        None,
        "clarification",
        "dora",
    )
    assert (now["text"], now["corrects"], now["withdrawn_because"]) == ("At one.", first.token, "It is not known yet")
    assert now["withdrawn_at"].endswith(("Z", "+00:00"))


@pytest.mark.parametrize("by", ["token", "session"])
def test_a_player_asks_and_reads_the_answer(table: Table, host: Any, by: str) -> None:
    ann, bob = table.people[:2]
    sent = ask(ann, {"text": "May I?"}, by=by, Idempotency_Key="one")
    assert (sent.status, sent.body["accepted"], sent.body["question"]["text"]) == (200, True, "May I?")
    assert ask(ann, {"text": "May I?"}, by=by, Idempotency_Key="one").body == sent.body
    assert Question.objects.count() == 1
    assert ask(ann, {"text": "May I not?"}, by=by, Idempotency_Key="one").code == "key_reused"
    hosting.answer(table.match, host, sent.body["question"]["token"], "You may.")
    (own,) = ann.get(f"matches/{table.id}/questions/").body["questions"]
    assert (own["text"], own["answer"], own["answered_by"], own["note"]) == ("May I?", "You may.", "dora", None)
    assert bob.get(f"matches/{table.id}/questions/").body == {"questions": []}
    assert HostNote.objects.count() == 0


def test_who_may_not_ask(table: Table) -> None:
    ann = table.people[0]
    path = f"/api/v1/matches/{table.id}/questions/"
    body = b'{"text": "May I?"}'
    assert request(table.site, "POST", path, body).code == "not_signed_in"
    assert request(table.site, "GET", path).code == "not_signed_in"
    assert request(table.site, "POST", path, body, **ann.cookies(csrf=False)).code == "csrf_failed"
    assert ask(ann, {"text": "May I?"}, Idempotency_Key="é").code == "bad_key"
    table.player(0).match.players.filter(handle=ann.handle).update(user=None)
    assert ask(ann, {"text": "May I?"}).code == "not_a_player"
    assert Question.objects.count() == 0
