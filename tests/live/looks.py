"""Looks at a match, as the hub has them."""

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.live.snapshots import Key, Look, Snapshot, match_snapshots
from tests.web.conftest import Table

EVERYONE = Key("json")


def own(table: Table, name: str, form: Any = "json") -> Key:
    player = table.player(name)
    return Key(form, player.pk, player.user_id)


def look(table: Table, *keys: Key) -> Look:
    found = match_snapshots(table.match_id, keys)
    assert found is not None
    return found


def snapshot(table: Table, key: Key) -> Snapshot:
    return look(table, key).snapshots[key]


def statements(look: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as queries:
        look()
    return len(queries)
