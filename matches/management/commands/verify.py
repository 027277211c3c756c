"""`manage.py verify`: plays matches again from their logs and reports where the stored data differs."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand, CommandError

from matches.models import Match
from matches.services.replay import verify_live


class Command(BaseCommand):
    help = (
        "Play matches again from their logs and compare the chain of hashes, state, ledger, auction book, "
        "announcements and holdings. Prints a line for each match; exit status 1 if something differs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ids", nargs="*", metavar="ID", help="public ids, as in addresses (default: every match)")

    def handle(self, *, ids: list[str], **options: Any) -> None:
        matches = Match.objects.order_by("pk")
        if ids:
            matches = matches.filter(public_id__in=ids)
            missing = sorted(set(ids) - set(matches.values_list("public_id", flat=True)))
            if missing:
                raise CommandError(f"There is no match {', '.join(missing)}.", returncode=2)
        wrong = 0
        for match in matches.iterator():
            found = verify_live(match)
            wrong += bool(found)
            self.stdout.write(f"{match.public_id}  {' '.join(found) or 'ok'}  ({match.title})")
        if wrong:
            raise CommandError(f"{wrong} of {matches.count()} matches do not agree with their log.")
