"""Deadlines pass once, in order, each at its own time, however late anybody wakes up."""

from datetime import timedelta

import pytest

from matches.engine.step import Step
from matches.models import Bid, LedgerEntry, Match, Submission
from matches.services import deadlines, writer
from matches.services.deadlines import advance, advance_if_due, sweep
from matches.services.errors import MatchFault
from matches.services.replay import verify
from matches.services.storage.log import ENDS
from tests.engine.tiny_game import TinyGame
from tests.fixtures.present import START
from tests.services.conftest import DAY, HOUR, Table

pytestmark = [pytest.mark.django_db]

MICROSECOND = timedelta(microseconds=1)


def play(table: Table, *, punctual: bool) -> Table:
    """ann wins and then does nothing: the windows for naming and for gifts end by themselves."""
    table.open()
    table.at(HOUR).act("ann", "bid", amount=3)
    table.at(2 * HOUR).act("bob", "bid", amount=2)
    for day in (1, 2, 3) if punctual else ():
        table.at(day * DAY).advance()
    return table.at(9 * DAY).advance()


def everything(table: Table) -> list:
    """What is stored and when it happened, without ids and without when the machine got to it."""
    match = table.match
    when = ("at", "match_time")
    return [
        match.state,
        (match.status, match.finished_at, match.pregame_ended_at, match.next_deadline_at),
        list(
            LedgerEntry.objects.filter(match=match).values_list(
                "giver__handle", "receiver__handle", "asset", "amount", "reason", *when
            )
        ),
        list(Bid.objects.filter(match=match).values_list("player__handle", "amount", "status", "settled_at")),
        [
            told
            for told in match.announcements.values_list("audience", "kind", "data", *when)
            if told[1] != "match_opened"
        ],
        list(match.log.values_list("kind", "payload", "match_time").exclude(payload__contains='"open"').exclude(ENDS)),
    ]


def test_a_machine_that_slept_for_days_gives_the_same_result_as_one_that_was_on_time(present):
    seed = "5a" * 32
    tables = []
    for punctual in (True, False):
        present.instant = START
        table = Table(present, "ann bob cat dan")
        Match.objects.filter(pk=table.match_id).update(seed=seed)
        tables.append(play(table, punctual=punctual))
    assert tables[0].match.finished_at == START + 3 * DAY
    assert everything(tables[0]) == everything(tables[1])


def test_a_bid_a_microsecond_before_the_deadline_counts_and_one_at_it_is_late(table):
    table.at(DAY - MICROSECOND)
    assert table.act("ann", "bid", amount=4).accepted
    table.at(DAY)
    late = table.act("bob", "bid", amount=9)
    assert (late.accepted, late.code) == (False, "wrong_phase")
    assert table.state.sold_for == 4


def test_a_deadline_is_dated_at_its_own_time_and_noted_when_it_was_passed(table):
    table.act("ann", "bid", amount=4)
    table.at(DAY + 5 * HOUR).advance()
    row = table.match.log.get(kind="deadline", payload__contains=str(DAY // MICROSECOND))
    assert (row.match_time, row.received_at) == (DAY, START + DAY + 5 * HOUR)
    assert Bid.objects.get(status="won").settled_at == START + DAY


class TestAMatchWhoseRulesFail:
    @pytest.fixture(autouse=True)
    def _rules_fail(self, table, monkeypatch):
        right = TinyGame.pass_deadline

        def wrong(self, state, draw):
            if state.config.chips == 10:
                raise ZeroDivisionError("bad day")
            return right(self, state, draw)

        monkeypatch.setattr(TinyGame, "pass_deadline", wrong)
        self.repair = lambda: monkeypatch.setattr(TinyGame, "pass_deadline", right)

    def test_is_tried_three_times_then_set_aside_while_the_others_go_on(self, table, present):
        healthy = Table(present, chips=11).open()
        table.at(DAY)
        assert [sweep() for _ in range(5)] == [2, 1, 1, 0, 0]
        assert healthy.match.status != "open" or healthy.state.core.phase != "running"
        match = table.match
        assert (match.failures, match.fault) == (3, "ZeroDivisionError: bad day")
        assert match.log.filter(kind="deadline").count() == 0

    def test_takes_no_actions_and_stores_nothing_of_them(self, table):
        table.at(DAY)
        before = list(table.match.log.values_list("number", flat=True))
        for _ in range(2):
            with pytest.raises(MatchFault, match="was not saved"):
                table.act("ann", "bid", amount=1)
        assert list(table.match.log.exclude(number__in=before).values_list("actor", "payload")) == [
            ("site", '{"command":"fault"}')
        ]
        assert table.match.failures == 0  # only the sweep counts

    def test_tells_its_hosts_once_for_each_fault_and_nobody_else(self, table):
        from matches.services.hosting import clear_fault

        def told():
            return list(table.match.announcements.filter(kind="match_fault").values_list("audience", flat=True))

        table.at(DAY)
        versions = table.match.public_version, table.player("ann").version
        for _ in range(4):
            sweep()
        assert told() == ["hosts"]
        assert (table.match.public_version, table.player("ann").version) == versions
        clear_fault(table.match, table.host)
        sweep()
        assert told() == ["hosts", "hosts"]
        assert verify(table.match) == []

    def test_goes_on_once_the_rules_are_mended_and_a_host_has_cleared_it(self, table):
        from matches.services.hosting import clear_fault

        table.at(DAY)
        for _ in range(4):
            sweep()
        self.repair()
        clear_fault(table.match, table.host)
        assert sweep() == 1
        assert (table.match.failures, table.match.fault) == (0, "")
        assert table.state.core.phase != "running"


def test_one_broken_row_does_not_keep_the_sweep_from_the_others(table, present):
    broken = Table(present).open()
    Match.objects.filter(pk=broken.match_id).update(state="{}")
    table.at(DAY)
    assert sweep() == 2
    assert table.match.log.filter(kind="deadline").exists()
    assert "ValidationError" in broken.match.fault


def test_one_broken_log_does_not_keep_the_sweep_from_the_others(table, present):
    other = Table(present, "zoe yan").open()
    Match.objects.filter(pk=table.match_id).update(log_count=0)  # so every further row gets a number that is taken
    other.at(DAY)
    assert [sweep() for _ in range(4)] == [2, 1, 1, 0]
    assert (other.match.status, table.match.failures) == ("finished", 3)


def test_one_match_of_a_game_that_is_gone_does_not_keep_the_sweep_from_the_others(table, present):
    gone = Table(present).open()
    Match.objects.filter(pk=gone.match_id).update(game="a_game_of_yesterday")
    table.at(DAY)
    assert sweep() == 1
    assert Submission.objects.filter(match=table.match, kind="deadline").exists()
    assert Match.objects.get(pk=gone.match_id).failures == 0


class TestAMatchWhoseRulesAreNotKnown:
    @pytest.fixture(autouse=True)
    def _begun_elsewhere(self, table):
        Match.objects.filter(pk=table.match_id).update(rules_version=7)

    def test_waits_untouched_and_the_log_says_so_once(self, table, monkeypatch):
        said = []
        monkeypatch.setattr(deadlines, "_waiting", frozenset())
        monkeypatch.setattr(deadlines.logger, "error", lambda event, **facts: said.append((event, facts["matches"])))
        table.at(DAY)
        before = table.match.log_head
        assert [sweep() for _ in range(5)] == [0] * 5
        assert said == [("rules_unknown", [table.match.public_id])]
        assert not advance_if_due(table.match)
        match = table.match
        assert (match.failures, match.fault, match.log_head, match.status) == (0, "", before, "open")

    def test_cannot_be_verified_and_says_why(self, table):
        assert table.match.rules.problem in verify(table.match)


def test_rules_that_name_the_same_deadline_for_ever_do_not_keep_the_site(table, monkeypatch):
    passed = []

    def stays(self, state, draw):
        passed.append(state)
        assert len(passed) < 20, "it goes on for ever"
        return Step(state)

    monkeypatch.setattr(TinyGame, "pass_deadline", stays)
    monkeypatch.setattr(writer, "_MOST_DEADLINES", 10)
    table.at(DAY)
    with pytest.raises(MatchFault):
        advance(table.match_id)
    assert len(passed) == 10
    assert table.match.fault == "one deadline after another, without end"
    assert not table.match.log.filter(kind="deadline").exists()
