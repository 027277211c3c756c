"""`manage.py backup DIR`: a copy of the database, while the site is running."""

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
        "Copy the database into a new file in DIR while the site is running, with a manifest of what is in it, then "
        "restore it into a database of its own and play every log again there. The file holds sealed bids and seeds: "
        "keep it where only you can read it. Exit status 1 if it could not be made; then there is no new file."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", metavar="DIR", type=Path, help="where the file goes; made if it is not there")
        parser.add_argument("--keep", type=int, metavar="N", help="delete all but the N newest backups in DIR")
        parser.add_argument("--unchecked", action="store_true", help="do not restore and verify it")

    def handle(self, *, folder: Path, keep: int | None, unchecked: bool, **options: Any) -> None:
        if keep is not None and keep < 1:
            raise CommandError("--keep: expected a number from 1")
        try:
            path, found = work.make(folder, clock.now(), check=not unchecked)
        except BadBackup as error:
            raise CommandError(str(error)) from None
        checked = "not checked" if unchecked else "restored and verified"
        rows = sum(found.contents.rows.values())
        self.stdout.write(f"{path}  {path.stat().st_size} bytes, {rows} rows, {checked}")
        for old in work.forget_old(folder, keep) if keep else ():
            self.stdout.write(f"deleted {old}")
