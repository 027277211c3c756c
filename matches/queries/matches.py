"""One match as pages, the API and live updates show it: its facts, its position, and the rows of its other pages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cached_property
from typing import Any

import msgspec
from django.db.models import QuerySet

from matches.engine.core import BLOOD_GARNET
from matches.engine.errors import Rejected
from matches.engine.match_time import seconds
from matches.engine.step import Announcement as RulesAnnouncement
from matches.engine.views import Outcome, PrivateView, PublicView
from matches.infra.text import iso
from matches.models import Bid, Holding, Match, Player, Submission, clock
from matches.models.ledger import shown_amount
from matches.queries.paging import PagedRows, first_of
from matches.services import actions
from matches.services.draws import FixedDraw, fixed_draws
from matches.services.storage import sql

# -- match info ------------------------------------------------------------------------------------------
# What everyone may know of a match besides its board: one whitelist, used by templates and by the API.


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """A match as everyone may know it. Templates get no models, so what is not listed here cannot be shown by mistake.
    Instants are UTC, `anchor_time` is match time."""

    id: str
    url: str
    title: str
    description: str
    game: str
    game_title: str
    status: str
    status_label: str
    starts_at: datetime | None
    start_problem: str
    opened_at: datetime | None
    finished_at: datetime | None
    paused_at: datetime | None
    resumes_at: datetime | None
    next_deadline_at: datetime | None
    anchor_at: datetime | None
    anchor_time: timedelta
    speed: int
    usual_hour: str
    usual_zone: str
    seed_hash: str
    seed: str
    open_to_join: bool
    places: int
    open_places: str
    is_demo: bool
    fixed: tuple[FixedDraw, ...]
    closed_head: str
    closed_at: datetime | None

    @property
    def is_coming(self) -> bool:
        """Whether it has not begun: a draft or a published match."""
        return self.status in Match.BEFORE

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen in it."""
        return self.status in Match.OVER


def info_of(match: Match, fixed: tuple[FixedDraw, ...] | None = None) -> MatchInfo:
    """What everyone may know of a match. It includes the seed only once nothing more will be drawn from it: when the
    match is finished or cancelled. `fixed`: what hosts have set, where that has been read already."""
    return MatchInfo(
        id=match.public_id,
        url=match.get_absolute_url(),
        title=match.title,
        description=match.description,
        game=match.game,
        game_title=match.rules.title,
        status=match.status,
        status_label=Match.Status(match.status).label,
        starts_at=None if match.start_problem else match.starts_at,
        start_problem=match.start_problem,
        opened_at=match.opened_at,
        finished_at=match.finished_at,
        paused_at=match.paused_at if match.status == Match.Status.PAUSED else None,
        resumes_at=match.resumes_at if match.status == Match.Status.PAUSED else None,
        next_deadline_at=match.next_deadline_at if match.state else None,
        anchor_at=match.anchor_at,
        anchor_time=match.anchor_time,
        speed=match.speed,
        usual_hour=match.usual_hour,
        usual_zone=match.usual_zone if match.usual_hour else "",
        seed_hash=match.seed_hash if match.state or match.status == Match.Status.SCHEDULED else "",
        seed=match.seed if match.is_over and match.state else "",
        open_to_join=match.status == Match.Status.SCHEDULED and match.joining in Match.OPEN_TO_ALL,
        places=match.places,
        open_places=match.open_places if match.status == Match.Status.SCHEDULED else "",
        is_demo=match.is_demo,
        fixed=fixed_draws(match) if fixed is None else fixed,
        closed_head=match.closed_head,
        closed_at=match.closed_at,
    )


def info_json(match: Match) -> dict[str, Any]:
    """The same for programs, JSON-able.

    `clock` lets a client turn match times (seconds) into instants: at `anchor_at` the match time is
    `anchor_time`, and it runs `speed` times as fast as UTC from there; null means that the clock is stopped.
    `paused` says since when, and when the match goes on by itself.
    `fingerprint`: the hash of the last row of the log at the last close, which stands for everything up to it.
    `fixed`: what hosts have set instead of having it drawn.
    """
    info = info_of(match)
    return {
        "id": info.id,
        "title": info.title,
        "game": info.game,
        "game_title": info.game_title,
        "status": info.status,
        "starts_at": iso(info.starts_at),
        "start_problem": info.start_problem or None,
        "opened_at": iso(info.opened_at),
        "finished_at": iso(info.finished_at),
        "next_deadline_at": iso(info.next_deadline_at),
        "clock": {
            "anchor_at": iso(info.anchor_at),
            "anchor_time": seconds(info.anchor_time),
            "speed": info.speed,
        },
        "paused": {"since": iso(info.paused_at), "until": iso(info.resumes_at)} if info.paused_at else None,
        "usual_hour": {"hour": info.usual_hour, "zone": info.usual_zone} if info.usual_hour else None,
        "seed_hash": info.seed_hash or None,
        "seed": info.seed or None,
        "fixed": [{"what": each.what, "by": each.by or None} for each in info.fixed],
        "fingerprint": {"hash": info.closed_head, "at": iso(info.closed_at)} if info.closed_head else None,
        "url": info.url,
    }


# -- matches ---------------------------------------------------------------------------------------------
# The queries for one match that pages, API and live updates use. Their results are made from views.

# -- one match ---------------------------------------------------------------------------------


class Position:
    """The position of a match: its views, decoded once.

    `state` stays inside this class; templates and JSON get `public` and `private_of`.
    """

    def __init__(self, match: Match, state: Any = None) -> None:
        """`state`: what `match.state` says, where it is decoded already."""
        self.match = match
        self._game = match.rules
        if state is not None:
            self._state = state

    @classmethod
    def of_none(cls, match: Match) -> Position:
        """Of a match that cannot be shown: without any view, whatever is stored."""
        found = cls(match)
        found._state = None
        return found

    @cached_property
    def _state(self) -> Any:
        """None before the opening, and if this site does not know the rules."""
        return self._game.decode_state(self.match.state) if self.match.state and self._game.is_known else None

    @cached_property
    def public(self) -> PublicView | None:
        """What everyone may know; None before the match opens."""
        return None if self._state is None else self._game.public_view(self._state)

    @cached_property
    def config(self) -> Any:
        """The settings in force, also if defaults have changed since the opening; before it, those that are set. Raises
        `ConfigError` for settings that cannot be played."""
        return self._game.read_config(self.match.config) if self._state is None else self._state.config

    @cached_property
    def _time(self) -> timedelta:
        return self.match.clock.time(clock.now())

    def private_of(self, player: Player | None) -> PrivateView | None:
        """This player's private view; None for visitors and before the opening."""
        if self._state is None or player is None:
            return None
        view: PrivateView = self._game.private_view(self._state, player.handle, self._time)
        if self.match.status == Match.Status.CANCELLED:  # the rules do not know this, and would still ask
            return msgspec.structs.replace(view, asked=(), if_idle="")
        return view

    def advice(self, player: Player, item: RulesAnnouncement) -> str:
        """What this player may want to know in order to act on what they were told, by their own view of this moment;
        empty if there is nothing to add."""
        public, private = self.public, self.private_of(player)
        if public is None or private is None:
            return ""
        return self._game.advice(public, private, item)

    def would_refuse(self, player: Player, action: object) -> Rejected | None:
        """Why the rules would refuse an action of this player's now, or None. Raises `MatchFault`."""
        return actions.dry_run(self.match, player, action, self._state)

    @cached_property
    def outcome(self) -> Outcome | None:
        """The result of a finished match."""
        return None if self._state is None else self._game.outcome(self._state)

    def has_submitted(self, player: Player) -> bool | None:
        """For hosts only: whether all sealed submissions asked for have been made; None if none is asked for."""
        sealed = None if self._state is None else self._game.sealed(self._state)
        if sealed is None:
            return None
        private = self.private_of(player)
        return player.handle in sealed and not (private and private.asked)

    def instant(self, time: int | float | timedelta | None) -> datetime | None:
        """The UTC instant of a match time (views carry seconds); None while the clock is stopped."""
        if time is None:
            return None
        span = time if isinstance(time, timedelta) else timedelta(seconds=time)
        return self.match.clock.instant(span)


def snapshot(position: Position, player: Player | None) -> dict[str, Any]:
    """The API's answer for one match: its public facts, views, versions, and the server's time."""
    return {
        "match": info_json(position.match),
        "public": to_json(position.public),
        "private": private_json(position, player),
        "versions": {
            "public": position.match.public_version,
            "private": player.version if player is not None else None,
        },
        "now": clock.now().isoformat(),
    }


def private_json(position: Position, player: Player | None) -> dict[str, Any] | None:
    """A player's private view as plain JSON values; the balances include blood garnets, which the rules do not know."""
    private: dict[str, Any] | None = to_json(position.private_of(player))
    if private is not None and player is not None and (held := blood_garnets(player)) is not None:
        private["balances"][BLOOD_GARNET] = str(held)
    return private


_UNREAD = object()


def blood_garnets(player: Player) -> Decimal | None:
    """A player's exact amount of blood garnets; None for players who have never had any. Read now, unless it was read
    with the player (`queries.access`)."""
    units = vars(player).get("blood_units", _UNREAD)
    if units is _UNREAD:
        rows = sql.select(Holding, ("amount",), "player_id = %s AND asset = %s", player.pk, BLOOD_GARNET)
        units = rows[0][0] if rows else None
    return None if units is None else Decimal(f"{Decimal(shown_amount(BLOOD_GARNET, units)).normalize():f}")


def to_json(view: Any) -> Any:
    """A view as plain JSON values."""
    return msgspec.to_builtins(view)


# -- for the match's other pages ----------------------------------------------------------------


def host_looks(match: Match) -> QuerySet[Submission]:
    """The match's access log: every look at a sealed submission. For its hosts, and after the match for everybody."""
    return looks_among(match.log.all()).select_related("user")


def looks_among(rows: QuerySet[Submission]) -> QuerySet[Submission]:
    """The rows of the log in which a host looked at a sealed submission."""
    return rows.filter(kind=Submission.Kind.COMMAND, player=None, payload__startswith='{"command":"peek",')


def in_debt(match: Match) -> QuerySet[Holding]:
    """For hosts: the players with a negative balance, on credit."""
    return (
        Holding.objects.filter(player__match=match, amount__lt=0).select_related("player").order_by("player__position")
    )


def public_bids(match: Match) -> PagedRows[Bid]:
    """The history of bids that everyone may see, newest first."""
    found = match.bids.filter(public=True).order_by("-pk")
    return PagedRows(
        found.count(), lambda start, count: first_of(found.select_related("player", "placed_by"), count, start)
    )
