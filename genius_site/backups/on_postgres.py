"""Backups of PostgreSQL by its own programs, `pg_dump` and `pg_restore`, which must be as new as the server."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from django.db import connection, transaction
from psycopg import sql

from genius_site.backups import manifest
from genius_site.backups.manifest import BadBackup, Contents

FILE = "database.pgdump"
LOOKS = 5
BETWEEN_LOOKS = 0.2
"""Seconds."""


class OnPostgres:
    """The database of the default connection, on its server."""

    def __init__(self) -> None:
        self._settings = connection.settings_dict
        self._name = str(self._settings["NAME"])

    @contextmanager
    def copied(self, folder: Path) -> Iterator[tuple[Path, Contents]]:
        """A dump in this folder as of one moment, and what the database held at that moment."""
        with tempfile.TemporaryDirectory(dir=folder, prefix=".backup-") as name:
            target = Path(name) / FILE
            with transaction.atomic():
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                    cursor.execute("SELECT pg_export_snapshot()")
                    snapshot = cursor.fetchone()[0]
                contents = manifest.contents()
                self._run("pg_dump", "--format=custom", f"--snapshot={snapshot}", f"--file={target}", self._name)
            yield target, contents

    @contextmanager
    def filled(self, copy: Path) -> Iterator[str]:
        """A new database on the same server with what is in the dump; it is gone afterwards, unless it took the place
        of the site's own."""
        scratch = f"{self._name[:40]}_restore_{secrets.token_hex(4)}"
        self._on_server("CREATE DATABASE {}", scratch)
        try:
            self._run(
                "pg_restore", "--no-owner", "--no-privileges", "--exit-on-error", f"--dbname={scratch}", str(copy)
            )
            yield scratch
        finally:
            self._on_server("DROP DATABASE IF EXISTS {}", scratch)

    def is_there(self) -> bool:
        """Whether there is a database to be replaced."""
        return bool(self._on_server("SELECT 1 FROM pg_database WHERE datname = %s", values=(self._name,)))

    def is_in_use(self) -> bool:
        """Whether somebody else is connected to it.

        Our own connection, just closed, is still listed until the server's process for it has ended.
        """
        connection.close()
        others = "SELECT 1 FROM pg_stat_activity WHERE datname = %s AND backend_type = 'client backend'"
        for _ in range(LOOKS):
            if not self._on_server(others, values=(self._name,)):
                return False
            time.sleep(BETWEEN_LOOKS)
        return True

    def take_place(self, scratch: str, kept_as: str | None) -> str:
        """Give the new database the name of the site's; what the one before is called now, if it is kept."""
        connection.close()
        kept = ""
        if kept_as is not None:
            kept = f"{self._name[:30]}_{kept_as}".replace("-", "_").lower()
            self._on_server("ALTER DATABASE {} RENAME TO {}", self._name, kept)
        elif self.is_there():
            self._on_server("DROP DATABASE {}", self._name)
        self._on_server("ALTER DATABASE {} RENAME TO {}", scratch, self._name)
        return kept

    def _on_server(self, statement: str, *names: str, values: tuple[Any, ...] | None = None) -> list[tuple[Any, ...]]:
        """What a statement gives, outside of any transaction and beside the site's database."""
        s = self._settings
        options = {key: value for key, value in s["OPTIONS"].items() if key in ("sslmode", "sslrootcert", "passfile")}
        where = {"host": s["HOST"], "port": s["PORT"], "user": s["USER"], "password": s["PASSWORD"], **options}
        where = {key: value for key, value in where.items() if value}
        try:
            with psycopg.connect(dbname="postgres", autocommit=True, **where) as server:
                done = server.execute(sql.SQL(statement).format(*map(sql.Identifier, names)), values)
                return done.fetchall() if done.description else []
        except psycopg.Error as error:
            raise BadBackup(f"PostgreSQL refused: {str(error).strip().splitlines()[0]}.") from None

    def _run(self, program: str, *arguments: str) -> None:
        """One of PostgreSQL's programs. Raises `BadBackup` with its first line."""
        found = shutil.which(program)
        if found is None:
            raise BadBackup(
                f"{program} is not installed here. On Debian: apt-get install postgresql-client, as new as the server."
            )
        s = self._settings
        names = {"PGHOST": s["HOST"], "PGPORT": s["PORT"], "PGUSER": s["USER"], "PGPASSWORD": s["PASSWORD"]}
        names["PGSSLMODE"] = s["OPTIONS"].get("sslmode", "")
        environment = {**os.environ, **{key: str(value) for key, value in names.items() if value}}
        done = subprocess.run([found, *arguments], env=environment, capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode:
            words = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[0]
            raise BadBackup(f"{program} failed: {words}.")
