"""Bots: they play in places that nobody took, see the same views as people, and act through the same services."""

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
from matches.services.actions import submit_for
from matches.services.errors import Busy, Refused
from matches.services.opening import roster_of
from matches.services.outages import beat

logger = structlog.get_logger(__name__)

_AT_ONCE = 40
_RETIRED_AT_ONCE = 500
_NEVER = datetime(9000, 1, 1, tzinfo=UTC)
_AGAIN_AFTER = timedelta(seconds=2)
"""A bot that finds its match locked by somebody else comes back so soon."""


def chance_of(seed: str, handle: str, *, is_demo: bool) -> Draw:
    """The random draws of one bot, the same for the whole match.

    Made from the match's seed, through a hash, so that no bot's moves tell anything about the seed; and with the
    site's own secret, so that nobody can foretell a bot, nor find out from the published seed what stays secret after
    the match: where all others are bots, that would be what the one person did. Demo matches go without the secret, so
    that they are the same at every site; their seeds are in the code.
    """
    text = f"bot:{handle}:{seed}"
    if is_demo:
        return Draw(hashlib.sha256(text.encode()).digest())
    return Draw(salted_hmac("matches.bots", text, algorithm="sha256").digest())


def move(player: Player) -> bool:
    """Let one bot look at its views, as they are now, and act; whether it did."""
    match, now = Match.objects.get(pk=player.match_id), clock.now()
    if match.status != Match.Status.OPEN:
        return False
    game = match.rules
    state = game.decode_state(match.state)
    time = max(match.clock.time(now), state.core.time)
    draw = chance_of(match.seed, player.handle, is_demo=match.is_demo)
    public = game.public_view(state)
    if not _claim(player, now + wait_after(draw, time, game.bots_look_every(public)) / match.speed):
        return False
    action = game.bot_action(public, game.private_view(state, player.handle), time, draw)
    try:
        return action is not None and submit_for(player, action, wait=False).accepted
    except Busy:
        _look_at(player, now + _AGAIN_AFTER)
        raise


def _look_at(player: Player, instant: datetime) -> None:
    with hurried():
        Player.objects.filter(pk=player.pk).update(bot_acts_at=instant)


def _claim(player: Player, until: datetime) -> bool:
    """Note when the bot looks next; False where another worker has done so already."""
    mine = Player.objects.filter(pk=player.pk, bot_acts_at=player.bot_acts_at)
    with hurried():
        return mine.update(bot_acts_at=until) == 1


def move_due(**which: Any) -> int:
    """Let the bots whose moment has come act, each at most once; how many did."""
    played = Match.objects.filter(of_known_rules(), pk=OuterRef("match_id"), status=Match.Status.OPEN)
    return sum(_move_safely(player) for player in _due(played, _AT_ONCE, **which))


def retire() -> int:
    """Bots of matches that are over never look again, so the search for those that are due need not pass them each
    time. How many there were."""
    ended = Match.objects.filter(pk=OuterRef("match_id"), status__in=Match.OVER)
    done = [player.pk for player in _due(ended, _RETIRED_AT_ONCE)]
    if done:
        with suppress(OperationalError), hurried():  # somebody is writing: they are found again next time
            Player.objects.filter(pk__in=done).update(bot_acts_at=_NEVER)
    return len(done)


def _due(matches: QuerySet[Match], most: int, **which: Any) -> list[Player]:
    """The first bots whose moment has come, of those whose match is among `matches` (a query about `OuterRef`).

    Written so that every database reads the index of bots as far as this moment and looks up their matches: with a
    join or an OR, some would read all matches that run, or all bots."""
    bots = Player.objects.filter(Exists(matches), is_bot=True, **which)
    new = list(bots.filter(bot_acts_at=None).order_by("bot_acts_at", "pk")[:most])
    return [*new, *bots.filter(bot_acts_at__lte=clock.now()).order_by("bot_acts_at", "pk")[: most - len(new)]]


def _move_safely(player: Player) -> bool:
    try:
        return move(player)
    except Refused as refusal:
        logger.warning("bot_refused", player=player.pk, code=refusal.code)
    except Exception as error:  # one bot at a loss must not keep the others from playing
        if is_busy(error):  # somebody writes for longer than a bot waits; its moment stays, so it is found again
            logger.info("bot_waits", player=player.pk)
        else:
            logger.exception("bot_failed", player=player.pk)
    return False


def move_all() -> int:
    """Let every bot act whose moment has come; how many did."""
    acted = move_due()
    retire()
    beat("move_bots")
    return acted


# -- stand ins -------------------------------------------------------------------------------------------
# Who would play in a match that has not begun: its players as listed, and stand-ins in the places that are open.


def with_stand_ins(match: Match) -> Roster:
    """The match's players in list order, as the rules take them, and a stand-in in every place that nobody has.

    An unsaved match has stand-ins alone."""
    here, sizes = roster_of(match) if match.pk else (), match.rules.sizes
    places = len(here)
    if not match.has_begun:
        if match.joining in Match.OPEN_TO_ALL:
            places = match.places
        elif places < sizes.least:
            places = sizes.usual[0]
    return filled(here, min(places, sizes.most), match.rules.teams)
