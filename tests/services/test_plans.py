"""What is asked each second, or by each page, reads an index and not every row. PostgreSQL chooses by what is in the
tables, so the plans are SQLite's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from accounts.models import ApiToken
from matches.models import Bid
from matches.queries import feed, lists
from matches.queries.host_acts import host_act_rows
from matches.queries.matches import public_bids
from matches.queries.paging import first_of
from matches.queries.receipts import receipts
from matches.services import blood, bots, results
from matches.services.deadlines import sweep
from matches.services.group.asks import Ask, Pass
from matches.services.group.batch import together
from matches.services.group.memory import Memory
from matches.services.storage import many
from matches.services.storage.new_rows import STILL_STANDING
from tests.services.conftest import Table

pytestmark = pytest.mark.django_db


def plans(ask: Callable[[], Any]) -> str:
    """How SQLite carries out each of the SELECTs, with the values apart as it gets them."""
    asked: list[tuple[str, Any]] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        asked.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        ask()
    found = []
    with connection.cursor() as cursor:
        for sql, params in asked:
            if sql.startswith("SELECT"):
                cursor.execute(f"EXPLAIN QUERY PLAN {sql}", params)
                found += [row[3] for row in cursor.fetchall()]
    return "\n".join(found)


@pytest.mark.parametrize(
    ("ask", "index"),
    [
        (bots.move_all, "player_bots_due"),
        (blood.grow_all, "match_growing"),
        (sweep, "matches_match_next_deadline_at"),
        (results.store_new, "match_finished"),
    ],
)
def test_a_tick_reads_what_is_due_alone(ask: Callable[[], Any], index: str, present: Any) -> None:
    Table(present).open().at(timedelta(hours=1))
    plan = plans(ask)
    assert index in plan
    assert "SCAN matches" not in plan, plan


LISTS: dict[str, Callable[[Table], Any]] = {
    "match_newest": lambda table: lists.public_page("", "", "", 9),
    "match_opened": lambda table: lists.running_matches(9),
    "match_finished": lambda table: first_of(lists.finished_matches(), 9),
    "player_of_user": lambda table: lists.my_page(table.users["ann"], "", 9),
    "log_commands": lambda table: list(host_act_rows(table.match)[:9]),
    "log_receipts": lambda table: receipts(table.player("ann"))[:9],
    "announcement_own": lambda table: feed.announcements_for(table.match, table.player("ann"), 9),
    "bid_public": lambda table: public_bids(table.match)[:9],
}


@pytest.mark.parametrize("index", LISTS)
def test_a_list_is_read_in_the_order_of_an_index(index: str, present: Any) -> None:
    table = Table(present).open()
    plan = plans(lambda: LISTS[index](table))
    assert index in plan, plan


@pytest.mark.parametrize("index", ["match_newest", "match_opened", "match_finished", "player_of_user", "bid_public"])
def test_the_first_page_sorts_nothing(index: str, present: Any) -> None:
    table = Table(present).open()
    plan = plans(lambda: LISTS[index](table)).splitlines()
    keys = next(place for place, line in enumerate(plan) if index in line)
    assert not any("TEMP B-TREE" in line for line in plan[keys : keys + 2]), plan


class _Noting:
    """A cursor that notes what it executes."""

    def __init__(self, cursor: Any, asked: list[tuple[str, Any]]) -> None:
        self._cursor, self._asked = cursor, asked

    def execute(self, text: str, values: Any) -> Any:
        self._asked.append((text, values))
        return self._cursor.execute(text, values)

    def executemany(self, text: str, rows: Any) -> Any:
        return self._cursor.executemany(text, rows)


def test_the_group_writer_finds_what_it_needs_by_an_index(present: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    table, asked, real = Table(present).open(), list[tuple[str, Any]](), many.raw
    token, secret = ApiToken.issue(table.users["ann"], "mine")

    @contextmanager
    def noted() -> Iterator[Any]:
        with real() as (connection, cursor):
            yield connection, _Noting(cursor, asked)

    monkeypatch.setattr(many, "raw", noted)
    whose = Pass(ApiToken.digest_of(secret), lambda _: token.user_id)
    for number in (1, 2):
        ask = Ask(table.match.public_id, whose, {"type": "bid", "amount": number}, f"key {number}")
        assert together([ask], Memory())[0].accepted
    slot = ("match_id", "lot", "player_id", "asset")
    many.update(Bid, ("status",), slot, [("won", 1, "x", 1, "y")], where=STILL_STANDING)
    plan = {}
    with connection.cursor() as cursor:
        for text, values in asked:
            if text.startswith(("SELECT", "UPDATE")):
                cursor.execute(f"EXPLAIN QUERY PLAN {text.replace('?', '%s')}", values)
                plan[text] = "\n".join(row[3] for row in cursor.fetchall())
    assert len(plan) > 6
    assert not [text for text, found in plan.items() if "SCAN" in found]
    assert "log_key_once_an_account" in "".join(plan.values())
    assert "bid_standing_once" in "".join(plan.values())
