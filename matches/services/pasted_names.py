"""Adding players by a pasted list of names, separated by lines or commas: usernames become people, other names become
open places.

A line may name a team: “ann: gold”. Each line is judged by itself, so that a host reads what is wrong with which line.
If any line is wrong, nobody is added.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db.models.functions import Lower

from accounts.validators import skeleton, validate_visible
from matches.engine.sentences import counted
from matches.models import Match
from matches.models.player import Player, handle_validator
from matches.services.errors import CommandRefused
from matches.services.places import Names, alike, free_handle, free_name, names_in, validate_player_name
from matches.services.roles import why_not_play
from matches.services.roster import PlayerChange, change_players
from matches.services.texts import nobody_called

MOST_NAMES = 100
LONGEST_LIST = 10_000

_BREAKS = re.compile(r"[\r\n,]+")
_BULLET = re.compile(r"\A\s*(?:\d{1,3}[.)]\s+|[-–*•]\s+)")
_BLANKS = re.compile(r"[^\S\t]+")
_TEAM = re.compile(r" ?[:;/|=\t] ?| [-–—] ")
_LONGEST_NAME: int = Player._meta.get_field("name").max_length or 50


class Line(msgspec.Struct):
    """One name of the list. `said` tells the host what will happen with it, or else `problem` why it cannot be used."""

    number: int
    typed: str
    said: str = ""
    problem: str = ""
    person: Any = None
    handle: str = ""
    name: str = ""
    team: str = ""


def read_names(match: Match, text: str, *, invite: bool = False) -> list[Line]:
    """Read a list for this match without adding anybody. People get their place at once, or with `invite` a link to it.

    Raises `CommandRefused` if the list is too long.
    """
    if len(text) > LONGEST_LIST or len(pieces := _pieces(text)) > MOST_NAMES:
        raise CommandRefused(f"That is too long: paste up to {MOST_NAMES} names at a time.", field="names")
    lines = [Line(number, typed) for number, typed in enumerate(pieces, start=1)]
    parts = [_split(match, line) for line in lines]
    people = people_called(parts)
    similar = similar_to(bare for name in parts if (bare := name.removeprefix("@")).lower() not in people)
    for line, name in zip(lines, parts, strict=True):
        if not line.problem:
            _find(line, name, people, similar)
    _refuse_doubled(lines, parts)
    _refuse_those_who_cannot_play(match, lines)
    _refuse_unclear(match, lines)
    _name_people(match, lines, invite)
    return lines


def add_names(match: Match, host: Any, text: str, *, invite: bool = False) -> int:
    """Add everybody on the list, and return how many they are. Raises `CommandRefused` if any line is wrong."""
    lines = read_names(match, text, invite=invite)
    if not lines:
        raise CommandRefused("The list has no names. Add at least one.", field="names")
    if wrong := [line for line in lines if line.problem]:
        many = counted(len(wrong), "name")
        raise CommandRefused(f"We have added nobody: we cannot use {many} as written.", field="names")
    change_players(match, host, [_change(line, invite) for line in lines])
    return len(lines)


def _change(line: Line, invite: bool) -> PlayerChange:
    values = {"handle": line.handle, "name": line.name, "team": line.team}
    return PlayerChange(None, values | ({} if invite or line.person is None else {"user": line.person}))


# -- reading -------------------------------------------------------------------------------------


def _pieces(text: str) -> list[str]:
    found = (_BULLET.sub("", piece, count=1).strip() for piece in _BREAKS.split(text))
    return [piece for piece in found if piece]


def _split(match: Match, line: Line) -> str:
    """Return the name without its team, which is stored in the line."""
    name, *rest = _TEAM.split(_BLANKS.sub(" ", line.typed))
    teams = match.rules.teams
    if not rest:
        return name
    said = " ".join(rest)
    if not teams:
        line.problem = "This game has no teams. Write only the name, and separate names with commas or line breaks."
    elif (team := next((each for each in teams if each.lower() == said.lower()), None)) is None:
        line.problem = f"There is no team “{said[:40]}”; the teams are {' and '.join(teams)}."
    else:
        line.team = team
    if not name:
        line.problem = "There is no name before the team."
    return name


def people_called(names: Iterable[str]) -> dict[str, Any]:
    """Username in lower case -> the person with an active account."""
    wanted = {name.removeprefix("@").lower() for name in names}
    users = get_user_model().objects.annotate(small=Lower("username"))
    return {user.small: user for user in users.filter(small__in=wanted, is_active=True)}


def similar_to(names: Iterable[str]) -> dict[str, str]:
    """Skeleton of a name -> the username that looks the same."""
    users = get_user_model().objects.filter(skeleton__in={skeleton(name) for name in names})
    return {str(look): username for look, username in users.values_list("skeleton", "username")}


def _find(line: Line, name: str, people: dict[str, Any], similar: dict[str, str]) -> None:
    """Note who or what a name is: a person, an open place, or neither."""
    bare = name.removeprefix("@")
    if (person := people.get(bare.lower())) is not None:
        line.person, line.handle = person, free_handle(person.username, ())
    elif (other := similar.get(skeleton(bare))) is not None:
        closed = f"The account {other} is no longer in use. Choose another name."
        alike_only = f"“{bare}” looks like the username {other}, but is different. Write {other}, or another name."
        line.problem = closed if other.lower() == bare.lower() else alike_only
    elif name.startswith("@"):
        line.problem = f"{nobody_called(bare)} Check the spelling, or leave out the @ to invite them."
    else:
        line.handle, line.name = _names_of(bare)
        line.problem = _why_no_name(line)


def _names_of(text: str) -> tuple[str, str]:
    """A handle for an open place, and the name to show, which is empty if it would equal the handle."""
    try:
        handle_validator(text)
    except ValidationError:
        plain = unicodedata.normalize("NFKD", text)
        return free_handle(plain, ()), text
    return text, ""


def _why_no_name(line: Line) -> str:
    if len(line.name) > _LONGEST_NAME:
        return f"A name has up to {_LONGEST_NAME} letters."
    for name in (line.handle, line.name):
        try:
            validate_visible(name)
            if name:
                validate_player_name(name)
        except ValidationError as error:
            return str(error.messages[0])
    return ""


# -- judging -------------------------------------------------------------------------------------


def _refuse_doubled(lines: Sequence[Line], names: Sequence[str]) -> None:
    seen: dict[str, int] = {}
    for line, name in zip(lines, names, strict=True):
        first = seen.setdefault(name.removeprefix("@").casefold(), line.number)
        if first != line.number:
            line.problem = f"“{name}” is in the list twice: see name {first}."


def _refuse_those_who_cannot_play(match: Match, lines: Sequence[Line]) -> None:
    barred = {*match.hosts.values_list("pk", flat=True), *match.insiders.values_list("user_id", flat=True)}
    playing = set(match.players.filter(user__isnull=False).values_list("user_id", flat=True))
    for line in lines:
        if line.person is None or line.problem:
            continue
        if line.person.pk in playing:
            line.problem = f"{line.person.username} already plays in this match."
        elif line.person.pk in barred:
            line.problem = why_not_play(match, line.person)


def _refuse_unclear(match: Match, lines: Sequence[Line]) -> None:
    """Refuse names that look like another in the list, or like that of a player or host."""
    clear = [line for line in lines if not line.problem]
    _find_free_handles(clear)
    found = alike([*(Names(line.handle, line.name) for line in clear), *names_in(match)])
    for number, line in enumerate(clear):
        if number in found:
            line.problem = found[number][1]


def _find_free_handles(lines: Sequence[Line]) -> None:
    """Make the handles that nobody has typed differ from each other: different names may lead to the same handle."""
    taken = [Names(line.handle) for line in lines if not line.name]
    for line in lines:
        if line.name:
            line.handle = free_handle(line.handle, taken)
            taken.append(Names(line.handle))


def _name_people(match: Match, lines: Sequence[Line], invite: bool) -> None:
    """Fill in what will happen with each line, and the names to show for people who get a place at once."""
    taken = list(names_in(match))
    for line in lines:
        if line.problem:
            continue
        if line.person is not None and not invite:
            others = [Names(each.handle, each.name) for each in _others(lines, line)]
            line.name = free_name(line.person, [*taken, *others])
            line.said = f"{line.person.username} gets a place and a notice at once"
        else:
            line.said = f"an open place “{line.name or line.handle}”, with a link to send"
        if line.team:
            line.said += f", in team {line.team}"


def _others(lines: Sequence[Line], line: Line) -> Iterator[Line]:
    return (each for each in lines if each is not line and not each.problem)
