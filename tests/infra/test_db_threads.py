"""Threads with connections: whose turn it is, who has waited too long, and what a broken connection costs."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, connections

from matches.infra.db_threads import DatabaseThreads

pytestmark = [pytest.mark.both, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def pool() -> Iterator[DatabaseThreads]:
    pool = DatabaseThreads("test", 1)
    yield pool
    pool.close()


def raw() -> Any:
    """The database's own connection."""
    connection.ensure_connection()
    return connection.connection


async def test_a_broken_connection_is_replaced_before_the_next_job(
    pool: DatabaseThreads, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks() -> Any:
        found = raw()
        if connection.vendor == "postgresql":  # a pool would hand a good one out again
            found.close()
        connection.errors_occurred = True
        return found

    broken = await pool.run(breaks)
    monkeypatch.setattr(type(connections["default"]), "is_usable", lambda self: False)
    assert await pool.run(raw) is not broken
