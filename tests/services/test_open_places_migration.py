"""What matches said of open places before there was a choice is carried over, there and back."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection, connections
from django.db.backends.base.base import NO_DB_ALIAS
from django.db.migrations.executor import MigrationExecutor
from django.test import override_settings

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

BEFORE, AFTER = [("matches", "0003_insiders")], [("matches", "0004_open_places")]
BESIDE = NO_DB_ALIAS
"""The one name under which a test may ask a database that is not of the settings."""


class Beside:
    """Migrations say `objects`, and mean the database that is migrated."""

    def db_for_read(self, model: Any, **hints: Any) -> str:
        return BESIDE

    db_for_write = db_for_read


@pytest.fixture
def _a_database_beside() -> Iterator[None]:
    """A new one: to undo in the tests' own all that has followed, and to do it again, takes ten times as long."""
    name = f"beside_{uuid.uuid4().hex[:12]}"
    options = {key: value for key, value in connection.settings_dict["OPTIONS"].items() if key != "pool"}
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
        connections.settings[BESIDE] = {**connection.settings_dict, "NAME": name, "OPTIONS": options}
        try:
            with override_settings(DATABASE_ROUTERS=[Beside()]):
                yield
        finally:
            connections[BESIDE].close()
            del connections[BESIDE], connections.settings[BESIDE]
            cursor.execute(f"DROP DATABASE {name}")


def migrate_to(target: Any) -> Any:
    executor = MigrationExecutor(connections[BESIDE])
    executor.migrate(target)
    return executor.loader.project_state(target).apps.get_model("matches", "Match").objects


@pytest.mark.usefixtures("_a_database_beside")
def test_bots_stay_bots_and_where_anyone_could_join_the_match_begins_without_open_places() -> None:
    matches = migrate_to(BEFORE)
    kinds = [("invited", False), ("invited", True), ("open", False), ("open", True)]
    made = [
        matches.create(
            public_id=f"m{number}",
            game="tiny",
            title="x",
            created_at=datetime(2026, 1, 1, tzinfo=UTC),
            joining=joining,
            fill_with_bots=bots,
        ).pk
        for number, (joining, bots) in enumerate(kinds)
    ]
    matches = migrate_to(AFTER)
    assert [matches.get(pk=pk).open_places for pk in made] == ["wait", "bots", "without", "bots"]
    matches = migrate_to(BEFORE)
    assert [matches.get(pk=pk).fill_with_bots for pk in made] == [False, True, False, True]
