"""What is asked each second, or by each page, reads an index and not every row. PostgreSQL chooses by what is in the
tables, so the plans are SQLite's."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.services import blood, bots
from matches.services.deadlines import sweep
from tests.services.conftest import Table

pytestmark = pytest.mark.django_db


def plans(ask: Callable[[], Any]) -> str:
    """How SQLite carries out each of the SELECTs."""
    with CaptureQueriesContext(connection) as queries:
        ask()
    found = []
    with connection.cursor() as cursor:
        for query in queries:
            if query["sql"].startswith("SELECT"):
                cursor.execute(f"EXPLAIN QUERY PLAN {query['sql']}")
                found += [row[3] for row in cursor.fetchall()]
    return "\n".join(found)


@pytest.mark.parametrize(
    ("ask", "index"),
    [
        (bots.move_all, "player_bots_due"),
        (blood.grow_all, "match_growing"),
        (sweep, "matches_match_next_deadline_at"),
    ],
)
def test_a_tick_reads_what_is_due_alone(ask: Callable[[], Any], index: str, present: Any) -> None:
    Table(present).open().at(timedelta(hours=1))
    plan = plans(ask)
    assert index in plan
    assert "SCAN matches" not in plan, plan
