"""A new draft like a match that somebody hosts: settings, hosts and players, but nothing that the match has drawn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction

from matches.engine.errors import ConfigError
from matches.engine.game import AnyGame
from matches.games.registry import UnknownGame, game_of
from matches.models import Match, Player
from matches.services.belonging import group_of
from matches.services.commands import need_host
from matches.services.creation import create_match, made_before
from matches.services.drafts.numbered import next_title
from matches.services.errors import CommandRefused
from matches.services.hosting.corrections import switch_blood_garnets
from matches.services.insiders import why_not_play
from matches.services.roles import roles_of
from matches.services.roster import PlayerChange, change_players
from matches.services.signals import match_duplicated
from matches.services.storage.retry import retrying

_COPIED = ("description", "joining", "places", "open_places", "usual_hour", "usual_zone", "closes_when_sent")

SEATED, INVITED, NOBODY = "seated", "invited", "nobody"


def without_draws(game: AnyGame, config: dict[str, Any]) -> dict[str, Any]:
    """Settings without those that a host has set in place of a draw: such a deck is secret in one match, and known to
    everybody after it."""
    drawn = {setting.key for setting in game.settings if setting.draw}
    return {key: value for key, value in config.items() if key not in drawn}


@retrying
def duplicate(match: Match, host: Any, *, people: str = SEATED, key: str = "") -> Match:
    """The new draft. `people`: `SEATED`, everybody who played plays again; `INVITED`, they get open places with new
    links; `NOBODY`, no players at all. Bots stay bots, open places stay open, and so do those of people who cannot play
    any more. The same `key` a second time returns the same draft.

    Raises `NotAHost`, `KeyConflict`, and `CommandRefused` where the site cannot play these settings any more.
    """
    need_host(match, host)
    if people not in (SEATED, INVITED, NOBODY):
        raise CommandRefused("Say what becomes of the players.", field="people")
    with transaction.atomic():
        if made := made_before(host, key, match.game, f"again:{match.public_id}"):
            return made
        draft = _empty(match, host, key)
        if people != NOBODY:
            players = match.players.select_related("user").order_by("position", "pk")
            alone = group_of(match) is None
            change_players(draft, host, [_again(draft, player, people, alone) for player in players])
        if match.blood_garnets:
            switch_blood_garnets(draft, host, True)
        match_duplicated.send(Match, source=match, draft=draft, host=host)
        draft.refresh_from_db()
        return draft


def _empty(match: Match, host: Any, key: str) -> Match:
    roles = roles_of(match)
    try:
        return create_match(
            match.game,
            next_title(match.title, host, again=True),
            hosts=_active(roles.acting),
            observers=_active(roles.observers),
            config=without_draws(game_of(match.game), match.config),
            by=host,
            key=key,
            purpose=f"again:{match.public_id}",
            **{field: getattr(match, field) for field in _COPIED},
        )
    except UnknownGame:
        raise CommandRefused("This site does not have the rules of that match any more.") from None
    except ConfigError as error:
        raise CommandRefused(
            f"The setting {error.key} cannot be played by the present rules: {error.message}."
        ) from None


def _active(people: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(person for person in people if person.is_active)


def _again(draft: Match, player: Player, people: str, alone: bool) -> PlayerChange:
    """The same place in the new match. A name goes with its person: whoever comes next would be taken for them. What
    players bring is copied from a match that stood `alone`; elsewhere it came from outside and is spent."""
    plays = people == SEATED and player.user is not None and player.user.is_active
    user = player.user if plays and not why_not_play(draft, player.user) else None
    left = player.user_id is not None and user is None
    return PlayerChange(
        None,
        {
            "user": user,
            "is_bot": player.is_bot,
            "handle": player.handle,
            "name": "" if left else player.name,
            "team": player.team if player.team in draft.rules.teams else "",
            "position": player.position,
            **(_brought(player) if alone else {}),
        },
    )


def _brought(player: Player) -> dict[str, Any]:
    return {"garnets": player.garnets, "priority": player.priority, "blood_garnets": player.blood_garnets}
