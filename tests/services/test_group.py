"""The group writer: one transaction for many, and each of them as if it had come alone."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import OperationalError, connections

from accounts.models import ApiToken, TokenRefused, User
from matches.models import Match, Submission, clock
from matches.services import hosting
from matches.services.actions import Answer
from matches.services.errors import MatchFault, NotAPlayer, TooLarge
from matches.services.group import queue
from matches.services.group.batch import Ask, Outcome, Pass, together
from matches.services.group.writer import Memory
from matches.services.replay import verify
from matches.services.signals import match_changed
from tests.engine.tiny_game import TinyGame
from tests.fixtures.present import START
from tests.services.conftest import DAY, Table, person
from tests.web.conftest import Table as Seats

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]


@pytest.fixture
def tables(present: clock.FixedTime) -> list[Table]:
    return [Table(present).open() for _ in range(3)]


@pytest.fixture
def memory() -> Memory:
    return Memory()


@pytest.fixture
def line() -> Iterator[None]:
    """The process's own writer, with its thread and what it remembers."""
    yield
    queue._queue.close()


@pytest.fixture
def now() -> clock.FixedTime:
    """The present as the writer's own thread knows it."""
    return clock.FixedTime(clock.now())


def bid(table: Table, handle: str, amount: Any = 1, key: str = "") -> Ask:
    return Ask(table.match_id, table.users[handle].pk, {"type": "bid", "amount": amount}, key)


def buy(table: Table, handle: str, count: int = 1, key: str = "") -> Ask:
    return Ask(table.match_id, table.users[handle].pk, {"type": "buy_chips", "count": count}, key)


def accepted(outcomes: list[Outcome]) -> list[bool]:
    return [isinstance(each, Answer) and each.accepted for each in outcomes]


def whole(*tables: Table) -> bool:
    return all(verify(table.match) == [] for table in tables)


class TestEachAlone:
    def test_refusals_of_every_kind_cost_nobody_else_anything(self, tables, memory):
        one, other, _ = tables
        stranger = person("zoe")
        asks = [
            bid(one, "ann", 1),
            bid(one, "ann", 99),
            Ask(one.match_id, stranger.pk, {"type": "bid", "amount": 1}),
            bid(one, "bob", 2, key="x" * 101),
            Ask(one.match_id, one.users["bob"].pk, {"type": "x" * 20_000}),
            Ask(10**9, stranger.pk, {}),
            Ask("bbbbbbbbbbbb", stranger.pk, {}),
            bid(other, "ann", 3),
        ]
        found = together(asks, memory)
        assert accepted(found) == [True, False, False, False, False, False, False, True]
        assert found[1].code == "not_enough_chips"
        assert isinstance(found[2], NotAPlayer)
        assert found[3].code == "bad_key"
        assert isinstance(found[4], TooLarge)
        assert isinstance(found[5], Match.DoesNotExist)
        assert isinstance(found[6], Match.DoesNotExist)
        assert whole(one, other)

    def test_rules_that_fail_for_one_action_cost_the_others_nothing(self, tables, memory, monkeypatch):
        right = TinyGame.act

        def fail(self, turn, state, player, action):
            return 1 // 0 if player == "bob" else right(self, turn, state, player, action)

        monkeypatch.setattr(TinyGame, "act", fail)
        table = tables[0]
        found = together([bid(table, "ann"), bid(table, "bob"), bid(table, "cat")], memory)
        assert accepted(found) == [True, False, True]
        assert isinstance(found[1], MatchFault)
        assert table.match.log.filter(kind="action").count() == 2
        assert "ZeroDivisionError" in table.match.fault

    def test_what_the_database_refuses_is_found_by_doing_all_of_them_alone(self, now, memory, line, monkeypatch):
        right = TinyGame._bid

        def too_much(self, state, turn, player, amount):
            result = right(self, state, turn, player, amount)
            if player == "bob":
                turn.bid("lost", "lot", player, "chip", 2**70)
            return result

        monkeypatch.setattr(TinyGame, "_bid", too_much)
        one, other = Table(now).open(), Table(now).open()
        asks = [bid(one, "ann"), bid(other, "bob"), bid(other, "cat")]
        found = together(asks, memory)
        assert accepted(found) == [True, False, True]
        assert isinstance(found[1], MatchFault)
        assert Submission.objects.filter(kind="action").count() == 2
        assert whole(one)


class TestKeys:
    def test_the_same_key_twice_in_one_batch_and_later_gives_one_effect_and_one_answer(self, tables, memory):
        table = tables[0]
        found = together([buy(table, "ann", 1, "k"), buy(table, "ann", 1, "k")], memory)
        found += together([buy(table, "ann", 1, "k")], memory)
        found.append(table.act("ann", "buy_chips", "k", count=1))
        assert len({str(answer.receipt) for answer in found}) == 1
        assert table.holding("ann", "garnet") == 8


class TestTokens:
    def ask(self, table: Table, handle: str, secret: str) -> Ask:
        def admit(token: ApiToken | None) -> int:
            return ApiToken.good_one([token] if token else []).user_id

        return Ask(table.match.public_id, Pass(ApiToken.digest_of(secret), admit), {"type": "bid", "amount": 1})

    def test_one_that_was_revoked_a_moment_ago_opens_nothing(self, tables, memory):
        one, other, third = tables
        tokens, asks = [], []
        for table in tables:
            token, secret = ApiToken.issue(table.users["ann"], "mine")
            tokens.append(token)
            asks.append(self.ask(table, "ann", secret))
        assert accepted(together(asks, memory)) == [True] * 3
        ApiToken.objects.filter(pk=tokens[0].pk).update(revoked_at=START)
        User.objects.filter(pk=third.users["ann"].pk).update(is_active=False)
        found = together(asks, memory)
        assert accepted(found) == [False, True, False]
        assert isinstance(found[0], TokenRefused)
        assert isinstance(found[2], TokenRefused)
        assert [table.match.log.filter(kind="action").count() for table in (one, other, third)] == [1, 2, 1]

    def test_who_has_none_is_not_told_whether_there_is_such_a_match(self, tables, memory):
        ask = self.ask(tables[0], "ann", "gen_unknown")
        assert isinstance(together([ask._replace(match="bbbbbbbbbbbb")], memory)[0], TokenRefused)


class TestTime:
    def test_what_is_due_happens_before_the_action(self, tables, memory):
        for each in tables:
            each.act("ann", "bid", amount=3)
        table = tables[0].at(DAY)
        found = together([bid(table, "ann"), bid(tables[1], "bob")], memory)
        assert [answer.code for answer in found] == ["wrong_phase"] * 2
        assert [row.kind for row in table.match.log.order_by("number")][-2:] == ["deadline", "action"]
        assert whole(*tables)


class TestWhatIsRemembered:
    def act_between(self, table: Table, memory: Memory) -> list[Outcome]:
        """The writer acts, then somebody else, then the writer again."""
        together([buy(table, "ann", 2)], memory)
        table.act("ann", "buy_chips", count=2)
        return together([buy(table, "ann", 2)], memory)

    def test_what_somebody_else_has_written_since_counts(self, tables, memory):
        found = self.act_between(tables[0], memory)
        assert found[0].code == "not_enough_garnets"
        assert whole(tables[0])

    def test_what_hosts_changed_counts_without_a_row_in_the_log(self, tables, memory):
        table = tables[0]
        together([bid(table, "ann")], memory)
        Match.objects.filter(pk=table.match_id).update(speed=2)
        assert together([bid(table, "bob")], memory)[0].match.speed == 2
        hosting.pause(table.match, table.host)
        assert together([bid(table, "cat")], memory)[0].code == "match_paused"


class TestTheCommit:
    def test_everybody_is_told_afterwards_once_a_match(self, tables, memory):
        heard: list[Any] = []

        def hear(sender: Any, signal: Any, match_id: int, players: frozenset[int], **_: Any) -> None:
            heard.append((match_id, players, connections["default"].in_atomic_block))

        match_changed.connect(hear)
        try:
            together([bid(tables[0], "ann"), bid(tables[0], "bob"), bid(tables[1], "cat")], memory)
        finally:
            match_changed.disconnect(hear)
        ids = [{tables[0].player("ann").pk, tables[0].player("bob").pk}, {tables[1].player("cat").pk}]
        assert heard == [(tables[0].match_id, ids[0], False), (tables[1].match_id, ids[1], False)]

    def test_that_fails_is_nobodys_success_and_is_not_tried_again(self, tables, memory, monkeypatch):
        """Nobody can know whether such a commit was made."""

        def broken(self: Any) -> None:
            raise OperationalError("the connection was lost")

        with monkeypatch.context() as patch:
            patch.setattr(type(connections["default"]), "_commit", broken)
            found = together([buy(tables[0], "ann"), buy(tables[1], "bob")], memory)
        assert [type(each) for each in found] == [OperationalError] * 2
        assert Submission.objects.filter(kind="action").count() == 0
        assert accepted(together([buy(tables[0], "ann")], memory)) == [True]
        assert whole(tables[0])


def test_a_deadline_that_an_action_moves_is_stored_with_it(present: clock.FixedTime, memory: Memory) -> None:
    table = Seats(present).open().at(25)
    before = table.match.next_deadline_at
    [outcome] = together(
        [Ask(table.match.pk, table.users["bob"].pk, {"type": "bid", "seat": "X", "amount": 4}, "")], memory
    )
    assert accepted([outcome]) == [True]
    assert Match.objects.get(pk=table.match.pk).next_deadline_at != before
