"""What the programs of hosts do in seasons: all that the desk does."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import ApiToken, User
from matches.models import Match, clock
from notices.models import Notice
from seasons.models import Season, SeasonInvitation
from seasons.services.roles import why_no_member
from seasons.services.verifying import verify
from tests.admin.conftest import person
from tests.fixtures.any_game import SLUG
from tests.fixtures.described import as_described
from tests.seasons.test_api import Program

pytestmark = pytest.mark.django_db

BOTS = [{"handle": f"bot{number}", "is_bot": True, "garnets": number} for number in range(1, 5)]


class Host(Program):
    """A program with the token of a host. Each answer is as the API's description says."""

    def send(self, address: str, body: Any, key: str = "") -> Any:
        headers = self._headers | ({"Idempotency-Key": key} if key else {})
        path = f"/api/v1/seasons/{address}"
        answer = self._client.post(path, body, "application/json", headers=headers)
        as_described("POST", path, answer.status_code, answer.json())
        return answer.json()

    def code(self, address: str, body: Any, key: str = "") -> str:
        return str(self.send(address, body, key).get("code", "accepted"))

    def do(self, id_: str, do: str, key: str = "", **fields: Any) -> str:
        return self.code(f"{id_}/desk/", {"do": do, **fields}, key)


@pytest.fixture
def host() -> Host:
    person("hanna", staff=True)
    return Host("hanna")


@pytest.fixture
def draft(host: Host) -> str:
    id_ = str(host.send("", {"title": "Autumn"})["season"])
    assert host.code(f"{id_}/cast/", {"cast": [*BOTS, {"handle": "free"}]}) == "accepted"
    return id_


def season_of(id_: str) -> Season:
    return Season.objects.get(public_id=id_)


def test_a_season_is_made_changed_begun_played_and_ended_by_programs_alone(host: Host) -> None:
    new = {
        "title": "Autumn",
        "settings": {"opponent": "none"},
        "usual_hour": {"hour": "18:00", "zone": "Europe/Berlin"},
    }
    id_ = host.send("", new, key="once")["season"]
    assert host.send("", new, key="once")["season"] == id_
    assert [(line["id"], line["role"]) for line in host.get("mine/")["seasons"]] == [(id_, "owner")]
    assert host.do(id_, "change", description="For friends.", usual_hour=None) == "accepted"
    shown = host.get(f"{id_}/")
    assert (shown["description"], shown["usual_hour"], shown["settings"]) == (
        "For friends.",
        None,
        {"opponent": "none"},
    )

    ann = person("ann")
    member = {"handle": "ann", "username": "ann", "garnets": 3, "blood_garnets": "12.5", "team": "red"}
    assert host.code(f"{id_}/cast/", {"cast": [*BOTS, {"handle": "free"}]}) == "accepted"
    nonce = season_of(id_).cast.get(handle="free").invite_nonce
    assert host.code(f"{id_}/cast/", {"cast": [member, {"handle": "free", "garnets": 2}, *BOTS[1:]]}) == "accepted"
    cast = host.get(f"{id_}/cast/")["cast"]
    assert [line["handle"] for line in cast] == ["bot2", "bot3", "bot4", "free", "ann"]
    assert cast[-1] | {"name": ""} == {**member, "is_bot": False, "name": "", "priority": 0}
    assert season_of(id_).cast.get(handle="free").invite_nonce == nonce, "the invitation that was sent still works"

    assert host.do(id_, "begin", key="now") == "accepted"
    assert host.do(id_, "begin", key="now") == "already_done"
    first = {"game": SLUG, "players": ["bot2", "bot3", {"handle": "bot4"}]}
    made = host.send(f"{id_}/matches/", first, key="first")
    assert host.send(f"{id_}/matches/", first, key="first") == made
    match = Match.objects.get(public_id=made["match"])
    assert (made["number"], match.status, match.players.count()) == (1, "draft", 3)
    starts = (clock.now() + timedelta(hours=3)).isoformat()
    second = host.send(f"{id_}/matches/", {"game": SLUG, "starts_at": starts, "title": "Two"})
    match = Match.objects.get(public_id=second["match"])
    assert (match.title, match.status, match.players.count()) == ("Two", "scheduled", 5)
    third = host.send(f"{id_}/matches/", {"game": SLUG, "start_now": True, "open_places": "bots"})
    match = Match.objects.get(public_id=third["match"])
    assert (match.status, match.players.count()) == ("open", 5)

    assert host.do(id_, "count_blood", match=3) == "accepted"
    assert host.do(id_, "replace", player="bot2", username="zoe", reason="Zoe plays.") == "unknown_person"
    person("zoe")
    assert host.do(id_, "replace", player="bot2", username="zoe", reason="Zoe plays.") == "accepted"
    assert host.do(id_, "replace", player="ann", is_bot=True, reason="Ann is ill.") == "accepted"
    person("otto", staff=True)
    assert host.do(id_, "set_roles", owner="otto", hosts=["otto", "hanna"]) == "accepted"
    assert host.get(f"{id_}/")["hosts"] == ["otto", "hanna"]
    assert host.do(id_, "end") == "command_refused", "its matches are cancelled, so there has to be a reason"
    assert host.do(id_, "end", reason="Enough.") == "accepted"
    season = season_of(id_)
    assert (season.status, verify(season)) == ("ended", [])
    assert {each.match.status for each in season.matches.all()} == {"draft", "cancelled"}
    assert ann.season_members.count() == 0


def test_only_hosts_with_a_token_that_may_act_do_any_of_it(host: Host, draft: str) -> None:
    person("ann")
    stranger, other = Host("ann"), Host(person("otto", staff=True).username)
    _, secret = ApiToken.issue(User.objects.get(username="hanna"), "reads", ApiToken.Scope.READ)
    reader = Host("hanna")
    reader._headers = {"Authorization": f"Bearer {secret}"}
    deeds = {"desk": {"do": "begin"}, "cast": {"cast": []}, "matches": {"game": SLUG}}
    deeds["invitations"] = {"do": "invite", "place": "free"}
    for address, body in deeds.items():
        assert stranger.code(f"{draft}/{address}/", body) == "unknown_season"
        assert other.code(f"{draft}/{address}/", body) == "unknown_season"
        assert reader.code(f"{draft}/{address}/", body) == "token_may_only_read"
    assert (stranger.code("", {"title": "Mine"}), reader.code("", {"title": "Mine"})) == (
        "not_a_host",
        "token_may_only_read",
    )
    reader.get(f"{draft}/invitations/", 403)
    assert reader.get(f"{draft}/cast/")["cast"]
    assert other.get("mine/")["seasons"] == []
    assert host.do(draft, "begin") == "accepted"
    assert host.do(draft, "set_roles", owner="hanna", hosts=["hanna"], observers=["otto"]) == "accepted"
    for address, body in deeds.items():
        assert stranger.code(f"{draft}/{address}/", body) == "not_a_host"
        assert other.code(f"{draft}/{address}/", body) == "not_a_host"
    assert other.get(f"{draft}/cast/")["cast"]
    assert [line["role"] for line in other.get("mine/")["seasons"]] == ["observer"]


def test_what_cannot_be_is_refused_and_nothing_of_it_is_done(host: Host, draft: str) -> None:
    for settings in ({"opponent": "fate"}, {"luck": 1}):
        assert host.code("", {"title": "Bad", "settings": settings}) == "malformed"
        assert host.do(draft, "change", title="Worse", settings=settings) == "malformed"
    hour = {"hour": "25:00", "zone": "Europe/Berlin"}
    assert host.code("", {"title": "Bad", "usual_hour": hour}) == "malformed"
    assert (Season.objects.count(), season_of(draft).title) == (1, "Autumn")

    person("ann")
    for cast, code in (
        ([*BOTS, BOTS[0]], "command_refused"),
        ([*BOTS, {"handle": "B0T1"}], "command_refused"),
        ([*BOTS, {"handle": "eve", "username": "nobody"}], "unknown_person"),
        ([*BOTS, {"handle": "eve", "username": "hanna"}], "command_refused"),
        ([{"handle": "x", "username": "ann"}, {"handle": "y", "username": "ann"}], "command_refused"),
        ([{"handle": "x", "username": "ann", "is_bot": True}], "command_refused"),
        ([*BOTS, {"handle": "eve", "garnets": -1}], "malformed"),
        ([*BOTS, {"handle": "eve", "blood_garnets": "1.23456"}], "command_refused"),
        ([*BOTS, {"handle": "eve", "blood_garnets": "-1"}], "malformed"),
        ([*BOTS, {"handle": "eve", "blood_garnets": "NaN"}], "malformed"),
        ([*BOTS, {"handle": "eve", "name": "e\u202eve"}], "text_not_visible"),
    ):
        assert host.code(f"{draft}/cast/", {"cast": cast}) == code, cast[-1]
    assert season_of(draft).cast.count() == 5

    assert host.code(f"{draft}/matches/", {"game": SLUG}) == "wrong_phase"
    assert host.do(draft, "begin") == "accepted"
    assert host.do(draft, "change", title="Too late") == "command_refused"
    assert host.code(f"{draft}/cast/", {"cast": BOTS}) == "command_refused"
    out = {"out": "bot4", "reason": "Left."}
    assert host.code(f"{draft}/commands/", out) == "accepted"
    game = SLUG
    past, far = ((clock.now() + timedelta(days=days)).isoformat() for days in (-1, 400))
    for body, code in (
        ({"game": "chess"}, "unknown_game"),
        ({"game": game, "preset": "Huge"}, "malformed"),
        ({"game": game, "config": {"luck": 1}}, "malformed"),
        ({"game": game, "players": ["bot1", "bot1", "bot2"]}, "malformed"),
        ({"game": game, "players": ["bot1", "bot2", "eve"]}, "not_in_cast"),
        ({"game": game, "players": ["bot1", "bot2", "bot4"]}, "not_in"),
        ({"game": game, "players": [{"handle": "bot1", "team": "red"}, "bot2"]}, "malformed"),
        ({"game": game, "starts_at": past}, "command_refused"),
        ({"game": game, "starts_at": far}, "command_refused"),
        ({"game": game, "players": [], "start_now": True}, "command_refused"),
    ):
        assert host.code(f"{draft}/matches/", body) == code, body
    assert not Match.objects.exists(), "a match that cannot be published is not left behind as a draft"
    assert host.do(draft, "count_blood", match=1) == "malformed"
    assert host.do(draft, "delete") == "command_refused"


def test_invitations_are_made_sent_again_and_revoked_by_programs(host: Host, draft: str) -> None:
    eve = person("eve")
    address = f"{draft}/invitations/"
    (place,) = host.get(address)["open"]
    invite = {"do": "invite", "place": "free", "sent_to": "eve", "lasts": 3600}
    made = host.send(address, invite, key="once")["invitation"]
    assert host.code(address, invite, key="once") == "already_done"
    assert (made["place"], made["sent_to"], made["became"]) == ("free", "eve", "")
    assert made["link"] != place["link"]
    assert host.code(address, {"do": "send_again", "number": made["number"]}, key="again") == "accepted"
    assert host.code(address, {"do": "send_again", "number": made["number"]}, key="again") == "already_done"
    assert Notice.objects.filter(user=eve).count() == 2
    assert host.code(address, {"do": "revoke", "number": made["number"]}) == "accepted"
    assert host.code(address, {"do": "revoke", "number": made["number"]}) == "invitation_gone"
    (gone,) = host.get(address)["invitations"]
    assert (gone["became"], gone["link"]) == ("revoked", None)
    assert host.code(address, {**invite, "place": "bot1"}) == "command_refused"
    assert host.code(address, {**invite, "place": "nowhere"}) == "unknown_place"
    assert SeasonInvitation.objects.count() == 1


def test_whoever_reads_accounts_as_a_superuser_can_never_be_a_member(host: Host, draft: str) -> None:
    host.do(draft, "begin")
    season = season_of(draft)
    boss = User.objects.create_superuser("boss")
    program = Program("boss")
    program.get(f"{draft}/")
    assert why_no_member(season, boss) == "", "what everybody reads tells no secret"
    assert program.get(f"{draft}/ledger/?of=bot1")["entries"]
    assert "can never be a member" in why_no_member(season, boss)


def test_a_draft_is_deleted_by_its_owner(host: Host, draft: str) -> None:
    assert host.do(draft, "delete") == "accepted"
    assert not Season.objects.exists()
