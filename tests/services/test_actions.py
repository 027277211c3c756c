"""Players act: answers, receipts, keys, versions, and what stands in the log."""

import json
from datetime import timedelta

import pytest

from matches.models import Match, Player, Submission
from matches.services import hosting
from matches.services.actions import submit_for
from matches.services.errors import MatchFault, TooLarge
from matches.services.group.queue import submit
from tests.engine.tiny_game import TinyGame
from tests.fixtures.present import START
from tests.services.conftest import DAY, HOUR

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def versions(table) -> dict[str, int]:
    stored = {player.handle: player.version for player in Player.objects.filter(match_id=table.match_id)}
    return {"public": table.match.public_version, **stored}


def moved(table, before: dict[str, int]) -> set[str]:
    return {name for name, version in versions(table).items() if version != before[name]}


class TestReceipts:
    def test_a_receipt_names_ones_own_count_and_time_and_nothing_of_others(self, table):
        table.at(HOUR).act("bob", "bid", amount=3)
        answer = table.at(2 * HOUR).act("ann", "bid", amount=2)
        assert answer.receipt["number"] == 1
        assert answer.receipt["match_time"] == 7200
        assert answer.receipt["at"] == (START + 2 * HOUR).isoformat()
        assert set(answer.receipt) == {"number", "at", "match_time", "hash", "salt"}

    def test_own_actions_are_counted_and_rejected_ones_are_not(self, table):
        numbers = [table.act("ann", "bid", amount=amount).receipt for amount in (2, 99, 3)]
        assert [receipt and receipt["number"] for receipt in numbers] == [1, None, 2]


class TestIdempotencyKeys:
    def test_a_rejection_is_repeated_with_its_field_even_when_it_would_be_accepted_by_now(self, table):
        first = table.act("ann", "buy_chips", key="k", count=9)
        hosting.correct_balance(table.match, table.host, table.player("ann"), "garnet", 50, "a gift")
        again = table.act("ann", "buy_chips", key="k", count=9)
        assert (first.code, first.field, first.message) == (again.code, again.field, again.message)
        assert first.field == "count"
        assert not again.accepted


class TestVersions:
    def test_a_sealed_bid_moves_no_number_but_ones_own(self, table):
        before = versions(table)
        table.act("ann", "bid", amount=3)
        assert moved(table, before) == {"ann"}

    def test_a_deadline_moves_everybodys_number_once(self, table):
        before = versions(table)
        table.at(DAY).advance()
        assert moved(table, before) == {"public", "ann", "bob", "cat"}

    def test_the_answer_to_an_action_that_was_too_late_tells_the_versions_behind_the_deadline(self, table):
        table.at(DAY)
        answer = table.act("ann", "bid", amount=3)
        assert not answer.accepted
        assert answer.versions == {"public": versions(table)["public"], "private": versions(table)["ann"]}

    def test_whoever_is_told_of_a_change_is_told_after_the_commit_and_only_of_what_changed(
        self, table, django_capture_on_commit_callbacks
    ):
        from matches.services.signals import match_changed

        heard = []

        def hear(sender, signal, **facts):
            heard.append(facts)

        match_changed.connect(hear)
        try:
            with django_capture_on_commit_callbacks(execute=True):
                table.act("ann", "bid", amount=3)
                assert not heard
            with django_capture_on_commit_callbacks(execute=True):
                table.act("ann", "bid", amount=99)
        finally:
            match_changed.disconnect(hear)
        assert heard == [
            {
                "match_id": table.match_id,
                "head": table.match.log_count - 1,
                "public": False,
                "players": frozenset({table.player("ann").pk}),
            }
        ]

    def test_a_push_that_fails_does_not_make_a_stored_action_look_refused(
        self, table, django_capture_on_commit_callbacks
    ):
        from matches.services.signals import match_changed

        def fail(**facts):
            raise OSError("the channel layer is away")

        match_changed.connect(fail)
        try:
            with django_capture_on_commit_callbacks(execute=True):
                assert table.act("ann", "bid", amount=3).accepted
        finally:
            match_changed.disconnect(fail)


ODD = [None, 7, "bid", [], {}, {"type": "bid", "amount": "\ud800"}, {"type": "\ud800"}, {"type": "bid", "x": 2**80}]


def test_whatever_json_brings_is_a_rejection_that_stands_in_the_log(table):
    for raw in ODD:
        answer = submit(table.match_id, table.users["ann"].pk, raw)
        assert not answer.accepted
        row = Submission.objects.filter(match=table.match).latest("number")
        assert (row.code, row.accepted) == (answer.code, False)
        assert json.loads(row.payload) == raw


def test_more_than_any_action_takes_is_refused_and_not_stored(table):
    before = table.match.log_count
    for raw in ({"type": "x" * 20_000}, _nested(100_000)):
        with pytest.raises(TooLarge):
            submit(table.match_id, table.users["ann"].pk, raw)
    assert table.match.log_count == before


def _nested(depth: int) -> list:
    value: list = []
    for _ in range(depth):
        value = [value]
    return value


def test_rules_that_raise_store_nothing_and_leave_a_fault_for_the_hosts(table, monkeypatch):
    monkeypatch.setattr(TinyGame, "act", lambda *arguments: 1 // 0)
    before = (table.match.state, table.match.log_count)
    with pytest.raises(MatchFault):
        table.act("ann", "bid", amount=1)
    match = table.match
    assert (match.state, match.log_count - 1) == before
    assert match.log.last().payload == '{"command":"fault"}'
    assert match.fault.startswith("ZeroDivisionError")
    assert (match.failures, match.status) == (0, "open")


def test_an_old_copy_of_a_player_overwrites_nothing(table):
    """Bots and hosts' decisions come with a player who was looked up a while ago."""
    old = table.player("ann")
    table.act("ann", "bid", amount=1)
    table.act("ann", "bid", amount=2)
    assert submit_for(old, {"type": "bid", "amount": 3}).receipt["number"] == 3
    assert table.player("ann").action_count == 3


def test_a_clock_that_is_put_back_does_not_put_match_time_back(table):
    table.at(5 * HOUR).act("ann", "bid", amount=1)
    answer = table.at(2 * HOUR).act("bob", "bid", amount=1)
    assert answer.accepted
    assert answer.receipt["match_time"] == 5 * 3600


def test_time_passes_at_the_matchs_own_speed(present):
    from tests.services.conftest import Table

    table = Table(present)
    Match.objects.filter(pk=table.match_id).update(speed=100)
    table.open()
    assert table.match.next_deadline_at == START + timedelta(minutes=14, seconds=24)
    table.at(timedelta(minutes=1))
    assert table.act("ann", "bid", amount=1).receipt["match_time"] == 6000


def test_what_is_over_gets_no_further_rows(table):
    table.at(2 * DAY)
    assert table.act("ann", "bid", amount=1).code == "wrong_phase"
    assert table.match.is_over
    count, head = table.match.log_count, table.match.log_head
    assert table.act("ann", "bid", amount=1).code == "wrong_phase"
    assert (table.match.log_count, table.match.log_head) == (count, head)
