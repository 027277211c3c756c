"""Logs and clocks, at the end: the chain is whole, the rules lead from the log to what is stored, and no deadline was
early, twice, or passed after an action that it should have come before."""

from __future__ import annotations

from bisect import bisect_right
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from lab.simulation.failures import need
from matches.engine.draw import Draw
from matches.models import Match, Submission
from matches.services.replay import played, verify
from matches.services.verification import clock_replay

if TYPE_CHECKING:
    from lab.simulation.world import World


def check_due(world: World) -> None:
    """What the sweep looks for is what the rules wait for: stored with each match is the instant of its deadline."""
    with world.inside(world.worker):
        for match in Match.objects.filter(status=Match.Status.OPEN).order_by("pk"):
            if not match.state or match.fault:
                continue
            due = match.rules.next_deadline(match.rules.decode_state(match.state))
            expected = None if due is None else match.clock.instant(due)
            need(match.next_deadline_at == expected, "the next deadline is stored", (match.pk, due, expected))


def check(world: World) -> None:
    """All matches of the world."""
    with world.inside(world.worker):
        for match in Match.objects.order_by("pk"):
            if match.log_count > world.began_with[match.pk]:
                need(not match.fault, "no match is at fault", match.fault)
                found = verify(match)
                need(not found, "verify finds nothing", " ".join(found))
                if match.state:
                    _check_deadlines(match)


_MOVING = ("pause", "extend", "close", "outage")
"""Commands by which deadlines move."""


def _check_deadlines(match: Match) -> None:
    state: Any = None
    deadlines, last = set(), timedelta()
    commands = match.log.filter(kind=Submission.Kind.COMMAND)
    is_plain = not any(verb in payload for payload in commands.values_list("payload", flat=True) for verb in _MOVING)
    began, clocks = match.opened_at, clock_replay.clocks(match)
    for row, step in played(match, Draw(bytes.fromhex(match.seed))):
        due = match.rules.next_deadline(state) if state is not None else None
        if row.kind == Submission.Kind.DEADLINE:
            need(row.match_time == due, "deadlines at their own time", (row.number, due))
            if is_plain and began is not None:
                need(row.received_at >= began + row.match_time, "no deadline early", (row.number, row.received_at))
            need((due, id(state)) not in deadlines, "no deadline twice", row.number)
            deadlines.add((due, id(state)))
        elif row.kind == Submission.Kind.ACTION and due is not None:
            then = clocks[bisect_right([number for number, _ in clocks], row.number) - 1][1].clock
            asked = max(then.time(row.received_at), state.core.time)
            need(row.match_time == asked, "an action's time is the database's", (row.number, row.match_time, asked))
            need(row.match_time < due, "no action after a deadline that was due", (row.number, row.match_time, due))
        if row.kind != Submission.Kind.COMMAND and row.accepted:
            need(row.match_time >= last, "time does not go back", (row.number, row.match_time, last))
            last = row.match_time
        state = state if step is None else step.state
