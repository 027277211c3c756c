"""What matches said of open places before there was a choice is carried over, there and back."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]

BEFORE, AFTER = [("matches", "0003_insiders")], [("matches", "0004_open_places")]


def migrate_to(target):
    executor = MigrationExecutor(connection)
    executor.migrate(target)
    return MigrationExecutor(connection).loader.project_state(target).apps.get_model("matches", "Match").objects


@pytest.fixture
def at_the_end():
    """Whatever happens, the database is as all other tests want it."""
    yield
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


@pytest.mark.usefixtures("at_the_end")
def test_bots_stay_bots_and_where_anyone_could_join_the_match_begins_without_open_places():
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
    matches.all().delete()
