"""Backups of SQLite, by its own online backup: a plain copy of the file leaves out what is still in the file beside it
(`-wal`), which is what was answered last."""

from __future__ import annotations

import gzip
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from django.db import connection

from genius_site.backups import archive, manifest
from genius_site.backups.manifest import BadBackup, Contents
from genius_site.backups.using import using

FILE = "database.sqlite3.gz"


class OnSqlite:
    """The database file of the default connection."""

    def __init__(self) -> None:
        self._path = Path(str(connection.settings_dict["NAME"]))
        if str(self._path).startswith((":memory:", "file:")):
            raise BadBackup("The database is in memory; there is no file to copy or to replace.")

    @contextmanager
    def copied(self, folder: Path) -> Iterator[tuple[Path, Contents]]:
        """A compressed copy in this folder as of one moment, and what it holds. Nobody has to wait for it."""
        if not self._path.exists():
            raise BadBackup(f"There is no database at {self._path}.")
        with tempfile.TemporaryDirectory(dir=folder, prefix=".backup-") as name:
            copy, packed = Path(name) / "copy.sqlite3", Path(name) / FILE
            with closing(sqlite3.connect(self._path, timeout=20)) as source, closing(sqlite3.connect(copy)) as target:
                source.backup(target)  # in one step: it reads one moment, and writers go on
                _make_one_file(target)
            with using(str(copy)):
                contents = manifest.contents()
            _one_file(copy)
            with copy.open("rb") as plain, gzip.open(packed, "wb", compresslevel=6) as file:
                shutil.copyfileobj(plain, file)
            yield packed, contents

    @contextmanager
    def filled(self, copy: Path) -> Iterator[str]:
        """A new database beside the site's own with what is in the copy; it is gone afterwards, unless it took its
        place."""
        with tempfile.TemporaryDirectory(dir=self._path.parent, prefix=".restore-") as name:
            scratch = Path(name) / "scratch.sqlite3"
            scratch.touch(mode=0o600)
            try:
                with gzip.open(copy) as packed, scratch.open("wb") as file:
                    shutil.copyfileobj(packed, file)
                with closing(sqlite3.connect(scratch)) as database:
                    found = database.execute("PRAGMA integrity_check").fetchone()[0]
            except (OSError, EOFError, sqlite3.Error) as error:
                raise BadBackup(f"The copy cannot be unpacked: {error}.") from None
            if found != "ok":
                raise BadBackup(f"The copy is broken: {found}.")
            yield str(scratch)

    def is_there(self) -> bool:
        """Whether there is a database to be replaced."""
        return self._path.exists() and self._path.stat().st_size > 0

    def is_in_use(self) -> bool:
        """Whether another process has it open. Only while none has can the mode of its journal be changed."""
        connection.close()
        if not self.is_there():
            return False
        with closing(sqlite3.connect(self._path, timeout=0, isolation_level=None)) as database:
            try:
                return bool(database.execute("PRAGMA journal_mode=DELETE").fetchone()[0] != "delete")
            except sqlite3.OperationalError:
                return True

    def take_place(self, scratch: str, kept_as: str | None) -> str:
        """Put the new database in the place of the site's; where the one before is now, if it is kept."""
        connection.close()
        _one_file(Path(scratch))
        kept = ""
        if kept_as is not None:
            kept = str(self._path.with_name(f"{self._path.stem}.{kept_as}{self._path.suffix}"))
            self._path.rename(kept)
        for beside in ("-wal", "-shm"):
            Path(f"{self._path}{beside}").unlink(missing_ok=True)
        Path(scratch).rename(self._path)
        archive.sync_folder(self._path.parent)
        return kept


def _make_one_file(database: sqlite3.Connection) -> None:
    database.execute("PRAGMA journal_mode=DELETE")


def _one_file(path: Path) -> None:
    """Put what is in the files beside a database that nobody has open into its file."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        _make_one_file(database)
