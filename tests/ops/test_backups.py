"""`manage.py backup` and `restore`: nothing that was answered is missing, and nothing is overwritten by mistake."""

import io
import os
import shutil
import sqlite3
import sys
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from matches.models import Match, Submission, clock
from tests.fixtures.flush import end_other_sessions
from tests.fixtures.migrated import copy_migrated, template_on
from tests.fixtures.postgres import WHEEL
from tests.fixtures.present import START
from tests.fixtures.using import using
from tests.services.conftest import HOUR, Table, register_tiny_game

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]


@pytest.fixture(autouse=True)
def _own_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Of this test alone: it is replaced."""
    register_tiny_game(monkeypatch)
    if connection.vendor == "sqlite":
        name = str(tmp_path / "site" / "genius.sqlite3")
        Path(name).parent.mkdir()
        copy_migrated(Path(name))
        with using(name):
            yield
        return
    monkeypatch.setenv("PATH", f"{_pg_programs()}{os.pathsep}{os.environ['PATH']}")
    name, url = f"backed_up_{uuid.uuid4().hex[:8]}", os.environ["DATABASE_URL"]
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name} TEMPLATE {template_on(url)}")
        try:
            with using(name):
                yield
        finally:
            like = f"{name}%"
            for (each,) in server.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", (like,)).fetchall():
                server.execute(f"DROP DATABASE {each} WITH (FORCE)")


def _pg_programs() -> Path:
    """Those of the server that runs: the system's, else the wheel's."""
    system = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    wheel = sorted(Path(p) for entry in sys.path for p in Path(entry).glob(f"{WHEEL}/pginstall*/bin"))
    return next(folder for folder in (*system, *wheel) if (folder / "pg_dump").exists())


@pytest.fixture
def played(present: clock.FixedTime) -> Table:
    end_other_sessions()  # a restore asks whether anybody uses the database
    table = Table(present).open()
    table.act("ann", "bid", key="k", amount=3)
    return table


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def backed_up(folder: Path, *more: str) -> Path:
    return Path(run("backup", str(folder), *more).split("  ")[0])


def test_what_was_answered_is_there_again_and_what_was_there_is_kept(played: Table, tmp_path: Path) -> None:
    file = backed_up(tmp_path / "backups")
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    played.act("bob", "buy_chips", count=2)
    later = Submission.objects.count()
    with pytest.raises(CommandError, match="not empty"):
        run("restore", str(file))
    assert Submission.objects.count() == later

    said = run("restore", str(file), "--force")
    assert said.count("  ok  ") == 1
    assert Submission.objects.count() == later - 1
    if connection.vendor == "sqlite":
        with using(said.split("kept as ")[1].split(";")[0]):
            assert Submission.objects.count() == later
            connection.close()
    played.present.instant = START + HOUR
    played.act("bob", "buy_chips", count=1)  # play goes on


def test_into_a_fresh_database_it_needs_no_force(played: Table, tmp_path: Path) -> None:
    file = backed_up(tmp_path / "backups")
    if connection.vendor == "sqlite":
        name = str(tmp_path / "fresh.sqlite3")
        copy_migrated(Path(name))
    else:
        name = f"{connection.settings_dict['NAME']}_fresh"
        with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
            server.execute(f"CREATE DATABASE {name} TEMPLATE {template_on(os.environ['DATABASE_URL'])}")
    with using(name):
        assert "kept" not in run("restore", str(file))
        assert Match.objects.count() == 1


def test_only_older_backups_are_deleted(played: Table, tmp_path: Path) -> None:
    others = [f"genius-{n}.txt" for n in range(3)] + [f"genius-20990101T00000{n}Z.pgdump" for n in range(3)]
    for name in others:
        (tmp_path / name).touch()
    kept = backed_up(tmp_path, "--keep", "2").name
    assert {path.name for path in tmp_path.glob("genius-*")} == {*others, kept} - {others[3]}


def test_a_table_that_an_update_has_added_goes_and_is_made_again(played: Table, tmp_path: Path) -> None:
    file = backed_up(tmp_path / "backups")
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE later (match_id bigint REFERENCES matches_match (id) DEFERRABLE)")
    run("restore", str(file), "--force")
    assert "later" not in connection.introspection.table_names()


def test_a_database_in_use_is_never_replaced(played: Table, tmp_path: Path) -> None:
    file = backed_up(tmp_path / "backups")
    if connection.vendor == "sqlite":
        other = sqlite3.connect(connection.settings_dict["NAME"])
        other.execute("SELECT COUNT(*) FROM matches_match").fetchone()
    else:
        other = psycopg.connect(os.environ["DATABASE_URL"], dbname=connection.settings_dict["NAME"])  # type: ignore[assignment]
    with closing(other), pytest.raises(CommandError, match="in use"):
        run("restore", str(file), "--force")
    assert Match.objects.count() == 1


def test_whatever_is_wrong_with_a_file_is_a_sentence_and_changes_nothing(played: Table, tmp_path: Path) -> None:
    file = backed_up(tmp_path / "backups")
    cut = tmp_path / "cut.file"
    cut.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    MigrationRecorder(connection).record_applied("matches", "9999_later")
    for bad, words in (
        (backed_up(tmp_path / "backups"), "newer version"),
        (cut, "not an SQLite backup|is broken|failed"),
        (tmp_path / "none", "no file"),
        (Path(__file__), "not an SQLite backup|failed"),
    ):
        with pytest.raises(CommandError, match=words):
            run("restore", str(bad), "--force")
    assert Submission.objects.filter(key="k").exists()


def test_a_log_that_does_not_agree_is_said(played: Table, tmp_path: Path) -> None:
    Submission.objects.filter(key="k").update(payload={"type": "bid", "amount": 4})
    file = backed_up(tmp_path / "backups")
    with pytest.raises(CommandError, match="Differs from its log"):
        run("restore", str(file), "--force")


def test_a_program_that_is_not_installed_is_a_sentence(
    played: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda program: None)
    if connection.vendor == "sqlite":
        backed_up(tmp_path)  # SQLite needs none
    else:
        with pytest.raises(CommandError, match="pg_dump is not installed here"):
            run("backup", str(tmp_path))
