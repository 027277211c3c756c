"""What the rules would answer to a form now, as a sentence; nothing is stored."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.http import QueryDict
from django.template import Context
from django.template.loader import get_template

from matches.engine.actions import decode_action
from matches.engine.errors import MALFORMED, Rejected
from matches.infra.rate_limits import TOO_FAST
from matches.models import Player
from matches.pages.context import MatchContext
from matches.pages.fragments import template_of
from matches.queries.matches import Position
from matches.services.errors import Refused
from matches.web.forms import FormError, read_action


class Asker(NamedTuple):
    """A player before the board: the position, what templates see of the match, and the player."""

    position: Position
    shown: MatchContext
    player: Player


def forecast(asker: Asker, sent: QueryDict) -> str:
    """What a form would do, or why it would be refused, as HTML."""
    match = asker.position.match
    try:
        action = read_action(match.rules.actions, sent).action
        rejection = asker.position.would_refuse(asker.player, action)
    except FormError as error:
        return _text({"kind": "open", "message": next(iter(error.form_state.errors.values()))})
    except Refused as refused:
        return _text({"kind": "bad", "message": refused.message})
    return _text(_effect(asker, action) if rejection is None else _refusal(asker, action, rejection))


def too_fast() -> str:
    """The answer to somebody who asks too often."""
    return _text({"kind": "open", "message": TOO_FAST})


def _refusal(asker: Asker, action: dict[str, Any], rejection: Rejected) -> dict[str, Any]:
    """Why an action would be refused, and what would make it possible."""
    position, remedy = asker.position, None
    game, public, own = position.match.rules, position.public, position.private_of(asker.player)
    if rejection.code != MALFORMED and public is not None and own is not None:
        remedy = game.remedy(public, own, decode_action(game.actions, action), rejection)
    return {"kind": "bad", "message": rejection.message, "remedy": remedy}


def _effect(asker: Asker, action: dict[str, Any]) -> dict[str, Any]:
    """The effect of an acceptable action, from the player's views."""
    position, effect = asker.position, None
    game, public, own = position.match.rules, position.public, position.private_of(asker.player)
    if public is not None and own is not None:
        effect = game.forecast(public, own, decode_action(game.actions, action))
    return asker.shown.context() | {
        "kind": "good",
        "game_part": template_of(position.match.game, "forecast"),
        "action": action,
        "forecast": effect,
        "own": own,
        "me": asker.shown.people.get(asker.player.handle),
    }


def _text(context: dict[str, Any]) -> str:
    template: Any = get_template("matches/forecast.html")
    return str(template.template.render(Context(context, use_l10n=False)))
