"""Judges a history: what was sent, what was answered, and what is stored at the end, match by match.

Each answered action must be in the log once and as it was answered, and no action may precede one that had been
answered before it was sent. `manage.py verify` checks that the log follows the rules.
"""

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from lab import timers
from lab.crash.sites import Site

NOT_STORED = {"busy", "too_many_requests"}
"""Refusals that promise that nothing was stored. After any other failure (503, 500, no answer) both are possible."""


class Attempt(NamedTuple):
    """One attempt to send an action. Times are seconds of one clock; without an answer `answered` is None and `status`
    0. `answer`: the JSON body."""

    match: str
    player: str
    key: str
    body: dict[str, Any]
    web: str
    sent: float
    answered: float | None = None
    status: int = 0
    answer: dict[str, Any] = {}


class Row(NamedTuple):
    """An action in a match's log."""

    match: str
    number: int
    player: str
    key: str
    body: dict[str, Any]
    accepted: bool
    code: str
    own_number: int | None
    receipt_hash: str


class Violation(NamedTuple):
    """A broken promise: its kind, and what was seen."""

    kind: str
    text: str


class Deed(NamedTuple):
    """All attempts at one action: when it was first sent, and when it was first answered by the rules, if it was."""

    attempts: list[Attempt]
    sent: float
    answered: float

    @property
    def verdicts(self) -> list[Attempt]:
        """The attempts that the rules answered."""
        return [each for each in self.attempts if each.status in (200, 422)]

    @property
    def is_refused(self) -> bool:
        """Whether every attempt was refused with a promise that nothing was stored."""
        return all(each.answer.get("code") in NOT_STORED for each in self.attempts)


def check(attempts: Sequence[Attempt], rows: Sequence[Row]) -> list[Violation]:
    """Return everything that is wrong with a history."""
    found = list[Violation]()
    deeds = _deeds(attempts)
    for match in sorted({each.match for some in (attempts, rows) for each in some}):
        mine = {key: deed for key, deed in deeds.items() if key[0] == match}
        log = sorted((row for row in rows if row.match == match), key=lambda row: row.number)
        found += _each_once(mine, log)
        found += _in_order(mine, log)
    return found


Deeds = dict[tuple[str, str, str], Deed]


def _deeds(attempts: Iterable[Attempt]) -> Deeds:
    """Group attempts by match, player and key."""
    by_key = defaultdict[tuple[str, str, str], list[Attempt]](list)
    for each in attempts:
        by_key[each.match, each.player, each.key].append(each)
    found = {}
    for key, some in by_key.items():
        verdicts = [each.answered for each in some if each.status in (200, 422) and each.answered is not None]
        found[key] = Deed(some, min(each.sent for each in some), min(verdicts, default=float("inf")))
    return found


def _each_once(deeds: Deeds, log: list[Row]) -> Iterable[Violation]:
    """Check that answered actions are in the log once and as answered, refused ones are not, and nothing else is."""
    rows = defaultdict[tuple[str, str, str], list[Row]](list)
    for row in log:
        rows[row.match, row.player, row.key].append(row)
    for key, some in rows.items():
        if len(some) > 1:
            yield Violation("doubled", f"{key} stands in the log {len(some)} times")
        if key not in deeds:
            yield Violation("nobody's", f"{key} was never sent")
    for key, deed in deeds.items():
        stored = rows[key][0] if rows.get(key) else None
        if stored is not None and deed.is_refused:
            yield Violation("refused but stored", f"{key} was refused each time, and is row {stored.number}")
        if stored is not None and any(each.body != stored.body for each in deed.attempts):
            yield Violation("changed", f"{key} was sent as another action than row {stored.number}")
        for each in deed.verdicts:
            yield from _as_answered(key, each, stored)
    counts = Counter(row.player for row in log if row.accepted)
    for player, count in counts.items():
        numbers = [row.own_number for row in log if row.player == player and row.accepted]
        if numbers != list(range(1, count + 1)):
            yield Violation("half", f"the accepted actions of {player} in {log[0].match} are not numbered 1 to {count}")


def _as_answered(key: tuple[str, str, str], attempt: Attempt, row: Row | None) -> Iterable[Violation]:
    if row is None:
        yield Violation("lost", f"{key} was answered with {attempt.status}, and is not in the log")
    elif row.accepted != (attempt.status == 200):
        kind = "refused but stored" if row.accepted else "lost"
        yield Violation(kind, f"{key} was answered with {attempt.status}; row {row.number} says {row.accepted}")
    elif not row.accepted and row.code != attempt.answer.get("code"):
        yield Violation("changed", f"{key} was refused as {attempt.answer.get('code')}, row {row.number} as {row.code}")
    elif row.accepted:
        receipt = attempt.answer.get("receipt") or {}
        if (receipt.get("hash"), receipt.get("number")) != (row.receipt_hash, row.own_number):
            yield Violation("doubled", f"{key} was answered with the receipt of another effect than row {row.number}")


def _in_order(deeds: Deeds, log: list[Row]) -> Iterable[Violation]:
    """Check that actions come after those that had been answered when they were sent."""
    latest, which = float("-inf"), 0
    for row in log:
        if (deed := deeds.get((row.match, row.player, row.key))) is None:
            continue
        if deed.answered < latest:
            yield Violation("order", f"row {row.number} of {row.match} was answered before row {which} was sent")
        if deed.sent > latest:
            latest, which = deed.sent, row.number


# -- what is stored at the end, read with the site's models; and deadlines that pass during the faults -------

_JUST_NOW = timedelta(seconds=10)
"""Deadlines that came due within this time may be about to be swept."""


def schedule(count: int, within: float) -> list[Any]:
    """Make matches of bots, each with two deadlines at random times. Leaves no connection open."""
    from django.db import connection

    made = timers.schedule(count, within) if count else []
    connection.close()
    return made


def timed(matches: list[Any]) -> tuple[str, list[Violation]]:
    """Report on the deadlines that are due by now, in words, and what is wrong with them."""
    from matches.models import Match, clock

    late, wrong = timers.lateness(matches), []
    mine = Match.objects.filter(pk__in=[each.pk for each in matches])
    if waiting := mine.filter(next_deadline_at__lte=clock.now() - _JUST_NOW).count():
        wrong.append(Violation("deadline lost", f"{waiting} deadlines that are due have not passed"))
    if early := sum(each < 0 for each in late):
        wrong.append(Violation("early", f"{early} deadlines passed before their time"))
    return f"{len(late)} passed, the latest {max(late, default=0.0):.1f} s late.", wrong


def rows(matches: list[str]) -> list[Row]:
    """Return the players' actions in the logs."""
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
    """Yield what `manage.py verify` finds and, on SQLite, the database's own integrity check."""
    done = site.manage("verify")
    if done.returncode:
        wrong = [line for line in done.stdout.splitlines() if "  ok  " not in line]
        yield Violation("verify", "; ".join([*wrong, done.stderr.strip()]))
    if (database := getattr(site, "database", None)) is not None:
        with sqlite3.connect(database) as connection:
            if (found := connection.execute("PRAGMA integrity_check").fetchone()) != ("ok",):
                yield Violation("verify", f"integrity_check: {found}")
