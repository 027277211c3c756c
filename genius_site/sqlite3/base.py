"""The backend itself; Django expects this module name."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.db.backends.sqlite3 import base

from genius_site.private_files import make_private


class DatabaseWrapper(base.DatabaseWrapper):
    """Makes the database file private before SQLite opens it."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        name = str(conn_params["database"])
        if not name.startswith((":memory:", "file:")):
            try:
                _make_private(name)
            except OSError as error:
                raise self.Database.OperationalError(f"unable to open database file: {error}") from error
        return super().get_new_connection(conn_params)


@cache
def _make_private(name: str) -> None:
    # SQLite gives its other two files the mode of the first; they are listed for files of an earlier version.
    make_private(name, f"{name}-wal", f"{name}-shm")
