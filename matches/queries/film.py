"""What every row of a finished match's log did, made again by the rules; with all secrets, so for `replays` alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from matches.engine.core import DECISION
from matches.engine.draw import Draw
from matches.engine.errors import ConfigError, Rejected
from matches.engine.step import EVERYONE, Step
from matches.engine.step import Announcement as RulesAnnouncement
from matches.infra.kept import Kept
from matches.models import Announcement, Match, Submission
from matches.queries.log import is_private
from matches.services.replay import played, step_of
from matches.services.storage import sql
from matches.services.verification import ClockThen, clocks


@dataclass(frozen=True, slots=True)
class Event:
    """What a row of the log did. It stays on the server: `queries.replays` says what of it a viewer may know.

    `state` is the position after it; `veiled` the same as if nothing had been sealed that has not been opened by then,
    and `is_veiled` says that this row sealed something. `is_secret`: its contents stay private for ever.
    """

    row: int
    kind: str
    player: str
    payload: Mapping[str, Any]
    at: datetime
    time: timedelta
    state: Any
    veiled: Any
    is_veiled: bool
    is_secret: bool
    then: ClockThen
    sealed: Mapping[str, Any]
    is_public: bool
    touched: frozenset[str]
    told: tuple[Announcement, ...]
    told_alone: tuple[RulesAnnouncement, ...]


_films: Kept[tuple[str, str], Sequence[Event]] = Kept(20_000, len)


def events_of(match: Match) -> Sequence[Event]:
    """What every row of a finished match's log did that did something or was told; kept for the next who asks."""
    key = (match.public_id, match.log_head)
    known = _films.get(key)
    if known is None:
        known = tuple(_events(match))
        _films.keep(key, known)
    return known


def _events(match: Match) -> Iterator[Event]:
    game, draw, told = match.rules, Draw(match.chance), _told_in(match)
    running, then = clocks(match), ClockThen(match.clock)
    state: Any = None
    veiled: Any = None
    at: datetime | None = None
    for row, step in played(match, draw):
        before = then
        while running and running[0][0] <= row.number:
            then = running.pop(0)[1]
        news = told.get(row.pk, ())
        if step is not None:
            state = step.state
            veiled, is_veiled = _veiled(game, draw, veiled, row, state)
            # A decision of which nobody else is told is opened with the result.
            is_veiled |= row.kind == Submission.Kind.ACTION and state.core.phase == DECISION and not step.public
        elif state is None or not news:
            continue
        else:
            is_veiled = False
        # The opening is dated at the start of the match, however late the machine was.
        at = (match.opened_at or row.received_at) if at is None else max(at, _instant_of(row, before))
        yield _event(match, row, step, at, state, veiled, is_veiled, then, news)


def _event(
    match: Match,
    row: Submission,
    step: Step[Any] | None,
    at: datetime,
    state: Any,
    veiled: Any,
    is_veiled: bool,
    then: ClockThen,
    told: tuple[Announcement, ...],
) -> Event:
    payload = json.loads(row.payload)
    return Event(
        row=row.number,
        kind=row.kind,
        player=row.player.handle if row.player else "",
        payload=payload if isinstance(payload, dict) else {},
        at=at,
        time=row.match_time,
        state=state,
        veiled=veiled,
        is_veiled=is_veiled,
        is_secret=is_private(match, row, None),
        then=then,
        sealed=match.rules.sealed(state) or {},
        is_public=step is not None and step.public,
        touched=frozenset() if step is None else step.touched,
        told=told,
        told_alone=() if step is None else tuple(each for each in step.announcements if each.audience != EVERYONE),
    )


def _instant_of(row: Submission, then: ClockThen) -> datetime:
    """When a row's event was: a late machine still passes a deadline at its own time."""
    due = then.clock.instant(row.match_time) if row.kind == Submission.Kind.DEADLINE else None
    return row.received_at if due is None else min(due, row.received_at)


def _veiled(game: Any, draw: Draw, before: Any, row: Submission, state: Any) -> tuple[Any, bool]:
    """The position as if nothing were sealed that is not open yet, and whether this row sealed something.

    Where nothing is sealed it is the true one. Between two openings it goes on from there without the rows that seal.
    """
    if before is None or not game.sealed(state):
        return state, False
    with suppress(Rejected, ConfigError, ValueError):
        step = step_of(game, draw, before, row)
        if step is not None and not game.sealed(step.state):
            return step.state, False
    return before, True


def _told_in(match: Match) -> dict[int, tuple[Announcement, ...]]:
    """Row of the log -> what everybody was told with it."""
    found: dict[int, tuple[Announcement, ...]] = {}
    for item in sql.fetch(Announcement, "match_id = %s AND audience = %s ORDER BY id", match.pk, EVERYONE):
        found[item.submission_id] = (*found.get(item.submission_id, ()), item)
    return found
