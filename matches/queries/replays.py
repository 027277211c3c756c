"""Replays of finished matches: every moment, computed again from the log by the rules, and who may see what of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, partial
from typing import Any, NamedTuple

import msgspec

from matches.engine.core import DECISION, FINISHED
from matches.engine.draw import Draw
from matches.engine.errors import ConfigError, Rejected
from matches.engine.match_type import MatchType
from matches.engine.step import EVERYONE, Step, to_player
from matches.engine.step import Announcement as RulesAnnouncement
from matches.engine.views import PrivateView
from matches.infra.local_cache import LocalCache
from matches.models import Announcement, Match, Player, Submission
from matches.queries.access import Viewer
from matches.queries.log import is_private
from matches.queries.matches import Position
from matches.services.replay import played, step_of
from matches.services.verification import ClockThen, clocks

# -- events ----------------------------------------------------------------------------------------------
# What every row of a finished match's log did, with all secrets, so only for use in this module.


@dataclass(frozen=True, slots=True)
class Event:
    """What a row of the log did. It contains secrets and stays on the server; a `Moment` is what a viewer may know.

    `state` is the state after the row; `veiled` the state as if nothing had been sealed that is still sealed then.
    `is_veiled`: whether this row sealed something. `is_secret`: whether its content stays private for ever.
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


_films: LocalCache[tuple[str, str], Sequence[Event]] = LocalCache(20_000, len)


def events_of(match: Match) -> Sequence[Event]:
    """The events of a finished match: the rows of its log that changed the play or announced something. Cached."""
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
            # A decision that is not announced at once becomes public with the result.
            is_veiled |= row.kind == Submission.Kind.ACTION and state.core.phase == DECISION and not step.public
        elif state is None or not news:
            continue
        else:
            is_veiled = False
        # The opening counts at the announced start, however late the machine was.
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
    """The instant of a row's event. A deadline counts at its own time, however late the machine was."""
    due = then.clock.instant(row.match_time) if row.kind == Submission.Kind.DEADLINE else None
    return row.received_at if due is None else min(due, row.received_at)


def _veiled(game: Any, draw: Draw, before: Any, row: Submission, state: Any) -> tuple[Any, bool]:
    """The state as if nothing that is still sealed had been sealed, and whether this row sealed something.

    While nothing is sealed, that is the true state. From there on it skips the rows that seal, until the next opening.
    """
    if before is None or not game.sealed(state):
        return state, False
    with suppress(Rejected, ConfigError, ValueError):
        step = step_of(game, draw, before, row)
        if step is not None and not game.sealed(step.state):
            return step.state, False
    return before, True


def _told_in(match: Match) -> dict[int, tuple[Announcement, ...]]:
    """Id of a row of the log -> its announcements to everybody."""
    found: dict[int, tuple[Announcement, ...]] = {}
    for item in match.announcements.filter(audience=EVERYONE).order_by("pk"):
        found[item.submission_id] = (*found.get(item.submission_id, ()), item)
    return found


# -- replays ---------------------------------------------------------------------------------------------
# Nobody sees more than the public log of a finished match shows (`queries.log`). If a game keeps more secret for ever
# than votes for the Elimination Candidate, a player's own view would reveal it, so only that player sees their view.
# Votes are removed from views that are shown to others.


class NoReplay(LookupError):
    """This match has no replay now; the message says why."""


class Viewpoint(NamedTuple):
    """Whose view of a match is shown: a player's `handle`, or the public view if it is empty.

    `is_own`: whether that player is the viewer. `at_once`: whether sealed submissions are shown from the moment of
    sealing, or only once they are opened.
    """

    handle: str = ""
    is_own: bool = False
    at_once: bool = True


class Sealing(NamedTuple):
    """A player has sealed something, or has taken it back (`what` is None)."""

    player: str
    what: Any


@dataclass(frozen=True, eq=False)
class Moment:
    """A moment of a match as one viewer may know it: the number of its row in the log, when it was, what happened.

    `told` are announcements to everybody, `told_alone` those to the player whose view it is. `act` is a player's handle
    and action, if the public log shows it. `sealed`: player -> their submission that is still sealed.
    """

    row: int
    at: datetime
    time: timedelta
    told: tuple[Announcement, ...]
    told_alone: tuple[RulesAnnouncement, ...]
    sealing: tuple[Sealing, ...]
    act: tuple[str, Mapping[str, Any]] | None
    sealed: Mapping[str, Any]
    _scene: Callable[[], Scene]

    @cached_property
    def scene(self) -> Scene:
        """The position as it may be shown to this viewer; computed when first needed."""
        return self._scene()


class Scene(Position):
    """The position of a finished match at an earlier moment."""

    def __init__(self, match: Match, event: Event, viewpoint: Viewpoint) -> None:
        super().__init__(_as_it_was(match, event), event.state)
        self._seen = event.state if viewpoint.at_once else event.veiled
        self._at, self._viewpoint = event.time, viewpoint

    def private_of(self, player: Player | None) -> PrivateView | None:
        """A player's view at that moment; unless the player is the viewer, without what stays secret for ever."""
        if player is None:
            return None
        view: PrivateView = self._game.private_view(self._seen, player.handle, self._at)
        if not self._viewpoint.at_once and self._seen.core.phase == DECISION:
            return msgspec.structs.replace(view, asked=(), decided=(), if_idle="")
        return view if self._viewpoint.is_own else _without_secrets(view, self._game.secret_for_ever)


def _without_secrets(view: PrivateView, secret: frozenset[str]) -> PrivateView:
    """The view without its player's secret decisions, asked or made."""
    asked = tuple(ask for ask in view.asked if ask.kind not in secret)
    return msgspec.structs.replace(
        view,
        asked=asked,
        decided=tuple(each for each in view.decided if each.kind not in secret),
        if_idle=view.if_idle if asked or not view.asked else "",
    )


def _as_it_was(match: Match, event: Event) -> Match:
    """A copy of the match with its public facts at that moment. Never saved."""
    was, then = copy(match), event.then
    over = event.state.core.phase == FINISHED
    playing = Match.Status.OPEN if then.paused_at is None else Match.Status.PAUSED
    was.status = Match.Status.FINISHED if over else playing
    was.finished_at = match.finished_at if over else None
    was.set_clock(then.clock, then.paused_at, then.resumes_at)
    due = match.rules.next_deadline(event.state) if was.status == Match.Status.OPEN else None
    was.next_deadline_at = None if due is None else was.clock.instant(due)
    return was


# -- who may see what ----------------------------------------------------------------------------


def viewpoints(viewer: Viewer) -> tuple[str, ...]:
    """The handles of the players whose views of a finished match this viewer may see."""
    if _is_open(viewer.match):
        return tuple(player.handle for player in viewer.match.players.all())
    return () if viewer.player is None else (viewer.player.handle,)


def _is_open(match: Match) -> bool:
    """Whether the public log shows all that players saw, except for their votes for the candidate."""
    return match.rules.secret_for_ever <= MatchType.secret_for_ever


def moments_for(viewer: Viewer, handle: str = "", *, at_once: bool = True) -> list[Moment]:
    """All moments of a finished match, beginning with its opening. Raises `NoReplay`, and `LookupError` for a player
    whose view this viewer may not see."""
    match = viewer.match
    if match.status != Match.Status.FINISHED:
        over = match.status == Match.Status.CANCELLED
        raise NoReplay(
            "This match was cancelled. Only matches that were played to their end have a replay."
            if over
            else "You can replay a match once it is finished: a replay shows what players keep secret until then."
        )
    if handle and handle not in viewpoints(viewer):
        raise LookupError(handle)
    is_own = viewer.player is not None and viewer.player.handle == handle
    return list(_moments(match, Viewpoint(handle, is_own, at_once)))


def _moments(match: Match, seen: Viewpoint) -> Iterator[Moment]:
    before: Mapping[str, Any] = {}
    for event in events_of(match):
        shows = not event.is_secret or (seen.is_own and event.player == seen.handle)
        sealed = _sealed_for(match, event, seen)
        sealing = tuple(_differences(before, sealed)) if shows and event.kind == Submission.Kind.ACTION else ()
        before = sealed
        is_mine = seen.handle in event.touched and shows and (seen.at_once or not event.is_veiled)
        alone = _told_alone(event, seen) if is_mine else ()
        if not (event.is_public or event.told or sealing or is_mine):
            continue
        acted = event.kind == Submission.Kind.ACTION and (event.player == seen.handle or not seen.handle)
        knows = acted and shows and (seen.at_once or not event.is_veiled)
        yield Moment(
            event.row,
            event.at,
            event.time,
            event.told,
            alone,
            sealing,
            (event.player, event.payload) if knows else None,
            sealed,
            partial(Scene, match, event, seen),
        )


def _sealed_for(match: Match, event: Event, seen: Viewpoint) -> Mapping[str, Any]:
    """The submissions that are sealed at that moment and may be shown to this viewer."""
    if not seen.at_once or not (seen.is_own or _is_open(match)):
        return {}
    if not seen.handle:
        return event.sealed
    return {player: what for player, what in event.sealed.items() if player == seen.handle}


def _differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Sealing]:
    for player in dict.fromkeys((*before, *after)):
        if before.get(player) != after.get(player):
            yield Sealing(player, after.get(player))


def _told_alone(event: Event, seen: Viewpoint) -> tuple[RulesAnnouncement, ...]:
    """The rules' announcements to this player alone. Others do not see those about decisions, which may reveal
    votes."""
    if not seen.is_own and event.state.core.phase in (DECISION, FINISHED):
        return ()
    return tuple(item for item in event.told_alone if item.audience == to_player(seen.handle))
