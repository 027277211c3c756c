"""What a database holds, counted without any model, so that backups of older programs can be compared as well."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import django
import msgspec
from django.conf import settings
from django.db import connection

from genius_site.version import program_version

FORMAT = "genius-backup-1"
_SAYS_NOTHING = {
    "auth_group",
    "auth_group_permissions",
    "auth_permission",
    "django_content_type",
    "django_migrations",
    "matches_heartbeat",
}
"""Tables that have rows as soon as a database is set up."""


class BadBackup(Exception):
    """It cannot be made, read or restored; the text is a sentence."""


class Contents(msgspec.Struct, frozen=True):
    """`rows`: how many by table. `heads`: of what has a log, by table and public id, how many rows it has and
    the hash of the last one. `migrations`: the last one of each app."""

    rows: dict[str, int]
    heads: dict[str, dict[str, tuple[int, str]]]
    migrations: dict[str, str]

    @property
    def is_empty(self) -> bool:
        """Whether nobody has used this database yet."""
        return not any(count for table, count in self.rows.items() if table not in _SAYS_NOTHING)

    def differences(self, other: Contents) -> list[str]:
        """What the other one has of it that is not the same, a sentence each."""
        tables = sorted(self.rows.keys() | other.rows.keys())
        found = [
            f"{table} has {other.rows.get(table)} rows, not {self.rows.get(table)}"
            for table in tables
            if self.rows.get(table) != other.rows.get(table)
        ]
        for table, heads in self.heads.items():
            found += [
                f"the log of {key} ends otherwise"
                for key, head in heads.items()
                if other.heads.get(table, {}).get(key) != head
            ]
        return found


class Manifest(msgspec.Struct, frozen=True):
    """What stands in front of the copy. `sha256` and `size` are those of the copy as it is in the file."""

    format: str
    made_at: datetime
    program: str
    django: str
    vendor: str
    server: str
    site_url: str
    file: str
    size: int
    sha256: str
    contents: Contents


def made(at: datetime, file: str, size: int, sha256: str, contents: Contents) -> Manifest:
    """The manifest of a copy that was just made of the database in use."""
    server = ".".join(map(str, connection.get_database_version()))
    return Manifest(
        FORMAT,
        at,
        program_version(),
        django.get_version(),
        connection.vendor,
        server,
        settings.SITE_URL,
        file,
        size,
        sha256,
        contents,
    )


def read(raw: bytes) -> Manifest:
    """A manifest. Raises `BadBackup`."""
    try:
        found = msgspec.json.decode(raw, type=Manifest)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise BadBackup(f"The manifest cannot be read: {error}.") from None
    if found.format != FORMAT:
        raise BadBackup(f"The format is {found.format}, and this program reads {FORMAT}.")
    return found


def contents() -> Contents:
    """What the database of the default connection holds now."""
    with connection.cursor() as cursor:
        names = sorted(table.name for table in connection.introspection.get_table_list(cursor) if table.type == "t")
        rows, heads = {}, {}
        for name in names:
            table = connection.ops.quote_name(name)
            cursor.execute(f"SELECT COUNT(*) FROM {table}")  # noqa: S608 (a name of the database's own)
            rows[name] = int(cursor.fetchone()[0])
            cursor.execute(f"SELECT * FROM {table} LIMIT 0")  # noqa: S608
            columns = {each[0] for each in cursor.description}
            if {"public_id", "log_count", "log_head"} <= columns:
                cursor.execute(f"SELECT public_id, log_count, log_head FROM {table}")  # noqa: S608
                heads[name] = {key: (count, head) for key, count, head in cursor.fetchall()}
        migrations: dict[str, str] = {}
        if "django_migrations" in rows:
            cursor.execute("SELECT app, name FROM django_migrations ORDER BY id")
            for app, last in cursor.fetchall():
                migrations[app] = max(last, migrations.get(app, ""))
    return Contents(rows, heads, migrations)


def to_json(manifest: Manifest) -> bytes:
    """The text of the manifest's file."""
    return msgspec.json.format(msgspec.json.encode(manifest))


def unknown_migrations(found: Contents) -> dict[str, Any]:
    """Of these contents, migrations that this program does not have: those of a newer one."""
    from django.db.migrations.loader import MigrationLoader

    known = MigrationLoader(None).disk_migrations or {}
    apps = {app for app, _ in known}
    return {app: name for app, name in found.migrations.items() if app in apps and (app, name) not in known}
