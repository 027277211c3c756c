"""A site goes on while it is updated: what a release left is brought up to date and agrees with its logs, and no
migration since then takes away what the program before it still uses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader

from genius_site.backups import archive, manifest, using, work
from matches.models import clock

ROOT = Path(__file__).resolve().parents[2]
RELEASES = sorted((ROOT / "tests" / "ops" / "releases").glob("*.tar"))
"""A backup of a small site for each release, made by `manage.py backup` of that release."""

EXCUSED: dict[tuple[str, str], str] = {}
"""Migrations that may do what is unsafe, with the reason why it is not there."""

GOING = (migrations.RemoveField, migrations.DeleteModel, migrations.RenameField, migrations.RenameModel)
TIGHTER = (migrations.AddConstraint, migrations.AlterUniqueTogether)
LARGE = frozenset(
    {
        *("announcement", "bid", "holding", "ledgerentry", "match", "matchrecord", "outboxrow", "player"),
        *("playerresult", "submission", "notice", "delivery", "message", "seasonrow", "usersession"),
    }
)
"""Tables that grow with play: writing to them waits while PostgreSQL builds an index or changes a column."""


def unsafe(operation: Any) -> Iterator[str]:
    """Why the program before it could not go on beside an operation."""
    if isinstance(operation, migrations.SeparateDatabaseAndState):
        for each in operation.database_operations:
            yield from unsafe(each)
    elif isinstance(operation, GOING):
        yield "the program before still uses what goes: leave it for one release"
    elif isinstance(operation, migrations.AlterModelTable):
        yield "the program before looks in the old table"
    elif isinstance(operation, migrations.AddField):
        field = operation.field
        if not (field.null or field.many_to_many or field.db_default is not models.NOT_PROVIDED):
            yield "the program before writes rows without it: null=True or db_default"
    elif isinstance(operation, TIGHTER):
        yield "the program before may write what this refuses"
    elif isinstance(operation, migrations.AlterField):
        if not operation.field.null:
            yield "the program before may write NULL; and each row is looked at or rewritten under a lock"
        elif operation.model_name.lower() in LARGE:
            yield "a new type writes each row again under a lock: add another column and copy it in parts"
    elif isinstance(operation, migrations.AddIndex):
        if type(operation) is migrations.AddIndex and operation.model_name.lower() in LARGE:
            yield "nobody can write while it is built: AddIndexConcurrently, in a migration with atomic = False"
    elif isinstance(operation, migrations.RunSQL | migrations.RunPython):
        yield "what it does cannot be seen here: say in EXCUSED how long it locks what"


def since(release: manifest.Manifest) -> Iterator[tuple[tuple[str, str], Any]]:
    """Our own migrations that a release does not have, with each operation."""
    apps = {path.parent.parent.name for path in ROOT.glob("*/migrations/__init__.py")}
    for key, migration in sorted((MigrationLoader(None).disk_migrations or {}).items()):
        app, name = key
        if app in apps and name > release.contents.migrations.get(app, ""):
            for operation in migration.operations:
                yield key, operation


def is_dated(version: str) -> bool:
    """Whether the list of changes has a release of this number with a date."""
    return bool(re.search(rf"^## {re.escape(version)}, \d{{4}}-\d\d-\d\d", (ROOT / "CHANGELOG.md").read_text(), re.M))


def test_there_is_a_backup_of_every_release() -> None:
    dated = re.findall(r"^## (\S+), \d{4}-", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert RELEASES
    assert set(dated) <= {path.stem for path in RELEASES}


@pytest.mark.parametrize("path", RELEASES, ids=lambda path: path.stem)
@pytest.mark.django_db(transaction=True)
def test_what_a_release_left_is_brought_up_to_date_and_agrees_with_its_logs(path: Path, tmp_path: Path) -> None:
    with using.using(str(tmp_path / "genius.sqlite3")):
        found, kept = work.restore(path, clock.now(), force=False)  # migrates and verifies
        assert kept == ""
        assert found.contents.heads["matches_match"]
        after = manifest.contents()
        assert after.heads == found.contents.heads
        assert not manifest.unknown_migrations(after)


@pytest.mark.parametrize("path", RELEASES, ids=lambda path: path.stem)
def test_no_migration_since_a_release_stops_the_program_before(path: Path) -> None:
    if not is_dated(path.stem):  # nobody runs it yet
        assert path.stem == RELEASES[-1].stem
        return
    found = [
        f"{app}.{name}: {why}"
        for (app, name), operation in since(archive.read_manifest(path))
        if (app, name) not in EXCUSED
        for why in unsafe(operation)
    ]
    assert found == []


@pytest.mark.parametrize(
    "operation",
    [
        migrations.RemoveField("match", "title"),
        migrations.RenameField("match", "title", "name"),
        migrations.DeleteModel("match"),
        migrations.AddField("match", "mood", models.CharField(max_length=3, default="")),
        migrations.AddConstraint("match", models.UniqueConstraint(fields=["title"], name="one")),
        migrations.AlterField("genre", "title", models.CharField(max_length=3)),
        migrations.AlterField("submission", "code", models.TextField(null=True)),
        migrations.AddIndex("submission", models.Index(fields=["code"], name="by_code")),
        migrations.RunSQL("UPDATE matches_match SET title = ''"),
        migrations.SeparateDatabaseAndState(database_operations=[migrations.RemoveField("match", "title")]),
    ],
    ids=lambda operation: type(operation).__name__,
)
def test_a_planted_operation_that_is_unsafe_is_found(operation: Any) -> None:
    assert list(unsafe(operation))


@pytest.mark.parametrize(
    "operation",
    [
        migrations.AddField("match", "mood", models.CharField(max_length=3, null=True)),
        migrations.AddField("match", "mood", models.CharField(max_length=3, default="", db_default="")),
        migrations.CreateModel("mood", []),
        migrations.AddIndex("genre", models.Index(fields=["title"], name="by_title")),
        AddIndexConcurrently("submission", models.Index(fields=["code"], name="by_code")),
        migrations.AlterField("genre", "title", models.CharField(max_length=9, null=True)),
    ],
)
def test_what_only_adds_is_safe(operation: Any) -> None:
    assert list(unsafe(operation)) == []


def test_every_large_table_is_one_that_there_is() -> None:
    """A table that was renamed must not slip out of the list."""
    assert {model._meta.model_name for model in apps.get_models()} >= LARGE
