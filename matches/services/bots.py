"""Bots play in places that nobody else took, with the same views and the same way in as people."""

from __future__ import annotations

import hashlib
from datetime import timedelta

import structlog
from django.db.models import Q

from matches import clock
from matches.engine.draw import Draw
from matches.models import Match, Player
from matches.services.actions import submit_for
from matches.services.errors import Refused
from matches.services.heartbeat import beat

logger = structlog.get_logger(__name__)

_AT_ONCE = 40
_PAUSE = timedelta(minutes=20)  # of match time, between two looks of one bot


def _chance(player: Player, time: timedelta) -> Draw:
    """A bot's own chance: it must not be the match's, and need not be secret."""
    text = f"bot:{player.pk}:{player.match.public_id}:{player.action_count}:{time}"
    return Draw(hashlib.sha256(text.encode()).digest())


def move(player: Player) -> bool:
    """Let one bot look at its views and act; whether it did."""
    match, now = player.match, clock.now()
    game = match.rules
    state = game.decode_state(match.state)
    time = max(match.clock.time(now), state.core.time)
    draw = _chance(player, time)
    action = game.bot_action(game.public_view(state), game.private_view(state, player.handle), time, draw)
    wait = _PAUSE / match.speed * (1 + draw.integer("wait", 100) / 50)
    Player.objects.filter(pk=player.pk).update(bot_acts_at=now + wait)
    if action is None:
        return False
    try:
        return submit_for(player, action).accepted
    except Refused as refusal:
        logger.warning("bot_refused", player=player.pk, code=refusal.code)
        return False


def move_all() -> int:
    """Let the bots whose moment has come act, each at most once; how many did."""
    due = (
        Player.objects.select_related("match")
        .filter(is_bot=True, match__status=Match.Status.OPEN)
        .filter(Q(bot_acts_at=None) | Q(bot_acts_at__lte=clock.now()))
        .order_by("bot_acts_at", "pk")
    )
    acted = sum(move(player) for player in due[:_AT_ONCE])
    beat("move_bots")
    return acted
