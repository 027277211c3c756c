"""One match as pages, the API and live updates show it: its facts, its position, and the rows of its other pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cached_property
from typing import Annotated, Any, Literal

import msgspec
from django.db.models import QuerySet
from msgspec import Meta, Struct

from matches.engine.actions import decode_action
from matches.engine.core import BLOOD_GARNET
from matches.engine.errors import Rejected
from matches.engine.match_time import seconds
from matches.engine.step import Announcement as RulesAnnouncement
from matches.engine.views import HostsAsk, MatchTime, Outcome, PrivateView, PublicView
from matches.models import Bid, Holding, Match, Player, Submission, clock
from matches.models.ledger import shown_amount
from matches.queries.paging import PagedRows, first_of
from matches.services import actions
from matches.services.draws import FixedDraw, fixed_draws
from matches.services.storage import sql

# -- match info ------------------------------------------------------------------------------------------
# What everyone may know of a match besides its board: one whitelist, which templates read and the API returns.

Instant = Annotated[datetime, Meta(tz=True)]
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Clock(Struct, frozen=True):
    """Turns match times into instants: at `anchor_at` the match time is `anchor_time`, and it runs `speed` times as
    fast as UTC from there. An `anchor_at` of null: it stands."""

    anchor_at: Instant | None
    anchor_time: MatchTime
    speed: int


class Pause(Struct, frozen=True):
    """Since when a match is paused, and when it goes on by itself."""

    since: Instant
    until: Instant | None


class UsualHour(Struct, frozen=True):
    """At which hour of which zone deadlines fall."""

    hour: str
    zone: str


class Fingerprint(Struct, frozen=True):
    """The hash of the last row of the log at the last close. It stands for everything up to it."""

    hash: Hash
    at: Instant


class MatchInfo(Struct, frozen=True, kw_only=True):
    """A match as everybody may know it, besides its board."""

    id: str
    title: str
    game: str
    game_title: str
    status: Literal["draft", "scheduled", "open", "paused", "finished", "cancelled"]
    starts_at: Instant | None
    start_problem: str | None
    opened_at: Instant | None
    finished_at: Instant | None
    next_deadline_at: Instant | None
    clock: Clock
    paused: Pause | None
    usual_hour: UsualHour | None
    seed_hash: Hash | None
    seed: Annotated[str | None, Meta(description="Null until the match is finished or cancelled.")]
    fixed: tuple[FixedDraw, ...]
    fingerprint: Fingerprint | None
    url: Annotated[str, Meta(description="The match's page.")]

    @property
    def is_coming(self) -> bool:
        """Whether it has not begun: a draft or a published match."""
        return self.status in Match.BEFORE

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen in it."""
        return self.status in Match.OVER

    @property
    def status_label(self) -> str:
        return Match.Status(self.status).label


class PageInfo(MatchInfo, frozen=True, kw_only=True):
    """The same for templates, which get no models: what is not listed cannot be shown by mistake."""

    description: str
    open_to_join: bool
    places: int
    open_places: str
    is_demo: bool


def info_of(match: Match) -> MatchInfo:
    """What everyone may know of a match."""
    return MatchInfo(**_facts(match, fixed_draws(match)))


def page_info_of(match: Match, fixed: tuple[FixedDraw, ...] | None = None) -> PageInfo:
    """The same for templates. `fixed`: what hosts have set, where that has been read already."""
    return PageInfo(
        **_facts(match, fixed_draws(match) if fixed is None else fixed),
        description=match.description,
        open_to_join=match.status == Match.Status.SCHEDULED and match.joining in Match.OPEN_TO_ALL,
        places=match.places,
        open_places=match.open_places if match.status == Match.Status.SCHEDULED else "",
        is_demo=match.is_demo,
    )


def _facts(match: Match, fixed: tuple[FixedDraw, ...]) -> dict[str, Any]:
    """The seed is there only once nothing more will be drawn from it: when the match is finished or cancelled."""
    paused_at = match.paused_at if match.status == Match.Status.PAUSED else None
    closed_at = match.closed_at
    is_promised = match.state or match.status == Match.Status.SCHEDULED
    return {
        "id": match.public_id,
        "title": match.title,
        "game": match.game,
        "game_title": match.rules.title,
        "status": match.status,
        "starts_at": None if match.start_problem else match.starts_at,
        "start_problem": match.start_problem or None,
        "opened_at": match.opened_at,
        "finished_at": match.finished_at,
        "next_deadline_at": match.next_deadline_at if match.state else None,
        "clock": Clock(match.anchor_at, seconds(match.anchor_time), match.speed),
        "paused": Pause(paused_at, match.resumes_at) if paused_at else None,
        "usual_hour": UsualHour(match.usual_hour, match.usual_zone) if match.usual_hour else None,
        "seed_hash": (match.seed_hash or None) if is_promised else None,
        "seed": (match.seed or None) if match.is_over and match.state else None,
        "fixed": fixed,
        "fingerprint": Fingerprint(match.closed_head, closed_at) if match.closed_head and closed_at else None,
        "url": match.get_absolute_url(),
    }


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

    @cached_property
    def hosts(self) -> Any:
        """For hosts only: what they may know while they act inside the rules."""
        return None if self._state is None else self._game.host_view(self._state)

    @cached_property
    def hosts_asked(self) -> HostsAsk | None:
        """What the match waits for its hosts to do."""
        return None if self._state is None else self._game.hosts_asked(self._state)

    def host_words(self, action: object, names: Mapping[str, str]) -> Sequence[str]:
        """For hosts only: what an action of theirs would do, in sentences."""
        typed = decode_action(self._game.host_actions, action)
        return self._game.host_words(self._state, typed, lambda handle: names.get(handle, handle))

    def instant(self, time: int | float | timedelta | None) -> datetime | None:
        """The UTC instant of a match time (views carry seconds); None while the clock is stopped."""
        if time is None:
            return None
        span = time if isinstance(time, timedelta) else timedelta(seconds=time)
        return self.match.clock.instant(span)


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
