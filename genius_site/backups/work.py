"""Making a backup, and restoring one; both check it by playing every log again in a database of its own."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Protocol

from django.core.management import CommandError, call_command
from django.db import connection

from genius_site import database, site_role
from genius_site.backups import archive, manifest
from genius_site.backups.manifest import BadBackup, Contents, Manifest
from genius_site.backups.on_postgres import OnPostgres
from genius_site.backups.on_sqlite import OnSqlite
from genius_site.backups.using import using
from genius_site.private_files import make_private_folder

_STAMP = "%Y%m%dT%H%M%SZ"


class Store(Protocol):
    """A database that can be copied while it is used, and replaced."""

    def copied(self, folder: Path) -> AbstractContextManager[tuple[Path, Contents]]: ...
    def filled(self, copy: Path) -> AbstractContextManager[str]: ...
    def is_there(self) -> bool: ...
    def is_in_use(self) -> bool: ...
    def take_place(self, scratch: str, kept_as: str | None) -> str: ...


def make(folder: Path, now: datetime, *, check: bool) -> tuple[Path, Manifest]:
    """A new file in this folder, and what is in it. Raises `BadBackup`; then there is no new file."""
    try:
        make_private_folder(folder)
        with _store().copied(folder) as (copy, contents):
            if not contents.rows:
                raise BadBackup("There is nothing in this database. Is it the site's? See DATABASE_URL and DATA_DIR.")
            found = manifest.made(now, copy.name, copy.stat().st_size, archive.digest(copy), contents)
            if check:
                with _filled(copy) as scratch, using(scratch):
                    _check(found)
            target = _free_name(folder, now)
            archive.write(target, found, copy)
    except OSError as error:
        raise BadBackup(f"{error.filename or folder}: {error.strerror}.") from None
    return target, found


def forget_old(folder: Path, keep: int) -> list[Path]:
    """Delete all backups in this folder but the newest; which they were."""
    old = sorted(folder.glob("genius-*.tar"))[:-keep]
    for path in old:
        path.unlink()
    return old


def try_out(path: Path) -> Manifest:
    """Restore a file into a database of its own, check it there, and let it go. Raises `BadBackup`."""
    with _restored(path) as (found, _):
        return found


def restore(path: Path, now: datetime, *, force: bool) -> tuple[Manifest, str]:
    """Put a file's database in the place of the site's; what was in it, and where the one before is now ("" where it
    was empty).

    Raises `BadBackup`, and then nothing has changed: where somebody uses the site's database, and, without `force`,
    where anything is in it.
    """
    store = _store()
    _refuse_if_in_use(store)
    is_empty = not store.is_there() or _is_empty()
    if not is_empty and not force:
        raise BadBackup("The database is not empty. With --force it is put aside, and the backup takes its place.")
    with _restored(path) as (found, scratch):
        with using(scratch):
            site_role.give_rights()
        _refuse_if_in_use(store)
        kept = store.take_place(scratch, None if is_empty else f"before-{now:{_STAMP}}")
    return found, kept


def _refuse_if_in_use(store: Store) -> None:
    if store.is_in_use():
        raise BadBackup("The database is in use. Stop the site first: web, worker, beat, or `manage.py serve`.")


def _is_empty() -> bool:
    try:
        return manifest.contents().is_empty
    finally:
        connection.close()


@contextmanager
def _restored(path: Path) -> Iterator[tuple[Manifest, str]]:
    """A file's manifest, and a new database with what is in it, brought up to date and checked."""
    found = archive.read_manifest(path)
    if found.vendor != connection.vendor:
        raise BadBackup(f"The backup is of {found.vendor}, and DATABASE_URL names {connection.vendor}.")
    if unknown := manifest.unknown_migrations(found.contents):
        raise BadBackup(f"The backup was made by a newer program: this one has no {', '.join(unknown.values())}.")
    with tempfile.TemporaryDirectory(prefix="genius-restore-") as folder:
        copy = Path(folder) / found.file.replace("/", "_")
        archive.unpack(path, found, copy)
        with _filled(copy) as scratch:
            with using(scratch):
                _check(found)
            yield found, scratch


def _check(found: Manifest) -> None:
    """Whether the database of the default connection holds what the manifest says, and agrees with its logs."""
    if wrong := found.contents.differences(manifest.contents()):
        raise BadBackup(f"The copy does not hold what it should: {'; '.join(wrong[:5])}.")
    if not database.is_ready():
        call_command("migrate", interactive=False, verbosity=0)
    words = io.StringIO()
    try:
        call_command("verify", stdout=words)
    except CommandError as error:
        wrong = [line for line in words.getvalue().splitlines() if "  ok  " not in line]
        raise BadBackup(f"{error} {' '.join(wrong[:5])}") from None


def _free_name(folder: Path, now: datetime) -> Path:
    stamp = f"{now:{_STAMP}}"
    names = (f"genius-{stamp}{'' if number == 0 else f'-{number}'}.tar" for number in range(1000))
    return next(path for name in names if not (path := folder / name).exists())


@contextmanager
def _filled(copy: Path) -> Iterator[str]:
    with _store().filled(copy) as scratch:
        yield scratch


def _store() -> Store:
    return OnSqlite() if connection.vendor == "sqlite" else OnPostgres()
