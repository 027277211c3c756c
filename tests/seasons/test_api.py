"""The API of seasons: what everybody may know, accounts, opponents and hosts' commands."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import ApiToken, User
from seasons.models import Member
from tests.seasons.played import HOST, NAMES, three_matches

pytestmark = pytest.mark.django_db


class Program:
    """A program with somebody's token."""

    def __init__(self, username: str) -> None:
        _, secret = ApiToken.issue(User.objects.get(username=username), "a program")
        self._headers = {"Authorization": f"Bearer {secret}"}
        self._client = Client()

    def get(self, address: str, status: int = 200) -> Any:
        answer = self._client.get(f"/api/v1/seasons/{address}", headers=self._headers)
        assert answer.status_code == status, answer.content
        return answer.json()

    def post(self, address: str, body: Any, key: str = "") -> tuple[int, str]:
        headers = self._headers | ({"Idempotency-Key": key} if key else {})
        answer = self._client.post(f"/api/v1/seasons/{address}", body, "application/json", headers=headers)
        return answer.status_code, answer.json().get("code", "accepted")


def test_everybody_reads_a_season_and_members_their_account_alone() -> None:
    season = three_matches(end=False)
    id_ = season.public_id
    found = Client().get(f"/api/v1/seasons/{id_}/").json()
    assert (found["phase"], found["status"], found["me"], found["hosts"]) == ("running", "running", None, [HOST])
    cast = {line["handle"]: line for line in found["cast"]}
    assert cast["fay"] | {"account": 0} == {
        "handle": "fay", "name": NAMES["fay"], "username": "user-fay", "is_bot": False, "team": None, "status": "out",
        "place": 6, "account": 0,
    }  # fmt: skip
    assert [match["is_death_match"] for match in found["matches"]] == [False] * 3
    assert [bool(match["settled_at"]) for match in found["matches"]] == [True, True, False]
    whole = Client().get(f"/api/v1/seasons/{id_}/feed/").json()
    assert any("Lost 3 to 1." in news["text"] for news in whole["feed"])
    lines, path = [], f"/api/v1/seasons/{id_}/feed/?limit=4"
    while path:
        page = Client().get(path).json()
        lines, path = [*lines, *page["feed"]], page["next"]
    assert (lines, whole["next"]) == (whole["feed"], None)
    (line,) = Client().get("/api/v1/seasons/").json()["seasons"]
    assert (line["members"], line["still_in"], line["winners"]) == (6, 5, [])

    ann, host = Program("user-ann"), Program(HOST)
    mine = ann.get(f"{id_}/ledger/")
    assert mine["handle"] == "ann"
    entries, path = [], f"{id_}/ledger/?limit=2"
    while path:
        page = ann.get(path.removeprefix("/api/v1/seasons/"))
        entries, path = [*entries, *page["entries"]], page["next"]
    assert (entries, mine["next"]) == (mine["entries"], None)
    assert {"Opening balance", "Brought into the match", "Back from the match"} <= {e["why"] for e in mine["entries"]}
    assert any(entry["note"] == "Won a quiz." and entry["change"] == 4 for entry in mine["entries"])
    assert ann.get(f"{id_}/ledger/?of=bob", 403)["code"] == "not_yours"
    assert host.get(f"{id_}/ledger/?of=bob")["handle"] == "bob"
    assert ann.get(f"{id_}/export/", 409)["code"] == "not_ended"


def test_a_candidate_names_the_opponent() -> None:
    season = three_matches(end=False)
    id_, ann = season.public_id, Program("user-ann")
    assert ann.post(f"{id_}/opponent/", {"opponent": "bob"}) == (422, "wrong_phase")
    assert ann.post(f"{id_}/opponent/", {"opponnent": "bob"}) == (422, "malformed")
    assert ann.post(f"{id_}/gift/", {"to": "bob", "amount": 1.5}) == (422, "malformed")
    assert ann.post(f"{id_}/gift/", {"to": "bob", "amount": 0}) == (422, "not_positive")
    assert ann.post(f"{id_}/gift/", {"to": "bob", "amount": 1}) == (422, "wrong_phase")


def test_a_season_that_has_ended_is_proved_from_its_file_alone(tmp_path: Path, capsys: Any) -> None:
    season = three_matches(end=True, with_people=False)
    file = Client().get(f"/api/v1/seasons/{season.public_id}/export/")
    whole = file.json()
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_bytes(file.content)
    entry = next(each for each in whole["ledger"] if each["reason"] == "correction")
    entry["amount"] += 1
    bad.write_text(json.dumps(whole))
    Member.objects.all().update(garnets=99)  # what is stored does not matter
    head = Client().get(f"/api/v1/seasons/{season.public_id}/").json()["fingerprint"]["hash"]
    call_command("verify", file=str(good), head=[head])
    for file, heads, status in ((good, [], 3), (good, [head, "f" * 64], 1), (bad, [head], 1)):
        with pytest.raises(CommandError) as refused:
            call_command("verify", file=str(file), head=heads)
        assert refused.value.returncode == status
    assert "The ledger" in capsys.readouterr().out
