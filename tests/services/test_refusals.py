"""What the log keeps of refused actions: nobody can fill it with them, and nobody's proofs are lost."""

import hashlib
import json
from datetime import timedelta
from typing import Any

import pytest

from matches.engine.strict_json import canonical
from matches.models import Submission
from matches.services import refusal_quota
from matches.services.actions import LONGEST_PAYLOAD
from matches.services.errors import KeyConflict, TooManyRefused
from matches.services.group.queue import submit
from matches.services.replay import verify
from tests.services.conftest import DAY, HOUR, Table

pytestmark = [pytest.mark.django_db]


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
        whole = canonical(long_one())
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

    def test_are_recognised_under_their_key_and_others_are_not(self, table: Table) -> None:
        first = send(table, long_one(), key="one")
        rows = table.match.log_count
        assert send(table, long_one(), key="one") == first
        with pytest.raises(KeyConflict):
            send(table, long_one(ending="!"), key="one")
        assert table.match.log_count == rows

    def test_a_single_byte_of_what_is_kept_cannot_be_changed_unnoticed(self, table: Table) -> None:
        send(table, long_one())
        row = table.match.log.latest("number")
        Submission.objects.filter(pk=row.pk).update(payload=row.payload.replace('"bytes":16', '"bytes":17'))
        assert verify(table.match) == [f"The log's chain of hashes breaks at row {row.number}."]


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Quotas of three an hour and five a day."""
    monkeypatch.setattr(refusal_quota, "QUOTAS", ((3, HOUR), (5, DAY)))


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
