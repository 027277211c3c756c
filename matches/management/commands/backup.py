"""`manage.py backup DIR`: copies the database while the site is running."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError

from genius_site import backups
from matches.models import clock


class Command(BaseCommand):
    help = (
        "Copy the database into a new file in DIR while the site is running. The file holds sealed bids and seeds: "
        "keep it where only you can read it, and test now and then that you can restore it. Exit status 1 if "
        "that fails: then there is no new file."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", metavar="DIR", type=Path, help="where the file goes (created if missing)")
        parser.add_argument("--keep", type=int, metavar="N", help="delete all but the N newest backups in DIR")

    def handle(self, *, folder: Path, keep: int | None, **options: Any) -> None:
        if keep is not None and keep < 1:
            raise CommandError("--keep: expected a number of 1 or more")
        try:
            path = backups.make(folder, clock.now())
        except backups.BadBackup as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{path}  {path.stat().st_size} bytes")
        for old in backups.forget_old(path, keep) if keep else ():
            self.stdout.write(f"deleted {old}")
