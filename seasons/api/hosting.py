"""What hosts do in a season by programs: change and begin it, make its next match, and all else of its desk."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from msgspec import UnsetType

from matches.api import codes
from matches.api.bodies import person_of, visible
from matches.api.described import About, described
from matches.api.replies import ApiError, Reply
from matches.api.requests import endpoint
from matches.api.shapes import Accepted
from matches.engine.errors import MALFORMED
from matches.games.registry import UnknownGame
from matches.services.errors import CommandRefused
from matches.services.roles import roles_from
from seasons.api import host_shapes, shapes
from seasons.api.asking import done, hour_of, sent_to_season
from seasons.engine.lineup import Entry
from seasons.models import Season
from seasons.services import drafting, ending, people, running
from seasons.services.next_match import next_match

CODES = codes.together(codes.COUNTED, shapes.COMMANDING, host_shapes.OF_COMMANDS)
"""What commands of hosts can be refused with."""


@described(
    POST=About(
        "Change, begin, end, and all else of the desk",
        Accepted,
        host_shapes.AtTheDesk,
        codes=CODES,
        needs="act",
        has_key=True,
    )
)
@endpoint("POST")
def desk(request: HttpRequest, public_id: str) -> Reply:
    """What hosts do at the desk beside `commands/`. The body does one thing, as its `do` says; the same key a second
    time does nothing more (`already_done`)."""
    season, user, said, key = sent_to_season(request, public_id, host_shapes.AtTheDesk)
    return done(lambda: _do(season, user, said, key))


def _do(season: Season, user: Any, said: Any, key: str) -> None:
    match said:
        case host_shapes.ChangeDraft():
            drafting.change_draft(season, user, **_changes(said))
        case host_shapes.Begin():
            running.begin(season, user, key=key)
        case host_shapes.DeleteDraft():
            drafting.delete_draft(season, user)
        case host_shapes.CountBlood():
            running.count_blood(season, user, _match_of(season, said.match), key=key)
        case host_shapes.Replace():
            _replace(season, user, said, key)
        case host_shapes.SetRoles():
            people.set_roles(season, user, _roles(said), key=key)
        case host_shapes.EndSeason():
            ending.end(season, user, visible(said.reason), key=key)


def _changes(said: host_shapes.ChangeDraft) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    if isinstance(said.title, str):
        changes["title"] = visible(said.title)
    if isinstance(said.description, str):
        changes["description"] = visible(said.description, lines=True)
    if isinstance(said.settings, dict):
        changes["settings"] = said.settings
    if not isinstance(said.usual_hour, UnsetType):
        changes |= hour_of(said.usual_hour)
    return changes


def _match_of(season: Season, number: int | None) -> Any:
    if number is None:
        return None
    found = season.matches.filter(number=number).first()
    if found is None:
        raise CommandRefused("That is not a match of this season.", code=MALFORMED, field="match")
    return found


def _replace(season: Season, user: Any, said: host_shapes.Replace, key: str) -> None:
    if said.username is not None and said.is_bot:
        raise CommandRefused("Either a person or a bot, not both.", code=MALFORMED, field="is_bot")
    newcomer = None if said.username is None else person_of(said.username)
    member = season.cast.filter(handle=said.player[:30]).first()
    if member is None:
        raise CommandRefused("There is no such member.", code="not_in_cast", field="player")
    people.replace_person(season, user, member, newcomer, visible(said.reason), is_bot=said.is_bot, key=key)


def _roles(said: host_shapes.SetRoles) -> Any:
    hosts, observers = ([person_of(name) for name in names] for names in (said.hosts, said.observers))
    owner = person_of(said.owner)
    if owner not in hosts:
        raise ApiError(422, MALFORMED, "owner: it has to be one of the hosts.")
    if both := [each.username for each in observers if each in hosts]:
        raise ApiError(422, MALFORMED, f"observers: {', '.join(both)} cannot host and observe at once.")
    if new := [each.username for each in (*hosts, *observers) if not each.is_staff]:
        raise ApiError(422, MALFORMED, f"{new[0]} is not a host yet: an administrator has to make them one first.")
    return roles_from(hosts, observers, owner=owner)


@described(
    POST=About(
        "Make the next match", host_shapes.MatchMade, host_shapes.NextMatch, codes=CODES, needs="act", has_key=True
    )
)
@endpoint("POST")
def matches(request: HttpRequest, public_id: str) -> Reply:
    """Make the next match of the season, a draft, or publish it as well: all of that is done, or nothing. Nobody sends
    what players bring. The same key a second time answers with the first match."""
    season, user, said, key = sent_to_season(request, public_id, host_shapes.NextMatch)
    players = None if said.players is None else [_entry(each) for each in said.players]
    title = visible(said.title)

    def do() -> dict[str, Any]:
        match = next_match(
            season,
            user,
            said.game,
            title,
            preset=said.preset,
            config=said.config,
            players=players,
            starts_at=said.starts_at,
            start_now=said.start_now,
            open_places=said.open_places,
            key=key,
        )
        return {"match": match.public_id, "number": season.matches.get(match=match).number}

    try:
        return done(do)
    except UnknownGame as error:
        raise ApiError(404, "unknown_game", f"{str(error)[:200]}.") from None


def _entry(said: str | host_shapes.Entrant) -> Entry:
    return Entry(said) if isinstance(said, str) else Entry(said.handle, said.team)
