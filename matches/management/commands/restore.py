"""`manage.py restore FILE`: the database as it was when the backup was made."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError

from genius_site.backups import work
from genius_site.backups.manifest import BadBackup
from matches.models import clock


class Command(BaseCommand):
    help = (
        "Put the database of a backup in the place of the site's. First it is restored beside it, brought up to date "
        "and verified there; what was there before is kept under another name. Refused while the site is running, and, "
        "without --force, where the site's database is not empty. Exit status 1 if nothing was changed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="made by `manage.py backup`")
        parser.add_argument("--check", action="store_true", help="only try it out beside the site's database")
        parser.add_argument("--force", action="store_true", help="put a database aside that is not empty")

    def handle(self, *, file: Path, check: bool, force: bool, **options: Any) -> None:
        try:
            if check:
                found = work.try_out(file)
                self.stdout.write(f"{file}  ok: restored and verified, made at {found.made_at:%Y-%m-%d %H:%M:%S} UTC")
                return
            found, kept = work.restore(file, clock.now(), force=force)
        except BadBackup as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"The database is as it was at {found.made_at:%Y-%m-%d %H:%M:%S} UTC.")
        if kept:
            self.stdout.write(f"The one before is kept as {kept}; delete it when you no longer need it.")
