"""Rehearsals: bots play a match that has not begun, in memory, and its hosts get a report.

Nothing of the match changes, and nobody else learns of it. So the match's log, which becomes public, has no row of it.
"""

from datetime import datetime, timedelta
from time import monotonic
from typing import Any

import msgspec
import structlog
from django.db import transaction
from django.db.models import QuerySet

from matches.engine.errors import ConfigError
from matches.engine.rehearsal import Report, report_of
from matches.engine.scenario import Unplayable
from matches.engine.sentences import sentence
from matches.engine.settings import Entrant, Roster
from matches.models import Match, Player, Rehearsal, clock
from matches.models.clock import MatchClock
from matches.services import belonging
from matches.services.bots import with_stand_ins
from matches.services.commands import need_host
from matches.services.errors import CommandRefused, Refused, retrying
from matches.services.locking import lock_row_now
from matches.services.opening import setting_problems

ONLY_BEFORE = "You can rehearse only a match that has not begun."

REST = timedelta(seconds=10)
"""How long a host must wait between two rehearsals."""

GIVEN_UP_AFTER = timedelta(minutes=2)
"""A rehearsal without a report after this time was interrupted, for instance by a restart of the server."""


class RehearsedPlayer(msgspec.Struct, frozen=True):
    """A player of a rehearsal: `played_by` is `person`, `bot` or `open` (also a stand-in)."""

    handle: str
    name: str
    team: str
    garnets: int
    priority: int
    played_by: str


class Setup(msgspec.Struct, frozen=True):
    """What a rehearsal plays with: the settings as hosts have set them, the players, and the speed of the clock."""

    config: dict[str, Any]
    players: tuple[RehearsedPlayer, ...]
    speed: int = 1

    @property
    def roster(self) -> Roster:
        """The players as the rules take them."""
        return tuple(Entrant(each.handle, each.team or None, each.garnets, each.priority) for each in self.players)


def setup_of(match: Match) -> Setup:
    """The setup with which this match would be played now."""
    listed = {player.handle: player for player in match.players.select_related("user")}
    found = []
    for number, entrant in enumerate(with_stand_ins(match), start=1):
        player = listed.get(entrant.handle)
        name = f"Player {number}" if player is None else player.shown_name
        played_by = "open"
        if player is not None and player.is_bot:
            played_by = "bot"
        elif player is not None and player.user is not None:
            played_by = "person"
        amounts = (entrant.garnets, entrant.priority)
        found.append(RehearsedPlayer(entrant.handle, name, entrant.team or "", *amounts, played_by))
    group = belonging.group_of(match)
    return Setup(
        config=dict(match.config if group is None else group.config(match.config)),
        players=tuple(found),
        speed=match.speed,
    )


class _TakenBack(Exception):
    """Ends a transaction that was only a try."""


def _with_brought(match: Match, setup: Setup) -> Setup:
    """The setup with what players would bring from the match's group, found by moving it and rolling that back. If the
    group refuses, the setup stays as it is."""
    group = belonging.group_of(match)
    if group is None:
        return setup
    players = {player.handle: player for player in match.players.order_by("position", "pk")}
    try:
        with transaction.atomic():
            group.bring(players.values())
            raise _TakenBack
    except _TakenBack:
        changed = tuple(_bringing(each, players.get(each.handle)) for each in setup.players)
        return msgspec.structs.replace(setup, players=changed)
    except Refused:
        return setup


def _bringing(rehearsed: RehearsedPlayer, player: Player | None) -> RehearsedPlayer:
    if player is None:
        return rehearsed
    return msgspec.structs.replace(rehearsed, garnets=player.garnets, priority=player.priority)


def setup_in(rehearsal: Rehearsal) -> Setup:
    """The setup of a rehearsal."""
    return msgspec.convert(rehearsal.played_with, Setup)


def clock_in(rehearsal: Rehearsal) -> MatchClock:
    """The clock that the match will have if it begins as planned and nobody moves it."""
    return MatchClock(rehearsal.begins_at, timedelta(), setup_in(rehearsal).speed)


def unfinished() -> QuerySet[Rehearsal]:
    """The rehearsals that are waiting or being played."""
    return Rehearsal.objects.filter(report__isnull=True, problem="")


def report_in(rehearsal: Rehearsal) -> Report | None:
    """The report of a rehearsal; None if it has none (yet)."""
    return None if rehearsal.report is None else msgspec.convert(rehearsal.report, Report)


@retrying
def ask(match: Match, host: Any, begins_at: datetime, *, key: str = "") -> Rehearsal:
    """Ask for a rehearsal of the match as it is set up now, as if it began at the instant `begins_at`. A worker plays
    it within seconds. The match's earlier rehearsal is deleted.

    A host's repeated `key` returns the same rehearsal. Raises `NotAHost`, and `CommandRefused` if the match has begun
    or cannot be played, or another rehearsal has just been asked for.
    """
    with transaction.atomic():
        row, now = lock_row_now(match.pk)
        need_host(row, host)
        if row.status not in Match.BEFORE:
            raise CommandRefused(ONLY_BEFORE)
        unfinished().filter(match=row, made_at__lte=now - GIVEN_UP_AFTER).delete()
        if key and (made := row.rehearsals.filter(host=host, key=key).first()):
            return made
        if unfinished().filter(match=row).exists():
            raise CommandRefused("A rehearsal is under way. Its report will be here in a few seconds.")
        _need_rest(host, now)
        setup = _with_brought(row, setup_of(row))
        _need_playable(row, setup.roster)
        made = row.rehearsals.create(
            host=host,
            made_at=now,
            begins_at=begins_at,
            played_with=msgspec.to_builtins(setup),
            key=key,
        )
        row.rehearsals.exclude(pk=made.pk).delete()
        return made


def _need_rest(host: Any, now: datetime) -> None:
    latest = Rehearsal.objects.filter(host=host).order_by("-made_at").first()
    if latest is not None and latest.is_waiting and latest.made_at > now - GIVEN_UP_AFTER:
        raise CommandRefused("You are rehearsing another match right now. Wait until that is done.")
    if latest is not None and (left := latest.made_at + REST - now) > timedelta():
        refused = CommandRefused(f"You have just rehearsed a match. Try again in {-(-left // timedelta(seconds=1))} s.")
        refused.retry_after = -(-left // timedelta(seconds=1))
        raise refused


def _need_playable(match: Match, roster: Roster) -> None:
    if found := setting_problems(match):
        raise CommandRefused(" ".join(found))
    try:
        match.rules.check_start(match.rules.read_config(match.config), roster)
    except ConfigError as error:
        raise CommandRefused(sentence(error.message)) from None


# -- rehearsing ----------------------------------------------------------------------------------------------
# A worker plays one rehearsal at a time on the whole site: each takes seconds of CPU, and deadlines must not wait.

_SECONDS_FOR_ONE, _SECONDS_FOR_ALL = 20, 8

TOO_LONG = "With these settings, a match between bots does not end in the time allowed for a rehearsal."
FAILED = "The rules of the game failed during the rehearsal. The site's administrators can read why in the site's log."
BROKEN_OFF = "Something interrupted it, perhaps a restart of the site. Please rehearse again."

logger = structlog.get_logger(__name__)


def play_next() -> bool:
    """Play the oldest waiting rehearsal, unless one is being played. Returns whether it played one."""
    rehearsal = _claim()
    if rehearsal is None:
        return False
    try:
        report = _play(rehearsal)
    except Unplayable:
        _note(rehearsal, problem=TOO_LONG)
    except Exception:
        logger.exception("rehearsal_failed", rehearsal=rehearsal.pk, match=rehearsal.match_id)
        _note(rehearsal, problem=FAILED)
    except BaseException:  # the worker is being stopped: another one plays it
        _note(rehearsal, begun_at=None)
        raise
    else:
        _note(rehearsal, report=msgspec.to_builtins(report))
    return True


def _claim() -> Rehearsal | None:
    now = clock.now()
    waiting = list(unfinished().select_related("match").order_by("pk")[:10])
    for each in waiting:
        if each.begun_at is not None and each.begun_at <= now - GIVEN_UP_AFTER:
            _note(each, problem=BROKEN_OFF)
        elif each.begun_at is not None:
            return None
    for each in waiting:
        # If another worker has claimed it meanwhile, this updates no row.
        if each.begun_at is None and unfinished().filter(pk=each.pk, begun_at=None).update(begun_at=now):
            return each
    return None


def _note(rehearsal: Rehearsal, **fields: object) -> None:
    Rehearsal.objects.filter(pk=rehearsal.pk).update(**fields)


def _play(rehearsal: Rehearsal) -> Report:
    setup, began = setup_in(rehearsal), monotonic()
    limits = (_SECONDS_FOR_ONE, _SECONDS_FOR_ALL)
    seed = bytes.fromhex(rehearsal.seed)

    def enough(which: int) -> bool:
        return monotonic() - began > limits[which]

    return report_of(rehearsal.match.rules, setup.config, setup.roster, seed, enough)
