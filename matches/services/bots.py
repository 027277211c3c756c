"""Bots, which see the same views as people and act through the same services."""

import hashlib
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import structlog
from django.db import OperationalError
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.crypto import salted_hmac

from matches.engine.bots import wait_after
from matches.engine.draw import Draw
from matches.engine.settings import Roster
from matches.engine.simulation import filled
from matches.infra.db_waits import hurried, is_busy
from matches.models import Match, Player, clock
from matches.models.match import of_known_rules
from matches.services.actions import submit_alone
from matches.services.errors import Busy, Refused
from matches.services.opening import roster_of
from matches.services.outages import beat
from matches.services.writer import Writer

logger = structlog.get_logger(__name__)

_AT_ONCE = 40
_RETIRED_AT_ONCE = 500
_NEVER = datetime(9000, 1, 1, tzinfo=UTC)
_AGAIN_AFTER = timedelta(seconds=2)
"""When a bot looks again that found its match locked by somebody else."""


def chance_of(seed: str, handle: str, *, is_demo: bool) -> Draw:
    """The random draws of one bot, the same for the whole match.

    They come from a hash of the match's seed, so no bot's moves reveal the seed. The hash includes the site's secret
    key, so nobody can predict a bot, or compute from the seed published after the match what stays secret: where all
    others are bots, that would be the one person's vote. Demo matches do without the secret key, so that they are the
    same on every site; their seeds are in the code.
    """
    text = f"bot:{handle}:{seed}"
    if is_demo:
        return Draw(hashlib.sha256(text.encode()).digest())
    return Draw(salted_hmac("matches.bots", text, algorithm="sha256").digest())


def move(player: Player) -> bool:
    """Let one bot look at its current views and act. Returns whether it acted. Raises `Busy` and other `Refused`."""
    match, now = Match.objects.get(pk=player.match_id), clock.now()
    if match.status != Match.Status.OPEN:
        return False
    game = match.rules
    state = game.decode_state(match.state)
    time = max(match.clock.time(now), state.core.time)
    draw = chance_of(match.seed, player.handle, is_demo=match.is_demo)
    public = game.public_view(state)
    if not _claim(player, now + wait_after(draw, time, game.bots_look_every(state.config)) / match.speed):
        return False
    action = game.bot_action(public, game.private_view(state, player.handle), time, draw)

    def find(writer: Writer) -> Player:
        here = Player.objects.get(pk=player.pk)
        if not here.is_bot:  # a person has taken the place meanwhile
            raise Refused(code="no_bot_plays")
        return here

    try:
        return action is not None and submit_alone(player.match_id, find, action, wait=False).accepted
    except Busy:
        _look_at(player, now + _AGAIN_AFTER)
        raise


def _look_at(player: Player, instant: datetime) -> None:
    with hurried():
        Player.objects.filter(pk=player.pk).update(bot_acts_at=instant)


def _claim(player: Player, until: datetime) -> bool:
    """Note when the bot looks next; False if another worker has claimed this look, or no bot plays any more."""
    mine = Player.objects.filter(pk=player.pk, is_bot=True, bot_acts_at=player.bot_acts_at)
    with hurried():
        return mine.update(bot_acts_at=until) == 1


def move_due(**which: Any) -> int:
    """Let the bots that are due act, each at most once, and return how many did. `which` filters players."""
    played = Match.objects.filter(of_known_rules(), pk=OuterRef("match_id"), status=Match.Status.OPEN)
    return sum(_move_safely(player) for player in _due(played, _AT_ONCE, **which))


def retire() -> int:
    """Stop the bots of matches that are over from ever looking again, so that the search for due bots need not skip
    them each time. Returns how many there were."""
    ended = Match.objects.filter(pk=OuterRef("match_id"), status__in=Match.OVER)
    done = [player.pk for player in _due(ended, _RETIRED_AT_ONCE)]
    if done:
        with suppress(OperationalError), hurried():  # if the database is busy, the next call finds them again
            Player.objects.filter(pk__in=done).update(bot_acts_at=_NEVER)
    return len(done)


def _due(matches: QuerySet[Match], most: int, **which: Any) -> list[Player]:
    """The first bots that are due and whose match is among `matches` (a subquery with `OuterRef`).

    Worded so that every database reads the index of bots up to this moment and looks up their matches: with a join or
    an OR, some would read all running matches, or all bots."""
    bots = Player.objects.filter(Exists(matches), is_bot=True, **which)
    new = list(bots.filter(bot_acts_at=None).order_by("bot_acts_at", "pk")[:most])
    return [*new, *bots.filter(bot_acts_at__lte=clock.now()).order_by("bot_acts_at", "pk")[: most - len(new)]]


def _move_safely(player: Player) -> bool:
    try:
        return move(player)
    except Refused as refusal:
        logger.warning("bot_refused", player=player.pk, code=refusal.code)
    except Exception as error:  # one failure must not keep the other bots from playing
        if is_busy(error):  # somebody writes for longer than a bot waits; the bot stays due, so it is found again
            logger.info("bot_waits", player=player.pk)
        else:
            logger.exception("bot_failed", player=player.pk)
    return False


def move_all() -> int:
    """Let every due bot act, and return how many did."""
    acted = move_due()
    retire()
    beat("move_bots")
    return acted


# -- stand ins -------------------------------------------------------------------------------------------


def with_stand_ins(match: Match) -> Roster:
    """The roster of a match for rehearsals and previews: its players in list order, and a stand-in in every open place.

    An unsaved match has only stand-ins."""
    here, sizes = roster_of(match) if match.pk else (), match.rules.sizes
    places = len(here)
    if not match.has_begun:
        if match.joining in Match.OPEN_TO_ALL:
            places = match.places
        elif places < sizes.least:
            places = sizes.usual[0]
    return filled(here, min(places, sizes.most), match.rules.teams)
