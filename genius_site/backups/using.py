"""Another database in place of this process's own, for a while."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections


@contextmanager
def using(name: str) -> Iterator[None]:
    """During the block, this thread's default connection leads to the database of this name on the same server (for
    SQLite: to this file)."""
    own = connections[DEFAULT_DB_ALIAS]
    own.close()
    settings: dict[str, Any] = connections.settings
    before = settings[DEFAULT_DB_ALIAS]
    # Without a pool, whose connections would stay open.
    options = {key: value for key, value in own.settings_dict["OPTIONS"].items() if key != "pool"}
    settings[DEFAULT_DB_ALIAS] = {**before, "NAME": name, "OPTIONS": options}
    del connections[DEFAULT_DB_ALIAS]
    try:
        yield
    finally:
        connections[DEFAULT_DB_ALIAS].close()
        settings[DEFAULT_DB_ALIAS] = before
        connections[DEFAULT_DB_ALIAS] = own
