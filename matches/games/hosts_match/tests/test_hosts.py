"""What hosts do inside the rules, through the services: rows of the log with their names, played again by `verify`."""

import json
from typing import Any

import pytest

from accounts.models import User
from matches.games.hosts_match.tests.at_table import AtTable
from matches.models import Match
from matches.proof import check_export
from matches.queries.host_acts import host_act_rows, host_acts
from matches.queries.log import exported
from matches.queries.matches import Position
from matches.services.actions import submit_for
from matches.services.commands import AlreadyDone, NotAHost
from matches.services.errors import CommandRefused
from matches.services.hosting import act_as_host, correct_balance, last_undoable
from matches.services.replay import verify
from tests.games.notices import texts_told

RESULT = {"type": "post_result", "text": "Bob gets it.", "reveal": {"bid": "named"}, "round": 1}
PAID = {**RESULT, "book": [{"player": "bob", "asset": "coin", "amount": -12}]}


@pytest.fixture
def judging(at_table: AtTable) -> AtTable:
    """The first round has closed: ann has bid 5, bob 12."""
    return at_table.answer("ann", bid=5).answer("bob", bid=12).at(25)


def balance(match: Match, who: str, asset: str) -> int:
    return sum(each.amount for each in match.players.get(handle=who).holdings.filter(asset=asset))


def test_a_result_is_a_row_of_the_log_with_the_hosts_name_and_is_played_again(judging: AtTable) -> None:
    assert judging.match.next_deadline_at is None
    act_as_host(judging.match, judging.users["dora"], PAID, key="once")
    row = judging.match.log.filter(actor="host:dora").order_by("-number").first()
    assert row is not None
    assert json.loads(row.payload) == {"command": "act", "action": PAID}
    assert row.user_id == judging.users["dora"].pk
    assert balance(judging.match, "bob", "coin") == 8
    assert judging.match.next_deadline_at is not None
    assert verify(judging.match) == []
    assert host_acts(judging.match, host_act_rows(judging.match))[0].what == "posted the result of a round"
    assert last_undoable(judging.match) is None
    row.payload = row.payload.replace("-12", "-11")
    row.save()
    assert verify(judging.match) != []


def test_the_same_key_and_a_second_host_book_nothing_twice(judging: AtTable) -> None:
    act_as_host(judging.match, judging.users["dora"], PAID, key="once")
    with pytest.raises(AlreadyDone):
        act_as_host(judging.match, judging.users["dora"], PAID, key="once")
    hugo = User.objects.create_user("hugo", "hugo@example.org", None)
    judging.match.roles.create(user=hugo, role="cohost")
    with pytest.raises(CommandRefused) as refused:
        act_as_host(judging.match, hugo, PAID, key="other")
    assert refused.value.code == "already_posted"
    assert balance(judging.match, "bob", "coin") == 8
    assert verify(judging.match) == []


@pytest.mark.parametrize("who", ["ann", "gil"])
def test_nobody_but_hosts_acts_as_one(judging: AtTable, who: str) -> None:
    with pytest.raises(NotAHost):
        act_as_host(judging.match, judging.users[who], PAID)


def test_a_refused_result_changes_nothing_and_stays_in_the_log(judging: AtTable) -> None:
    too_much = {**RESULT, "book": [{"player": "ann", "asset": "coin", "amount": -21}], "out": ["bob"]}
    before = judging.match.state
    with pytest.raises(CommandRefused) as refused:
        act_as_host(judging.match, judging.users["dora"], too_much)
    assert (refused.value.code, refused.value.field) == ("not_enough", "book[0].amount")
    assert judging.match.state == before
    assert host_acts(judging.match, host_act_rows(judging.match))[0].what.endswith("nothing changed)")
    assert verify(judging.match) == []


def test_only_hosts_see_who_has_answered_and_what(at_table: AtTable) -> None:
    at_table.answer("ann", bid=5)
    position = Position(at_table.match)
    assert position.hosts.answered == ("ann",)
    assert position.hosts.judged == ()
    position = Position(at_table.at(25).match)
    assert position.hosts.judged[0].answers == {"ann": {"bid": 5}}
    assert position.hosts_asked is not None
    assert position.hosts_asked.text == "Post the result of round 1."


def finished(table: AtTable) -> AtTable:
    table.host_does("end_play").host_does(**{"kind": "post_result", **without_type(PAID)})
    return table.host_does("decide", winners=["bob"], tokens={"bob": 1}, candidates=["cat"])


def without_type(action: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in action.items() if key != "type"}


def test_a_finished_match_is_exported_without_answers_and_proved(judging: AtTable) -> None:
    match = finished(judging).match
    assert match.status == Match.Status.FINISHED
    assert verify(match) == []
    export = exported(match)
    status, said = check_export.prove(export, [match.closed_head])
    assert status == check_export.OK, said
    rows = [row["facts"] for row in export["log"]]
    assert any(row and '"type":"post_result"' in row["payload"] for row in rows)
    assert not any(row and '"type":"answer"' in row["payload"] for row in rows)


def test_an_answer_to_a_round_that_has_closed_is_refused(judging: AtTable) -> None:
    answer = submit_for(judging.match.players.get(handle="cat"), {"type": "answer", "answers": {"bid": 1}})
    assert (answer.accepted, answer.code) == (False, "wrong_phase")


def test_hosts_are_told_when_a_round_has_closed_and_reminded_once_more_when_they_wanted_to_have_judged(
    judging: AtTable,
) -> None:
    def told() -> list[str]:
        return texts_told(judging.users["dora"], "hosts_asked")

    assert told() == ["Round 1 is closed. Please post its result."]
    judging.at(71)
    assert len(told()) == 1
    judging.at(73)
    assert told()[1:] == ["Post the result of round 1."]
    judging.at(200)
    assert len(told()) == 2
    judging.host_does("post_result", text="At last.")
    judging.at(201)
    assert len(told()) == 2
    judging.at(225).host_does("end_play").host_does("post_result", text="At last.")
    assert len(told()) == 3
    judging.at(270)
    correct_balance(judging.match, judging.users["dora"], judging.match.players.get(handle="ann"), "garnet", 1, "Won.")
    judging.at(274)
    assert told()[-1] == "Say who has won."
