"""Checks whether the database is ready, and offers a temporary one in memory."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connection, connections
from django.db.migrations.executor import MigrationExecutor


def is_ready() -> bool:
    """Whether every migration has been applied. Creates no file. Raises Django's database errors."""
    if connection.vendor == "sqlite" and not _is_there(str(connection.settings_dict["NAME"])):
        return False
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def _is_there(name: str) -> bool:
    return name.startswith((":memory:", "file:")) or Path(name).exists()


def use_temporary_database() -> None:
    """From now on this process uses a new database in memory."""
    connection.close()
    connections.settings["default"].update(settings.SQLITE, NAME=":memory:")
    del connections["default"]
    call_command("migrate", interactive=False, verbosity=0)
