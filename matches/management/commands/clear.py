"""`manage.py clear`: deletes what is never needed again, as the worker does every hour."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand

from genius_site import cleanup
from matches.models import clock


class Command(BaseCommand):
    help = (
        "Delete what the site no longer needs (ended sign-ins, old rows of the outbox, the demo's matches that are "
        "over). KEPT_DAYS says how long it keeps each kind."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only say how much would be deleted")

    def handle(self, *, dry_run: bool, **options: Any) -> None:
        found = cleanup.count(clock.now()) if dry_run else cleanup.clear(clock.now())
        for kind, count in found.items():
            self.stdout.write(f"{kind}: {count} {'would be deleted' if dry_run else 'deleted'}")
