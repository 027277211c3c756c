"""`manage.py play`: plays scenario files to their end and prints one line of JSON for each."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError

from matches.engine import scenario as scenarios
from matches.engine.scenario import Unplayable
from matches.engine.strict_json import MOST_BYTES, NotJson, loads
from matches.services.kinds import kind_of

UNEXPECTED, MALFORMED = 1, 2


class Command(BaseCommand):
    help = (
        "Play scenario files: in memory on the rules alone, or with --database through the real services, in matches "
        "that it then removes. Prints one line of JSON per file. Exit status 1: an expectation failed (standard "
        "error says which one); 2: a file is malformed, but it still plays the others."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="a scenario (JSON)")
        parser.add_argument("--database", action="store_true", help="play through the services, then roll back")
        parser.add_argument("--keep", action="store_true", help="with --database: keep the matches, paused at the end")

    def handle(self, *, files: list[str], database: bool, keep: bool, traceback: bool = False, **options: Any) -> None:
        if keep and not database:
            raise CommandError("--keep goes with --database: there is nothing to keep in memory", returncode=MALFORMED)
        if database:
            _find_database(keep=keep)
        status = 0
        for file in files:
            status = max(status, self._play(file, database=database, keep=keep, show_faults=traceback))
        if status:
            sys.exit(status)

    def _play(self, file: str, *, database: bool, keep: bool, show_faults: bool) -> int:
        try:
            raw = loads(_read(file))
            kind = kind_of(raw)
            scenario = kind.read(raw)
        except (NotJson, scenarios.ScenarioError) as error:
            self._print(_as_error(error))
            return MALFORMED
        try:
            report = kind.play_through_services(scenario, keep) if database else kind.play(scenario)
        except (scenarios.ScenarioError, Unplayable) as error:
            self._print(_as_error(error))
            return MALFORMED
        except Exception as error:
            # A fault of the program, not of the file; the other files are still played.
            if show_faults:
                raise
            self._print({"error": f"Playing it fails ({type(error).__name__}); --traceback shows where."})
            return MALFORMED
        self._print(report)
        broken = kind.broken(scenario, report["steps"])
        for sentence in broken:
            self.stderr.write(f"{file}: {sentence}")
        return UNEXPECTED if broken else 0

    def _print(self, line: dict[str, Any]) -> None:
        # Plain ASCII, which works in any terminal, pipe and locale.
        self.stdout.write(json.dumps(line, allow_nan=False))
        self.stdout.flush()


def _as_error(error: Exception) -> dict[str, str]:
    return {"error": f"{str(error).rstrip('.')}."}


def _find_database(*, keep: bool) -> None:
    """Use the site's own database or, if it is not set up, one in memory."""
    # Imported here, because playing in memory needs neither a database nor models.
    from genius_site import database

    if database.is_ready():
        return
    if keep:
        advice = "--keep needs a database that is set up; run: python manage.py migrate"
        raise CommandError(advice, returncode=MALFORMED)
    database.use_temporary_database()


def _read(file: str) -> bytes:
    """The file's bytes, at most one more than a scenario may have."""
    try:
        with Path(file).open("rb") as stream:
            return stream.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "that is not a file name"
        raise NotJson(f"the file cannot be read: {reason.lower()}") from None
