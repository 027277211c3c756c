"""Notes when regular tasks last ran, for the health check."""

from __future__ import annotations

from datetime import datetime

from django.db import DEFAULT_DB_ALIAS

from matches.models import Heartbeat, clock

SWEEP = "sweep"


def beat(name: str) -> None:
    """Note that a regular task ran to its end."""
    if not Heartbeat.objects.filter(name=name).update(at=clock.now()):
        Heartbeat.objects.update_or_create(name=name, defaults={"at": clock.now()})


def last_beat(name: str, *, using: str = DEFAULT_DB_ALIAS) -> datetime | None:
    """When a regular task last ran to its end; None if never."""
    return Heartbeat.objects.using(using).filter(name=name).values_list("at", flat=True).first()
