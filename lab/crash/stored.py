"""What is stored at the end, read with the site's own models, and a few deadlines that pass during the faults."""

import json
import sqlite3
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from lab import timers
from lab.crash.checker import Row, Violation
from lab.crash.sites import Site

_JUST_NOW = timedelta(seconds=10)
"""What has come due in this time is perhaps only about to be swept."""


def schedule(count: int, within: float) -> list[Any]:
    """Matches of bots, each with two deadlines at random times. No connection stays open."""
    from django.db import connection

    made = timers.schedule(count, within) if count else []
    connection.close()
    return made


def timed(matches: list[Any]) -> tuple[str, list[Violation]]:
    """What became of the deadlines that were due by now, in words, and what is wrong with that."""
    from matches.models import Match, clock

    late, wrong = timers.lateness(matches), []
    mine = Match.objects.filter(pk__in=[each.pk for each in matches])
    if waiting := mine.filter(next_deadline_at__lte=clock.now() - _JUST_NOW).count():
        wrong.append(Violation("deadline lost", f"{waiting} deadlines that are due have not passed"))
    if early := sum(each < 0 for each in late):
        wrong.append(Violation("early", f"{early} deadlines passed before their time"))
    return f"{len(late)} passed, the latest {max(late, default=0.0):.1f} s late.", wrong


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
