"""What the log keeps of refused actions: nobody can fill it with them, and nobody's proofs are lost."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta
from typing import Any

import pytest

from matches.models import Submission
from matches.services import refusals
from matches.services.actions import LONGEST_PAYLOAD, submit_for
from matches.services.errors import KeyConflict, TooManyRefused
from matches.services.group.queue import submit
from matches.services.replay import verify
from matches.services.storage import log
from tests.services.conftest import DAY, HOUR, Table

pytestmark = [pytest.mark.both, pytest.mark.django_db]


def send(table: Table, action: Any, key: str = "") -> Any:
    return submit(table.match_id, table.users["ann"].pk, action, key)


def long_one(ending: str = "") -> dict[str, Any]:
    """An action of 16 kB that no rules take."""
    return {"type": "bid", "amount": 1, "padding": "é" * 8000 + ending}


class TestLongOnes:
    def test_are_kept_as_hash_and_head(self, table: Table) -> None:
        answer = send(table, long_one())
        row = table.match.log.latest("number")
        kept = json.loads(row.payload)
        whole = log.canonical(long_one())
        assert len(whole) < LONGEST_PAYLOAD
        assert not row.accepted
        assert row.code == answer.code == "malformed"
        assert set(kept) == {"type", "cut"}
        assert kept["type"] == "bid"
        assert kept["cut"]["sha256"] == hashlib.sha256(whole.encode()).hexdigest()
        assert kept["cut"]["bytes"] == len(whole.encode())
        assert whole.startswith(kept["cut"]["head"])
        assert len(row.payload.encode()) < 1024
        assert verify(table.match) == []

    @pytest.mark.parametrize("action", [["x" * 3000], "x" * 3000, {"type": ["x" * 3000]}, {"type": "x" * 3000}])
    def test_have_a_type_only_if_they_named_one(self, table: Table, action: Any) -> None:
        send(table, action)
        row = table.match.log.latest("number")
        assert set(json.loads(row.payload)) == {"cut"}
        assert verify(table.match) == []

    def test_with_half_a_surrogate_pair_are_kept_too(self, table: Table) -> None:
        send(table, {"type": "\ud800" * 1000})
        assert len(table.match.log.latest("number").payload) < 1024
        assert verify(table.match) == []

    def test_are_recognised_under_their_key_and_others_are_not(self, table: Table) -> None:
        first = send(table, long_one(), key="one")
        rows = table.match.log_count
        assert send(table, long_one(), key="one") == first
        with pytest.raises(KeyConflict):
            send(table, long_one(ending="!"), key="one")
        assert table.match.log_count == rows

    def test_of_earlier_versions_lie_whole_and_are_recognised_too(
        self, table: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as earlier:
            earlier.setattr(log, "shortened", lambda payload, raw: payload)
            first = send(table, long_one(), key="one")
        assert len(table.match.log.latest("number").payload) > 8000
        assert send(table, long_one(), key="one") == first
        assert verify(table.match) == []

    def test_a_single_byte_of_what_is_kept_cannot_be_changed_unnoticed(self, table: Table) -> None:
        send(table, long_one())
        row = table.match.log.latest("number")
        Submission.objects.filter(pk=row.pk).update(payload=row.payload.replace('"bytes":16', '"bytes":17'))
        assert verify(table.match) == [f"The log's chain of hashes breaks at row {row.number}."]

    def test_what_is_accepted_is_kept_as_it_came(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(log, "LONGEST_REFUSED", 1)
        assert send(table, {"type": "bid", "amount": 3}).accepted
        assert table.match.log.latest("number").payload == '{"amount":3,"type":"bid"}'


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Quotas of three an hour and five a day."""
    monkeypatch.setattr(refusals, "QUOTAS", ((3, HOUR), (5, DAY)))


BAD = {"type": "bid", "amount": 99}


@pytest.mark.usefixtures("few")
class TestTheQuota:
    def refuse(self, table: Table, times: int) -> None:
        for _ in range(times):
            assert not send(table, BAD).accepted

    def test_beyond_it_nothing_is_kept_and_the_answer_says_until_when(self, table: Table) -> None:
        self.refuse(table, 3)
        rows = table.match.log_count
        table.present.forward(timedelta(minutes=50))
        with pytest.raises(TooManyRefused, match="in 10 min") as caught:
            send(table, BAD, key="one")
        assert (caught.value.code, caught.value.status, caught.value.retry_after) == ("too_many_refused", 429, 600)
        assert table.match.log_count == rows
        table.present.forward(timedelta(minutes=10))
        assert not send(table, BAD, key="one").accepted
        assert table.match.log_count == rows + 1

    def test_there_is_one_for_the_day_too(self, table: Table) -> None:
        self.refuse(table, 3)
        table.present.forward(2 * HOUR)
        self.refuse(table, 2)
        with pytest.raises(TooManyRefused, match="in 22 h"):
            send(table, BAD)

    def test_what_the_rules_accept_is_taken_all_the_same_and_never_counts(self, table: Table) -> None:
        for amount in range(1, 8):
            assert send(table, {"type": "bid", "amount": amount}).accepted
        self.refuse(table, 3)
        with pytest.raises(TooManyRefused):
            send(table, BAD)
        assert send(table, {"type": "bid", "amount": 8}).accepted

    def test_it_is_each_players_own_in_each_match(self, table: Table) -> None:
        self.refuse(table, 3)
        assert not table.act("bob", "bid", amount=99).accepted
        other = Table(table.present).open()
        assert not other.act("ann", "bid", amount=99).accepted

    def test_a_key_that_the_log_knows_is_answered_as_before(self, table: Table) -> None:
        first = send(table, BAD, key="one")
        self.refuse(table, 2)
        assert send(table, BAD, key="one") == first

    def test_a_host_who_decides_for_the_player_is_not_held_up_by_it(self, table: Table) -> None:
        self.refuse(table, 3)
        for _ in range(2):
            assert submit_for(table.player("ann"), BAD, by_host=table.host).code == "not_enough_chips"

    def test_deadlines_pass_all_the_same(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(refusals, "QUOTAS", ((3, 40 * DAY),))
        self.refuse(table, 3)
        table.at(DAY)
        with pytest.raises(TooManyRefused):
            send(table, BAD)
        table.advance()
        assert table.match.log.filter(kind="deadline").count() == 1
        assert verify(table.match) == []


def test_nobody_comes_near_it_by_playing() -> None:
    """A mistake every ten seconds, for an hour, or every minute, day and night."""
    for most, span in refusals.QUOTAS:
        assert most >= min(span, HOUR) / timedelta(seconds=10)
        assert most >= span / timedelta(minutes=1)


def test_a_day_of_it_is_less_than_ten_megabytes(table: Table) -> None:
    send(table, long_one())
    row = table.match.log.latest("number")
    stored = sum(len(str(getattr(row, field.attname)).encode()) for field in row._meta.concrete_fields)
    longest = stored - len(row.payload.encode()) + log.LONGEST_REFUSED
    assert max(most * (DAY / span) for most, span in refusals.QUOTAS[1:]) * longest < 10_000_000
