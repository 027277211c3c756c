"""Commands of hosts that add, change and remove players and open places, until the match begins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from secrets import SystemRandom
from typing import Any, NamedTuple

import msgspec
from django.core.exceptions import ValidationError

from accounts.validators import validate_visible
from matches.engine.settings import dealt
from matches.engine.step import to_player
from matches.models import Match, Player, Submission
from matches.models.player import new_nonce
from matches.services import belonging
from matches.services.commands import command, command_row, need_status
from matches.services.errors import CommandRefused, retrying
from matches.services.opening import BALANCE_FIELDS as FIELDS_OF_OPENING
from matches.services.opening import tell_unequal
from matches.services.places import (
    Names,
    alike,
    chosen,
    free_handle,
    free_name,
    host_names,
    let_go,
    name_beside,
    validate_player_name,
)
from matches.services.roles import why_none_plays
from matches.services.writer import Writer

FIELDS = ("position", "user", "is_bot", "handle", "name", "team", "garnets", "priority", "blood_garnets")

_BEGUN = "You can change the players only until the match begins."


class PlayerChange(msgspec.Struct, frozen=True):
    """One player or open place as a host wants it. A `player_id` of None adds a new one; `values` has the `FIELDS` to
    change. A new player without a handle gets one made from the person's name."""

    player_id: int | None
    values: Mapping[str, Any] = {}
    remove: bool = False


@retrying
def change_players(match: Match, host: Any, changes: Iterable[PlayerChange]) -> None:
    """Make all of these changes to the players, or none. Raises `CommandRefused` with a sentence."""
    with command(match, host) as writer:
        need_status(writer, *Match.BEFORE, otherwise=_BEGUN)
        roster = _roster_of(writer.match)
        players, noted = roster.changed(changes)
        if why_not := _why_not_typed(writer.match, players):
            raise CommandRefused(why_not, field="garnets")
        roster.store(players, noted)
        if any(noted.values()):
            entry = writer.record(command_row(writer, host, "players", **_for_the_log(noted)))
            writer.forget_players()
            _tell_those_added(writer, entry, host, noted)
            if writer.match.status == Match.Status.SCHEDULED:
                retyped = any(FIELDS_OF_OPENING.keys() & differing for _, _, differing in noted["changed"])
                tell_unequal(writer, entry, changed=retyped)
            writer.touch_all()


def check_players(match: Match, changes: Iterable[PlayerChange]) -> None:
    """Raise the `CommandRefused` that `change_players` would raise for these changes. Nothing is locked or stored."""
    players, _ = _roster_of(match).changed(changes)
    if why_not := _why_not_typed(match, players):
        raise CommandRefused(why_not, field="garnets")


def _roster_of(match: Match) -> Roster:
    return Roster(match, match.players, host_names(match), partial(why_none_plays, match))


def _why_not_typed(match: Match, players: Iterable[Player]) -> str:
    if not any(player.garnets or player.priority or player.blood_garnets for player in players):
        return ""
    group = belonging.group_of(match)
    return group.why_not_typed() if group else ""


def _tell_those_added(writer: Writer, entry: Submission, host: Any, noted: Noted) -> None:
    """Tell each person who has a new place. Announcements to a person who had the place before are hidden from them."""
    changed = [player for _, player, differing in noted["changed"] if "user" in differing]
    for player in changed:
        let_go(player)
    for player in (*noted["added"], *changed):
        if player.user_id is not None:
            data = {"player": player.handle, "host": host.username}
            writer.announce(entry, to_player(player.handle), "added_to_match", **data)


Noted = dict[str, list[Any]]
"""The changes made: `added` and `removed` places, and `changed` ones as (old handle, place, differing fields)."""


Problem = tuple[Any, str, str | None]
"""A place, what is wrong with it, and in which field, if it is one."""


class Roster(NamedTuple):
    """The list of players of a match, or members of a season, while hosts can still change it.

    `places`: the manager of its rows; `hosts`: names that no other name may look like; `why_none`: a function that
    returns for each person why they cannot have a place, empty if they can. The rest are words for messages."""

    owner: Any
    places: Any
    hosts: Sequence[Names]
    why_none: Callable[[Sequence[Any]], list[str]]
    what: str = "player"
    where: str = "list"
    twice: str = "cannot play twice in one match"

    def changed(self, changes: Iterable[PlayerChange]) -> tuple[list[Any], Noted]:
        """All places after these changes, in memory only. Raises `CommandRefused` with everything that is wrong."""
        places, noted, found = self.judged(changes)
        if found:
            messages = dict.fromkeys(message for _, message, _ in found)
            raise CommandRefused(" ".join(messages), field=next((field for _, _, field in found if field), None))
        return places, noted

    def judged(self, changes: Iterable[PlayerChange]) -> tuple[list[Any], Noted, list[Problem]]:
        """The same, but it returns everything that is wrong instead of raising."""
        places = {place.pk: place for place in self.places.select_related("user")}
        noted: Noted = {"added": [], "changed": [], "removed": []}
        for change in sorted(changes, key=lambda change: not change.remove):
            self._take(places, change, noted)
        listed = list(places.values())
        return listed, noted, [*self._unplayable(listed), *self._unclear_names(listed, noted)]

    def _take(self, places: dict[int, Any], change: PlayerChange, noted: Noted) -> None:
        """Apply one change in memory. Removals must come first, to free their handles."""
        if change.player_id is None:
            new = self.places.model(**{self.places.field.name: self.owner})
            taken = self._names_besides(places, new)
            _assign(new, change.values, taken)
            if not new.handle:
                wanted = new.user.username if new.user else "bot" if new.is_bot else self.what
                new.handle = free_handle(wanted, taken)
            places[-len(places) - 1] = new
            noted["added"].append(new)
            return
        place = places.get(change.player_id)
        if place is None:
            gone = f"One of these {self.what}s is no longer in the {self.where}. Reload the page."
            raise CommandRefused(gone)
        if change.remove:
            noted["removed"].append(place)
            del places[change.player_id]
            return
        before = _as_logged(place)
        _assign(place, change.values, self._names_besides(places, place))
        after = _as_logged(place)
        if before != after:
            differing = {key: [before[key], after[key]] for key in after if before[key] != after[key]}
            noted["changed"].append((before["handle"], place, differing))

    def _names_besides(self, places: Mapping[int, Any], place: Any) -> list[Names]:
        others = [Names(each.handle, each.name) for each in places.values() if each is not place]
        return [*others, *self.hosts]

    def _unplayable(self, places: list[Any]) -> Iterator[Problem]:
        people = Counter(place.user_id for place in places if place.user_id is not None)
        reasons = iter(self.why_none([place.user for place in places if place.user is not None]))
        for place in places:
            try:
                place.clean_fields(exclude=[self.places.field.name, "user", "invite_nonce"])
            except ValidationError as error:
                messages = "; ".join(message for found in error.message_dict.values() for message in found)
                yield place, f"{place.handle or f'A {self.what}'}: {messages}", None
            if place.user is not None and (why_not := next(reasons)):
                yield place, why_not, None
            if place.user_id is not None and people[place.user_id] > 1:
                yield place, f"{place.user} {self.twice}.", None
            if place.is_bot and place.user_id is not None:
                yield place, f"{place.handle} is a bot or a person, not both.", None

    def _unclear_names(self, places: list[Any], noted: Noted) -> Iterator[Problem]:
        """Problems with new names. Unchanged names may stay, even if the checks were laxer once."""
        renamed = {id(place) for place in noted["added"]}
        renamed |= {id(place) for _, place, differing in noted["changed"] if {"handle", "name"} & differing.keys()}
        found = alike([*(Names(place.handle, place.name) for place in places), *self.hosts])
        for number, place in enumerate(places):
            if id(place) not in renamed:
                continue
            if number in found:
                field, message = found[number]
                yield place, message, field
            for name in (place.handle, place.name):
                try:
                    validate_visible(name)
                    validate_player_name(name)
                except ValidationError as error:
                    yield place, f"{place.handle}: {error.messages[0]}", None

    def store(self, places: Iterable[Any], noted: Noted) -> None:
        """Store the changes. Changed rows first give up their handles and people, so that two can swap theirs."""
        rows = self.places.model._default_manager
        rows.filter(pk__in=[place.pk for place in noted["removed"]]).delete()
        changed = [place for _, place, _ in noted["changed"]]
        for place in changed:
            rows.filter(pk=place.pk).update(handle=f"~{place.pk}", user=None)
        for place in changed:
            place.save(update_fields=[*FIELDS, "invite_nonce"])
        position = max((place.position for place in places if place.pk), default=-1)
        for place in noted["added"]:
            if place.position <= 0 and position >= 0:
                place.position = position + 1
            position = max(position, place.position)
            place.save(force_insert=True)


def _as_logged(place: Any) -> dict[str, Any]:
    """A place's fields as the log records them."""
    fields = {field: getattr(place, field) for field in FIELDS}
    fields["blood_garnets"] = format(Decimal(place.blood_garnets).normalize(), "f")
    fields["user"] = place.user.username if place.user else None
    return fields


def _assign(place: Any, values: Mapping[str, Any], taken: Iterable[Names]) -> None:
    user_before = place.user_id
    for field, value in values.items():
        if field not in FIELDS:
            raise TypeError(f"a player has no {field}")
        setattr(place, field, value)
    if place.user_id != user_before:
        place.invite_nonce = new_nonce()  # so that earlier links stop working
        if place.user is not None and not chosen(place.name):
            given = values.get("handle") or place.handle
            place.name = name_beside(given, place.user, taken) if given else free_name(place.user, taken)


def _for_the_log(noted: Noted) -> dict[str, Any]:
    return {
        "added": [_as_logged(player) for player in noted["added"]],
        "changed": [{"handle": handle, "changes": differing} for handle, _, differing in noted["changed"]],
        "removed": [player.handle for player in noted["removed"]],
    }


WAYS = ("alternating", "halves", "random")

_chance = SystemRandom()


@retrying
def deal_teams(match: Match, host: Any, way: str) -> None:
    """Put all players into the game's teams, whose sizes differ by at most one; the first is the larger one.

    `alternating`: in turns, in list order. `halves`: the first part of the list is the first team. `random`: by the
    system's random numbers, because the match's own draws begin with the match. Logged like every change of players.
    Raises `CommandRefused` with a sentence.
    """
    with command(match, host) as writer:
        need_status(writer, *Match.BEFORE, otherwise="You can change teams only until the match begins.")
        teams = writer.match.rules.teams
        if not teams:
            raise CommandRefused("This game has no teams.")
        if way not in WAYS:
            raise CommandRefused(f"Choose one of these ways to make teams: {', '.join(WAYS)}.")
        changed = []
        players = list(writer.match.players.order_by("position", "pk"))
        found = dealt(teams, len(players), halves=way == "halves")
        if way == "random":
            _chance.shuffle(found)
        for player, team in zip(players, found, strict=True):
            if player.team == team:
                continue
            changed.append({"handle": player.handle, "changes": {"team": [player.team, team]}})
            player.team = team
            player.save(update_fields=["team"])
        if changed:
            writer.record(command_row(writer, host, "players", added=[], changed=changed, removed=[]))
            writer.touch_all()
