"""Backs up the database while the site runs, and restores it: SQLite's online backup, `pg_dump`, `pg_restore`.

A plain copy of SQLite's file would lack what is still in its `-wal` file: the latest commits. PostgreSQL's programs
must not be older than the server.
"""

import os
import re
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import IO

from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader

from accounts.models import User
from genius_site import database
from matches.infra.private_files import make_private, make_private_folder
from matches.models import Match

_STAMP = "%Y%m%dT%H%M%SZ"
_OF_A_BACKUP = re.compile(r"genius-\d{8}T\d{6}Z\d*\.(sqlite3|pgdump)")
_LOOKS, _BETWEEN_LOOKS = 5, 0.2  # seconds


class BadBackup(Exception):
    """A backup cannot be made or restored; the message is a sentence for whoever asked."""


def make(folder: Path, now: datetime) -> Path:
    """Make a new file in this folder, readable by its owner only, with all that was committed when it began. Raises
    `BadBackup`, without leaving a file."""
    if Match._meta.db_table not in connection.introspection.table_names():
        raise BadBackup("This database is empty. Is it the site's? See DATABASE_URL and DATA_DIR.")
    ending = "sqlite3" if connection.vendor == "sqlite" else "pgdump"
    draft = folder / f".genius-{os.getpid()}.{ending}"
    try:
        make_private_folder(folder)
        make_private(draft)
        if connection.vendor == "sqlite":
            _copy(_sqlite_file(), draft)
        else:
            _run("pg_dump", "--format=custom", f"--file={draft}", _name())
        names = (f"genius-{now:{_STAMP}}{number or ''}.{ending}" for number in range(1000))
        target = next(path for name in names if not (path := folder / name).exists())
        return draft.rename(target)
    except (OSError, sqlite3.Error) as error:
        raise BadBackup(f"{folder}: {error}.") from None
    finally:
        draft.unlink(missing_ok=True)


def forget_old(made: Path, keep: int) -> list[Path]:
    """Delete all backups beside the one just made but the newest `keep`; return the deleted ones."""
    found = sorted(path for path in made.parent.iterdir() if _OF_A_BACKUP.fullmatch(path.name))
    old = [path for path in found[:-keep] if path != made]  # others may have later names, if a clock was wrong
    for path in old:
        path.unlink()
    return old


def restore(path: Path, now: datetime, *, force: bool) -> Path | None:
    """Replace the site's database by that of a file, and migrate it.

    Return where the former SQLite file is now (PostgreSQL's tables are not kept). Raises `BadBackup` without changing
    anything if the database is in use, the file is no backup, or, without `force`, the database is not empty.
    """
    if not path.is_file():
        raise BadBackup(f"There is no file {path}.")
    if _is_in_use():
        raise BadBackup("The database is in use. Stop the site first: web, worker, beat, or `manage.py serve`.")
    is_empty = _is_empty()
    if not is_empty and not force:
        raise BadBackup("The database is not empty. With --force the backup replaces it.")
    connection.close()
    kept = None
    if connection.vendor == "sqlite":
        kept = _replace_file(path, now, is_empty=is_empty)
    else:
        _replace_tables(path)
    call_command("migrate", interactive=False, verbosity=0)
    database.give_rights()
    return kept


def _is_empty() -> bool:
    """Whether nobody has used this database yet."""
    try:
        return not (User.objects.exists() or Match.objects.exists())
    except DatabaseError:
        return True  # it has no tables


def _name() -> str:
    return str(connection.settings_dict["NAME"])


# -- SQLite ---------------------------------------------------------------------------------------


def _sqlite_file() -> Path:
    name = _name()
    if name.startswith((":memory:", "file:")):
        raise BadBackup("The database is in memory, so there is no file to copy or replace.")
    return Path(name)


def _copy(source: Path, target: Path) -> None:
    """Copy what is committed now into one file, without blocking writers."""
    with closing(sqlite3.connect(source, timeout=20)) as read, closing(sqlite3.connect(target)) as written:
        read.backup(written)  # one step reads one moment, while writers go on
        written.execute("PRAGMA journal_mode=DELETE")


def _replace_file(path: Path, now: datetime, *, is_empty: bool) -> Path | None:
    file = _sqlite_file()
    draft, kept = file.with_suffix(".restored"), file.with_name(f"{file.stem}.before-{now:{_STAMP}}{file.suffix}")
    draft.unlink(missing_ok=True)
    try:
        make_private(draft)
        shutil.copyfile(path, draft)
        with closing(sqlite3.connect(draft)) as copy:
            found = copy.execute("PRAGMA integrity_check").fetchone()[0]
            migrations = copy.execute("SELECT app, name FROM django_migrations").fetchall()
        if found != "ok":
            raise BadBackup(f"{path} is broken: {found}.")
        _refuse_others(path, migrations)
        if file.exists():
            file.rename(kept)
        for beside in ("-wal", "-shm"):
            Path(f"{file}{beside}").unlink(missing_ok=True)
        draft.rename(file)
    except (OSError, sqlite3.Error) as error:
        raise BadBackup(f"{path} is not an SQLite backup: {error}.") from None
    finally:
        draft.unlink(missing_ok=True)
    if is_empty:
        kept.unlink(missing_ok=True)
        return None
    return kept


# -- PostgreSQL -----------------------------------------------------------------------------------


def _replace_tables(path: Path) -> None:
    """Drop all tables, also those that the file lacks because an update made them later, and restore the file's, all
    in one transaction: `pg_restore` ends it only once it has read the whole file."""
    rows = _run("pg_restore", "--data-only", "--table=django_migrations", "--file=-", str(path)).splitlines()
    _refuse_others(path, [tuple(row.split("\t")[1:3]) for row in rows if "\t" in row])
    tables = ", ".join(map(connection.ops.quote_name, connection.introspection.table_names()))
    connection.close()
    drop = f"DROP TABLE {tables} CASCADE" if tables else ""
    options = ("--no-owner", "--no-privileges", "--single-transaction", "--file=-")
    with _start("pg_restore", *options, str(path)) as read:
        session = ("--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", f"--dbname={_name()}")
        begin = f"--command=SET client_min_messages = error; BEGIN; {drop}"
        _run("psql", *session, begin, "--file=-", stdin=read.stdout)
        _end("pg_restore", read)


# -- both -----------------------------------------------------------------------------------------


def _is_in_use() -> bool:
    """Whether another process is connected.

    SQLite lets the journal's mode be changed only while nobody else is. PostgreSQL still lists our own connection, just
    closed, until its server process has ended.
    """
    connection.close()
    if connection.vendor == "sqlite":
        if not (file := _sqlite_file()).exists():
            return False
        with closing(sqlite3.connect(file, timeout=0, isolation_level=None)) as found:
            try:
                return bool(found.execute("PRAGMA journal_mode=DELETE").fetchone()[0] != "delete")
            except sqlite3.OperationalError:
                return True
    others = (
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"
        " AND pid <> pg_backend_pid()"
    )
    for _ in range(_LOOKS):
        with connection.cursor() as cursor:
            cursor.execute(others)
            if cursor.fetchone() is None:
                return False
        time.sleep(_BETWEEN_LOOKS)
    return True


def _refuse_others(path: Path, migrations: Sequence[tuple[str, ...]]) -> None:
    """Raise `BadBackup` if a database with these applied migrations is not this site's, or one of a newer program."""
    known = MigrationLoader(None)
    if not any(app == Match._meta.app_label for app, _ in migrations):
        raise BadBackup(f"{path} is not a backup of this site.")
    for app, name in migrations:
        if app in known.migrated_apps and (app, name) not in known.disk_migrations:
            raise BadBackup(f"{path} is of a newer version, with the migration {app}.{name}. Update the program first.")


def _run(program: str, *arguments: str, stdin: IO[str] | None = None) -> str:
    """Run one of PostgreSQL's programs for the site's database and return what it prints. Raises `BadBackup` with the
    first line of its errors."""
    return _end(program, _start(program, *arguments, stdin=stdin))


def _start(program: str, *arguments: str, stdin: IO[str] | None = None) -> subprocess.Popen[str]:
    found = shutil.which(program)
    if found is None:
        raise BadBackup(
            f"{program} is not installed here. On Debian: apt-get install postgresql-client, no older than the server."
        )
    s = connection.settings_dict
    names = {"PGHOST": s["HOST"], "PGPORT": s["PORT"], "PGUSER": s["USER"], "PGPASSWORD": s["PASSWORD"]}
    names["PGSSLMODE"] = s["OPTIONS"].get("sslmode", "")
    environment = {**os.environ, **{key: str(value) for key, value in names.items() if value}}
    return subprocess.Popen(  # noqa: S603
        [found, *arguments], env=environment, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def _end(program: str, process: subprocess.Popen[str]) -> str:
    printed, errors = process.communicate()
    if process.returncode:
        words = (errors.strip() or f"exit code {process.returncode}").splitlines()[0]
        raise BadBackup(f"{program} failed: {words}.")
    return printed
