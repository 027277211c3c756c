"""The queries for matches that pages, API and live updates use. Their results are made from views."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from functools import cached_property
from typing import Any

import msgspec
from django.db.models import Case, Count, F, IntegerField, QuerySet, Value, When

from matches.engine.ledger import BLOOD_GARNET
from matches.engine.views import Ask, Outcome, PrivateView, PublicView
from matches.models import Bid, Holding, Match, Player, Submission, clock
from matches.models.ledger import shown_amount
from matches.queries import match_info

# -- one match ---------------------------------------------------------------------------------


class Position:
    """The position of a match: its views, decoded once.

    `state` stays inside this class; templates and JSON get `public` and `private_of`.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self._game = match.rules

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
        view: PrivateView = self._game.private_view_at(self._state, player.handle, self._time)
        if self.match.status == Match.Status.CANCELLED:  # the rules do not know this, and would still ask
            return msgspec.structs.replace(view, asked=(), if_idle="")
        return view

    @cached_property
    def outcome(self) -> Outcome | None:
        """The result of a finished match."""
        return None if self._state is None else self._game.outcome(self._state)

    def has_submitted(self, player: Player) -> bool | None:
        """For hosts only: whether a sealed submission has been made; None if none is asked for."""
        sealed = None if self._state is None else self._game.sealed(self._state)
        return None if sealed is None else player.handle in sealed

    def instant(self, time: int | float | timedelta | None) -> datetime | None:
        """The UTC instant of a match time (views carry seconds); None while the clock is stopped."""
        if time is None:
            return None
        span = time if isinstance(time, timedelta) else timedelta(seconds=time)
        return self.match.clock.instant(span)


def snapshot(position: Position, player: Player | None) -> dict[str, Any]:
    """The API's answer for one match: its public facts, views, versions, and the server's time."""
    return {
        "match": match_info.info_json(position.match),
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


def blood_garnets(player: Player) -> Decimal | None:
    """A player's exact amount of blood garnets; None for players who have never had any."""
    units = player.holdings.filter(asset=BLOOD_GARNET).values_list("amount", flat=True).first()
    return None if units is None else Decimal(f"{Decimal(shown_amount(BLOOD_GARNET, units)).normalize():f}")


def to_json(view: Any) -> Any:
    """A view as plain JSON values."""
    return msgspec.to_builtins(view)


# -- lists -------------------------------------------------------------------------------------


def public_matches() -> QuerySet[Match]:
    """Every public match, newest first."""
    return Match.objects.exclude(status=Match.Status.DRAFT).exclude(status=Match.Status.CANCELLED, starts_at=None)


def running_matches() -> QuerySet[Match]:
    """Matches being played, the most recently opened first; paused ones come last."""
    return _counted(public_matches().filter(status__in=(Match.Status.OPEN, Match.Status.PAUSED))).order_by(
        "status", "-opened_at", "-pk"
    )


def coming_matches() -> QuerySet[Match]:
    """Published matches that have not begun, the next first."""
    coming = _counted(public_matches().filter(status=Match.Status.SCHEDULED))
    # Matches without a problem (an empty text) come first, because a failed start is not one to wait for.
    return coming.order_by("start_problem", "starts_at", "pk")


def open_tables(user: Any) -> QuerySet[Match]:
    """Coming matches that this person can join, the next one first."""
    found = coming_matches().filter(joining=Match.Joining.OPEN, start_problem="")
    found = found.alias(taken=Count("players")).filter(taken__lt=F("places"))
    return found.exclude(players__user=user) if user.is_authenticated else found


def finished_matches() -> QuerySet[Match]:
    """Finished matches, the latest first."""
    return _counted(public_matches().filter(status=Match.Status.FINISHED)).order_by("-finished_at", "-pk")


def _counted(matches: QuerySet[Match]) -> QuerySet[Match]:
    return matches.annotate(player_count=Count("players"))


_HOSTS_ORDER = ("open", "paused", "scheduled", "draft", "finished", "cancelled")


def hosted_by(user: Any, most: int = 100) -> list[Match]:
    """The matches that a person hosts: first those that need a host, then by status and next deadline or start."""
    rank = [When(status=status, then=Value(number)) for number, status in enumerate(_HOSTS_ORDER)]
    calm = When(fault="", start_problem="", then=Value(1))
    found = Match.objects.filter(hosts=user).annotate(
        calm=Case(calm, default=Value(0), output_field=IntegerField()),
        rank=Case(*rank, default=Value(9), output_field=IntegerField()),
    )
    return list(found.order_by("calm", "rank", "next_deadline_at", "-created_at")[:most])


class MyMatch(msgspec.Struct):
    """One of a person's matches: their part in it, and what they are asked (until match time)."""

    match: Any
    player: Any
    asked: tuple[Ask, ...]
    position: Any


def my_matches(user: Any) -> list[MyMatch]:
    """A person's matches: first those that ask something, by deadline."""
    players = (
        Player.objects.filter(user=user)
        .select_related("match")
        .prefetch_related("match__players")
        .exclude(match__status=Match.Status.CANCELLED)
        .order_by("-match__created_at")
    )
    found = [_my_match(player) for player in players]
    return sorted(found, key=_urgency)


def _my_match(player: Player) -> MyMatch:
    position = Position(player.match)
    asked: tuple[Ask, ...] = ()
    if player.match.status == Match.Status.OPEN:
        private = position.private_of(player)
        asked = private.asked if private else ()
    return MyMatch(player.match, player, asked, position)


def _urgency(mine: MyMatch) -> tuple[int, float]:
    order = list(Match.Status.values)
    due = [ask.until for ask in mine.asked if ask.until is not None]
    instant = mine.position.instant(min(due)) if due else mine.match.next_deadline_at
    return (0 if mine.asked else 1 + order.index(mine.match.status), _timestamp(instant))


def _timestamp(instant: datetime | None) -> float:
    return instant.timestamp() if instant else float("inf")


# -- for the match's other pages ----------------------------------------------------------------


def host_looks(match: Match) -> QuerySet[Submission]:
    """The match's access log: every look at a sealed submission. For its hosts, and after the match for everybody."""
    return looks_among(match.log.all()).select_related("user")


def looks_among(rows: QuerySet[Submission]) -> QuerySet[Submission]:
    """The rows of the log in which a host looked at a sealed submission."""
    return rows.filter(kind=Submission.Kind.COMMAND, payload__startswith='{"command":"peek",')


def in_debt(match: Match) -> QuerySet[Holding]:
    """For hosts: the players with a negative balance, on credit."""
    return (
        Holding.objects.filter(player__match=match, amount__lt=0).select_related("player").order_by("player__position")
    )


def public_bids(match: Match) -> QuerySet[Bid]:
    """The history of bids that everyone may see, newest first."""
    return match.bids.filter(public=True).select_related("player").order_by("-pk")
