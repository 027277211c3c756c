"""What is stored at the end, read with the site's own models, and a few deadlines that pass during the faults."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable
from typing import Any, NamedTuple

from lab import timers
from lab.crash.checker import Row, Violation
from lab.crash.sites import Site


def enter(site: Site) -> None:
    """Set Django up on the site's database, around every fault; once in a process."""
    os.environ.update(site.env)
    os.environ["PATIENT"] = "1"
    os.environ["DJANGO_SETTINGS_MODULE"] = "genius_site.settings"
    import django

    django.setup()


def schedule(count: int, within: float) -> list[Any]:
    """Matches of bots, each with two deadlines at random times. No connection stays open."""
    from django.db import connection

    made = timers.schedule(count, within) if count else []
    connection.close()
    return made


class Timers(NamedTuple):
    """`latest`: the longest delay, in seconds."""

    due: int
    passed: int
    early: int
    latest: float


def passed(matches: list[Any]) -> Timers:
    """What became of the deadlines that were due by now."""
    from matches.models import Match, clock

    late = timers.lateness(matches)
    waiting = Match.objects.filter(pk__in=[match.pk for match in matches], next_deadline_at__lte=clock.now()).count()
    return Timers(len(late) + waiting, len(late), sum(each < 0 for each in late), max(late, default=0.0))


def judged(found: Timers) -> Iterable[Violation]:
    if found.early:
        yield Violation("early", f"{found.early} of {found.passed} deadlines passed before their time")
    if found.passed < found.due:
        yield Violation("deadline lost", f"{found.due - found.passed} deadlines that are due have not passed")


def rows(matches: list[str]) -> list[Row]:
    """The players' actions in the logs."""
    from matches.models import Submission

    stored = Submission.objects.filter(match__public_id__in=matches, kind="action").select_related("match", "player")
    return [
        Row(
            row.match.public_id,
            row.number,
            row.actor.removeprefix("player:"),
            row.key,
            json.loads(row.payload),
            row.accepted,
            row.code,
            row.own_number,
            row.receipt_hash,
        )
        for row in stored.iterator()
    ]


def verified(site: Site) -> Iterable[Violation]:
    """What `manage.py verify` finds, and on SQLite the database's own check."""
    done = site.manage("verify")
    if done.returncode:
        wrong = [line for line in done.stdout.splitlines() if "  ok  " not in line]
        yield Violation("verify", "; ".join([*wrong, done.stderr.strip()]))
    if (database := getattr(site, "database", None)) is not None:
        with sqlite3.connect(database) as connection:
            if (found := connection.execute("PRAGMA integrity_check").fetchone()) != ("ok",):
                yield Violation("verify", f"integrity_check: {found}")
