"""`manage.py restore FILE`: replaces the database with a backup."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError, call_command

from genius_site import backups
from matches.models import clock


class Command(BaseCommand):
    help = (
        "Replace the site's database with a backup, bring it up to date, and play every log in it again. "
        "Refuses while the site is running and, without --force, if the database has been used. With SQLite it keeps "
        "the old file. With PostgreSQL make a backup first. Exit status 1 if it has changed nothing, or if what it has "
        "restored does not agree with its logs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="made by `manage.py backup`")
        parser.add_argument("--force", action="store_true", help="replace a database that has been used")

    def handle(self, *, file: Path, force: bool, **options: Any) -> None:
        try:
            kept = backups.restore(file, clock.now(), force=force)
        except backups.BadBackup as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"The database is now the one in {file}.")
        if kept:
            self.stdout.write(f"The previous one is kept as {kept}; delete it when you no longer need it.")
        call_command("verify", stdout=self.stdout)
