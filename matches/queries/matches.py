"""The position of one match for pages, the API and live updates, and the rows for the match's other pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cached_property
from typing import Any

import msgspec
from django.db.models import QuerySet

from matches.engine.actions import decode_action
from matches.engine.core import BLOOD_GARNET
from matches.engine.errors import Rejected
from matches.engine.step import Announcement as RulesAnnouncement
from matches.engine.views import HostsAsk, Outcome, PrivateView, PublicView
from matches.models import Bid, Holding, Match, Player, Submission, clock
from matches.models.ledger import shown_amount
from matches.queries.paging import PagedRows, first_of
from matches.services import actions


class Position:
    """The position of a match: its views, from a state that is decoded once.

    `state` stays inside this class; templates and JSON get `public` and `private_of`.
    """

    def __init__(self, match: Match, state: Any = None) -> None:
        """`state`: the decoded `match.state`, if the caller has it."""
        self.match = match
        self._game = match.rules
        if state is not None:
            self._state = state

    @classmethod
    def of_none(cls, match: Match) -> Position:
        """A position without any view, for a match that cannot be shown."""
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
        """The settings in force; before the opening the present ones, with today's defaults. Raises `ConfigError` for
        settings that cannot be played."""
        return self._game.read_config(self.match.config) if self._state is None else self._state.config

    @cached_property
    def _time(self) -> timedelta:
        return self.match.clock.time(clock.now())

    def private_of(self, player: Player | None) -> PrivateView | None:
        """This player's private view; None for visitors and before the opening."""
        if self._state is None or player is None:
            return None
        view: PrivateView = self._game.private_view(self._state, player.handle, self._time)
        if self.match.status == Match.Status.CANCELLED:  # the rules do not know that, and would go on asking
            return msgspec.structs.replace(view, asked=(), if_idle="")
        return view

    def advice(self, player: Player, item: RulesAnnouncement) -> str:
        """A sentence that helps this player to act on an announcement, by their own present view; empty if there is
        nothing to add."""
        public, private = self.public, self.private_of(player)
        if public is None or private is None:
            return ""
        return self._game.advice(public, private, item)

    def would_refuse(self, player: Player, action: object) -> Rejected | None:
        """Why the rules would refuse this player's action now, or None. Raises `MatchFault`."""
        return actions.dry_run(self.match, player, action, self._state)

    @cached_property
    def outcome(self) -> Outcome | None:
        """The result; None until the match is finished."""
        return None if self._state is None else self._game.outcome(self._state)

    def has_submitted(self, player: Player) -> bool | None:
        """For hosts only: whether this player has made all sealed submissions now asked for; None if none is."""
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
        """What the match waits for its hosts to do, or None."""
        return None if self._state is None else self._game.hosts_asked(self._state)

    def host_words(self, action: object, names: Mapping[str, str]) -> Sequence[str]:
        """For hosts only: sentences on what an action of theirs would do. Raises `Rejected`."""
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
    """A player's exact amount of blood garnets; None for players who have never had any. Read from the database, unless
    it was read with the player (`queries.access`)."""
    units = vars(player).get("blood_units", _UNREAD)
    if units is _UNREAD:
        units = player.holdings.filter(asset=BLOOD_GARNET).values_list("amount", flat=True).first()
    return None if units is None else Decimal(f"{Decimal(shown_amount(BLOOD_GARNET, units)).normalize():f}")


def to_json(view: Any) -> Any:
    """A view as plain JSON values."""
    return msgspec.to_builtins(view)


# -- for the match's other pages ----------------------------------------------------------------


def host_looks(match: Match) -> QuerySet[Submission]:
    """The rows of all looks at players' private data, for hosts, and for everybody after the match."""
    return looks_among(match.log.all()).select_related("user")


def looks_among(rows: QuerySet[Submission]) -> QuerySet[Submission]:
    """Those of these rows with which a host looked at a player's private data."""
    return rows.filter(kind=Submission.Kind.COMMAND, player=None, payload__startswith='{"command":"peek",')


def in_debt(match: Match) -> QuerySet[Holding]:
    """For hosts only: the holdings below zero, on credit."""
    return (
        Holding.objects.filter(player__match=match, amount__lt=0).select_related("player").order_by("player__position")
    )


def public_bids(match: Match) -> PagedRows[Bid]:
    """The history of bids that everyone may see, newest first."""
    found = match.bids.filter(public=True).order_by("-pk")
    return PagedRows(
        found.count(), lambda start, count: first_of(found.select_related("player", "placed_by"), count, start)
    )
