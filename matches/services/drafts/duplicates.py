"""Titles of repeated matches: “Night table”, “Night table 2”, “Night table 3”."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import count, islice
from typing import Any

from django.db import transaction

from matches.engine.errors import ConfigError
from matches.engine.game import AnyGame
from matches.games.registry import UnknownGame, game_of
from matches.models import Match, Player
from matches.services.belonging import group_of
from matches.services.commands import need_host
from matches.services.creation import create_match, made_before
from matches.services.errors import CommandRefused
from matches.services.hosting.corrections import switch_blood_garnets
from matches.services.names import names_in, unlike
from matches.services.opening import bot_names
from matches.services.roles import roles_of, why_not_play
from matches.services.roster import PlayerChange, change_players
from matches.services.signals import match_duplicated
from matches.services.storage.retry import retrying

_LONGEST: int = Match._meta.get_field("title").max_length or 120
_NUMBERED = re.compile(r"(.*\S) (\d{1,3})")  # more digits are a year, or part of a name


def next_title(title: str, host: Any, *, again: bool = False) -> str:
    """The title with the next number that no match of this host has; the title itself if none has it and this is not
    the same match `again`."""
    found = _NUMBERED.fullmatch(title)
    base, number = (found[1], int(found[2])) if found else (title, 1)
    base = base[: _LONGEST - 5].rstrip()
    titles = Match.objects.filter(hosts=host, title__istartswith=base).values_list("title", flat=True)
    taken = {each.lower() for each in titles}
    if not again and title.lower() not in taken:
        return title
    return next(each for n in count(number + 1) if (each := f"{base} {n}").lower() not in taken)


# -- bots in the places of a match that has not begun ---------------------------------------------------------


MOST_PLACES = 100


def add_bots(match: Match, host: Any, places: int) -> int:
    """Add bots in new places until there are `places` players; how many. Nobody who is there or invited is touched."""
    missing = max(min(places, MOST_PLACES) - match.players.count(), 0)
    found = islice(unlike(bot_names(match.pk), names_in(match)), missing)
    new = [PlayerChange(None, {"is_bot": True, "handle": names.handle, "name": names.name}) for names in found]
    change_players(match, host, new)
    return len(new)


def give_to_bots(match: Match, host: Any, places: Iterable[Player]) -> None:
    """Let bots play in these open places, whose links work no longer; each keeps its handle and name. Somebody who
    takes one at this very moment keeps it: then all is refused."""
    open_now = {player.pk for player in match.players.all() if player.is_open}
    changes = []
    for place in places:
        if place.pk not in open_now:
            raise CommandRefused(f"{place.handle} is not open any more.", field="places")
        changes.append(PlayerChange(place.pk, {"is_bot": True}))
    change_players(match, host, changes)


# -- duplicates ------------------------------------------------------------------------------------------
# A new draft like a match that somebody hosts: settings, hosts and players, but nothing that the match has drawn.

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
