"""`manage.py clear`: deletes what is never needed again, as the worker does every hour."""

from __future__ import annotations

from typing import Any

from django.core.management import BaseCommand

from genius_site import clearing
from matches.models import clock


class Command(BaseCommand):
    help = (
        "Delete what is never needed again (ended sign-ins, old rows of the outbox); how long each is kept: KEPT_DAYS."
    )

    def handle(self, **options: Any) -> None:
        for kind, count in clearing.clear(clock.now()).items():
            self.stdout.write(f"{kind}: {count} deleted")
