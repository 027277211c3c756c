"""Commands of hosts that add, change and remove players and open places, until the match begins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from secrets import SystemRandom
from typing import Any

import msgspec
from django.core.exceptions import ValidationError

from accounts.validators import validate_visible
from matches.engine.step import to_player
from matches.models import Match, Player, Submission
from matches.models.player import new_nonce
from matches.services import belonging
from matches.services.commands import AlreadyDone, command, command_row, need_status
from matches.services.errors import CommandRefused
from matches.services.names import Names, alike, free_handle, free_name, host_names, name_beside, validate_player_name
from matches.services.opening import BALANCE_FIELDS as FIELDS_OF_OPENING
from matches.services.opening import tell_unequal
from matches.services.places import let_go
from matches.services.roles import why_none_plays
from matches.services.storage.retry import retrying
from matches.services.writer import Writer

FIELDS = ("position", "user", "is_bot", "handle", "name", "team", "garnets", "priority", "blood_garnets")

_BEGUN = "Players can be changed until the match begins."


class PlayerChange(msgspec.Struct, frozen=True):
    """One player, or open place, as a host wants it. `player_id` None is a new one; `values` are those of `FIELDS`
    that are to change; an empty handle of a new player is found from the person's name."""

    player_id: int | None
    values: Mapping[str, Any] = {}
    remove: bool = False


@retrying
def change_players(match: Match, host: Any, changes: Iterable[PlayerChange]) -> None:
    """Make all of these changes, or none of them. Raises `CommandRefused` with a sentence."""
    with command(match, host) as writer:
        need_status(writer, *Match.BEFORE, otherwise=_BEGUN)
        players, noted = _changed(writer.match, changes)
        _store(players, noted)
        if any(noted.values()):
            entry = writer.record(command_row(writer, host, "players", **_for_the_log(noted)))
            writer.forget_players()
            _tell_those_added(writer, entry, host, noted)
            if writer.match.status == Match.Status.SCHEDULED:
                retyped = any(FIELDS_OF_OPENING.keys() & differing for _, _, differing in noted["changed"])
                tell_unequal(writer, entry, changed=retyped)
            writer.touch_all()
            writer.save()


def check_players(match: Match, changes: Iterable[PlayerChange]) -> None:
    """Raise the `CommandRefused` of these changes, if there is one; nothing is locked or stored."""
    _changed(match, changes)


Noted = dict[str, list[Any]]
"""What the changes are: `added` and `removed` players, and `changed` ones as (old handle, player, differing fields)."""


def _changed(match: Match, changes: Iterable[PlayerChange]) -> tuple[list[Player], Noted]:
    """The players after these changes, in memory alone."""
    players = {player.pk: player for player in match.players.select_related("user")}
    noted: Noted = {"added": [], "changed": [], "removed": []}
    for change in sorted(changes, key=lambda change: not change.remove):
        _make(match, players, change, noted)
    _check(match, list(players.values()), noted)
    return list(players.values()), noted


def _tell_those_added(writer: Writer, entry: Submission, host: Any, noted: Noted) -> None:
    """Tell each person who has a place now, and had none before. It was somebody else's place, perhaps, to whom other
    things were told."""
    changed = [player for _, player, differing in noted["changed"] if "user" in differing]
    for player in changed:
        let_go(player)
    for player in (*noted["added"], *changed):
        if player.user_id is not None:
            data = {"player": player.handle, "host": host.username}
            writer.announce(entry, to_player(player.handle), "added_to_match", **data)


def _make(match: Match, players: dict[int, Player], change: PlayerChange, noted: Noted) -> None:
    """Note one change; removals come first, so that their handles are free."""
    if change.player_id is None:
        new = Player(match=match)
        taken = _names_besides(match, players, new)
        _assign(new, change.values, taken)
        if not new.handle:
            wanted = new.user.username if new.user else "bot" if new.is_bot else "player"
            new.handle = free_handle(wanted, taken)
        players[-len(players) - 1] = new
        noted["added"].append(new)
        return
    player = players.get(change.player_id)
    if player is None:
        raise CommandRefused("One of these players is not in the list any more. Look at the current one.")
    if change.remove:
        noted["removed"].append(player)
        del players[change.player_id]
        return
    before = _as_logged(player)
    _assign(player, change.values, _names_besides(match, players, player))
    after = _as_logged(player)
    if before != after:
        differing = {key: [before[key], after[key]] for key in after if before[key] != after[key]}
        noted["changed"].append((before["handle"], player, differing))


def _as_logged(player: Player) -> dict[str, Any]:
    """A player as the log tells of them."""
    fields = {field: getattr(player, field) for field in FIELDS}
    fields["blood_garnets"] = format(Decimal(player.blood_garnets).normalize(), "f")
    fields["user"] = player.user.username if player.user else None
    return fields


def _names_besides(match: Match, players: Mapping[int, Player], player: Player) -> list[Names]:
    others = [Names(each.handle, each.name) for each in players.values() if each is not player]
    return [*others, *host_names(match)]


def _assign(player: Player, values: Mapping[str, Any], taken: Iterable[Names]) -> None:
    user_before = player.user_id
    for field, value in values.items():
        if field not in FIELDS:
            raise TypeError(f"a player has no {field}")
        setattr(player, field, value)
    if player.user_id != user_before:
        player.invite_nonce = new_nonce()  # links that were sent before no longer work
        if player.user is not None and not player.name:
            given = values.get("handle") or player.handle
            player.name = name_beside(given, player.user, taken) if given else free_name(player.user, taken)


def _check(match: Match, players: list[Player], noted: Noted) -> None:
    """Raise one `CommandRefused` for everything that is wrong, with the field of the first that has one."""
    found = [*_unplayable(match, players), *_unclear_names(match, players, noted)]
    if found:
        messages = dict.fromkeys(message for message, _ in found)
        raise CommandRefused(" ".join(messages), field=next((field for _, field in found if field), None))


def _unplayable(match: Match, players: list[Player]) -> Iterator[tuple[str, str | None]]:
    people = Counter(player.user_id for player in players if player.user_id is not None)
    reasons = iter(why_none_plays(match, [player.user for player in players if player.user is not None]))
    for player in players:
        try:
            player.clean_fields(exclude=["match", "user", "invite_nonce"])
        except ValidationError as error:
            messages = "; ".join(message for found in error.message_dict.values() for message in found)
            yield f"{player.handle or 'A player'}: {messages}", None
        if player.user is not None and (why_not := next(reasons)):
            yield why_not, None
        if player.user_id is not None and people[player.user_id] > 1:
            yield f"{player.user} cannot play twice in one match.", None
        if player.is_bot and player.user_id is not None:
            yield f"{player.handle} is a bot or a person, not both.", None
    if any(player.garnets or player.priority or player.blood_garnets for player in players):
        group = belonging.group_of(match)
        if group and (why_not := group.why_not_typed()):
            yield why_not, "garnets"


def _unclear_names(match: Match, players: list[Player], noted: Noted) -> Iterator[tuple[str, str | None]]:
    """New names only: those that were there before this was checked may stay."""
    renamed = {id(player) for player in noted["added"]}
    renamed |= {id(player) for _, player, differing in noted["changed"] if {"handle", "name"} & differing.keys()}
    found = alike([*(Names(player.handle, player.name) for player in players), *host_names(match)])
    for number, player in enumerate(players):
        if id(player) not in renamed:
            continue
        if number in found:
            field, message = found[number]
            yield message, field
        for name in (player.handle, player.name):
            try:
                validate_visible(name)
                validate_player_name(name)
            except ValidationError as error:
                yield f"{player.handle}: {error.messages[0]}", None


def _store(players: Iterable[Player], noted: Noted) -> None:
    """Removed and changed rows let go of handles and people first, so that two players can swap theirs."""
    for player in noted["removed"]:
        Player.objects.filter(pk=player.pk).delete()
    changed = [player for _, player, _ in noted["changed"]]
    for player in changed:
        Player.objects.filter(pk=player.pk).update(handle=f"~{player.pk}", user=None)
    for player in changed:
        player.save(update_fields=[*FIELDS, "invite_nonce"])
    position = max((player.position for player in players if player.pk), default=-1)
    for player in noted["added"]:
        if player.position <= 0 and position >= 0:
            player.position = position + 1
        position = max(position, player.position)
        player.save(force_insert=True)


def _for_the_log(noted: Noted) -> dict[str, Any]:
    return {
        "added": [_as_logged(player) for player in noted["added"]],
        "changed": [{"handle": handle, "changes": differing} for handle, _, differing in noted["changed"]],
        "removed": [player.handle for player in noted["removed"]],
    }


@retrying
def renew_invitation(match: Match, host: Any, player: Player, *, nonce: str = "") -> None:
    """Make the links that were sent so far for an open place useless. `nonce`: that of the link which the host has
    seen; raises `AlreadyDone` if another has taken its place since."""
    with command(match, host) as writer:
        need_status(writer, *Match.BEFORE, *Match.RUNNING, otherwise="Nobody can join any more.")
        invited = writer.match.players.get(pk=player.pk)
        if not invited.is_open:
            raise CommandRefused(f"{invited.handle} is taken; an invitation is for an open place.")
        if nonce and invited.invite_nonce != nonce:
            raise AlreadyDone(f"{invited.handle} has a new link already.")
        invited.invite_nonce = new_nonce()
        invited.save(update_fields=["invite_nonce"])
        writer.record(command_row(writer, host, "renew_invitation", player=invited.handle))
        writer.save()


WAYS = ("alternating", "halves", "random")

_chance = SystemRandom()


@retrying
def deal_teams(match: Match, host: Any, way: str) -> None:
    """Put all players into the game's teams, which differ by one player at most; the first is the larger one.

    `alternating`: by turns in list order. `halves`: the first part of the list is the first team. `random`: drawn by
    the site's own chance, for the match's own begins with the match. Logged as every change of players. Raises
    `CommandRefused` with a sentence.
    """
    with command(match, host) as writer:
        need_status(writer, *Match.BEFORE, otherwise="Teams can be changed until the match begins.")
        teams = writer.match.rules.teams
        if not teams:
            raise CommandRefused("This game has no teams.")
        if way not in WAYS:
            raise CommandRefused(f"Teams are dealt in one of these ways: {', '.join(WAYS)}.")
        changed = []
        players = list(writer.match.players.order_by("position", "pk"))
        for player, team in zip(players, _dealt(teams, len(players), way), strict=True):
            if player.team == team:
                continue
            changed.append({"handle": player.handle, "changes": {"team": [player.team, team]}})
            player.team = team
            player.save(update_fields=["team"])
        if changed:
            writer.record(command_row(writer, host, "players", added=[], changed=changed, removed=[]))
            writer.touch_all()
            writer.save()


def _dealt(teams: Sequence[str], count: int, way: str) -> list[str]:
    """A team for each of so many players, in list order."""
    numbers = [number % len(teams) for number in range(count)]
    if way == "halves":
        numbers.sort()
    elif way == "random":
        _chance.shuffle(numbers)
    return [teams[number] for number in numbers]
