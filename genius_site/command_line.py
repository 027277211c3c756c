"""Runs `manage.py` commands. If something is missing (a variable, the database), it says so in one line."""

import gc
import os
import sys
from collections.abc import Sequence

_SERVERS = {"serve", "runserver"}


def run(arguments: Sequence[str]) -> None:
    """Run one management command. Without any configuration, run it in local mode.

    daphne and celery, started directly, have no local mode: they need the variables that `env` names.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "genius_site.settings")
    if not {"LOCAL", "DEBUG", "SECRET_KEY", "SECRET_KEY_FILE"} & os.environ.keys():
        os.environ["LOCAL"] = "1"
    if not _SERVERS & set(arguments[1:2]):
        os.environ.setdefault("PATIENT", "1")

    # Hardly anything that a command imports becomes garbage, so collect less often.
    gc.set_threshold(50_000, 20, 20)

    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db import DatabaseError, connections

    try:
        execute_from_command_line(list(arguments))
    except (DatabaseError, ImproperlyConfigured) as error:
        if "--traceback" in arguments:
            raise
        sys.exit(f"genius: {_advice(error)}")
    except SystemExit as end:
        # Some of Django's commands replace the database's error by their own words, without advice.
        if end.code and any(each.errors_occurred for each in connections.all(initialized_only=True)) and _is_bare():
            sys.stderr.write(f"genius: {_BARE}\n")
        raise


def _advice(error: Exception) -> str:
    from django.core.exceptions import ImproperlyConfigured
    from django.db import DatabaseError

    first = (str(error).strip() or type(error).__name__).splitlines()[0]
    if isinstance(error, ImproperlyConfigured):
        if "STATIC_ROOT" in first:
            return "only a real site collects static files, since a local site serves them from their folders"
        return first
    try:
        bare = _is_bare()
    except DatabaseError:
        return f"the site cannot use the database ({first}); see DATABASE_URL in docs/running.md"
    if first.startswith(("permission denied", "must be owner")):
        return f"the database refused: {first}; only its owner may do that: see OWNER_DATABASE_URL in docs/running.md"
    return _BARE if bare else f"the database refused: {first} (--traceback shows where)"


_BARE = "the database is not set up, or older than this program; run: python manage.py migrate"


def _is_bare() -> bool:
    from django.db import connection

    from genius_site import database

    connection.close()  # the failure may have left a transaction open
    connection.ensure_connection()
    return not database.is_ready()
