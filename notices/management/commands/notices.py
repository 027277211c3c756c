"""`manage.py notices`: lists notices and the state of their deliveries."""

import json
from argparse import ArgumentParser
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from matches.models import clock
from notices import retention


class Command(BaseCommand):
    help = "Lists notices and their deliveries, oldest first. The texts are not shown: they are for the receivers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--since", default="", help="an instant such as 2026-05-01T18:00Z; a day ago without it")
        parser.add_argument("--json", action="store_true", help="one JSON object per line")

    def handle(self, *args: Any, **options: Any) -> None:
        for notice in retention.since(_instant(options["since"])):
            self.stdout.write(json.dumps(notice) if options["json"] else _line(notice))


def _instant(text: str) -> datetime:
    if not text:
        return clock.now() - timedelta(days=1)
    try:
        found = datetime.fromisoformat(text)
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise CommandError(f"{text!r} is not a time. Write it like 2026-05-01T18:00Z.") from None


def _line(notice: dict[str, Any]) -> str:
    ways = ", ".join(f"{each['channel']} {each['status']}" for each in notice["deliveries"]) or "site only"
    return f"{notice['at']}  {notice['user']}  {notice['event']}  {notice['match'] or '-'}  {ways}"
