"""A group's transaction is committed like any other: its people are answered once PostgreSQL has it on the disk."""

from __future__ import annotations

import pytest
from django.db import connection

from matches.services.group import batch, queue
from tests.services.conftest import Table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def test_no_group_is_in_a_hurry(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    right, seen = batch._Batch.store, list[str]()

    def store(self: batch._Batch) -> None:
        right(self)
        with connection.cursor() as cursor:
            cursor.execute("SHOW synchronous_commit")
            seen.append(cursor.fetchone()[0])

    monkeypatch.setattr(batch._Batch, "store", store)
    assert queue.submit(table.match_id, table.users["ann"].pk, {"type": "bid", "amount": 1}).accepted
    assert seen == ["on"]
