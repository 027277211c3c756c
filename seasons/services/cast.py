"""Changes of the cast of a season that has not begun: all of them, or none."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

import msgspec
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db.models.functions import Lower

from accounts.names import skeleton
from accounts.validators import validate_visible
from matches.engine.sentences import counted
from matches.models.player import handle_validator, new_nonce
from matches.services.errors import CommandRefused
from matches.services.names import Names, alike, free_handle, free_name, name_beside, validate_player_name
from matches.services.roster import PlayerChange
from matches.services.storage.retry import retrying
from seasons.models import Member, Season
from seasons.services.drafting import draft, host_names_of, names_of
from seasons.services.roles import why_no_member

FIELDS = ("position", "user", "is_bot", "handle", "name", "team", "garnets", "priority", "blood_garnets")
MOST_MEMBERS = 200


@retrying
def change_cast(season: Season, host: Any, changes: Iterable[PlayerChange]) -> None:
    """Make all of these changes, or none of them; `player_id` is a member's. Raises `CommandRefused` with a sentence
    for each thing that is wrong."""
    with draft(season, host) as row:
        _checked(row, changes).store()


@retrying
def check_cast(season: Season, host: Any, changes: Iterable[PlayerChange]) -> None:
    """Raise what `change_cast` would raise, and change nothing."""
    with draft(season, host) as row:
        _checked(row, changes)


def _checked(season: Season, changes: Iterable[PlayerChange]) -> _Cast:
    cast = _Cast(season)
    for change in sorted(changes, key=lambda change: not change.remove):
        cast.take(change)
    cast.check()
    return cast


class _Cast:
    """The members of a locked draft, changed in memory."""

    def __init__(self, season: Season) -> None:
        self.season = season
        self.hosts = host_names_of(season)
        self.members = {member.pk: member for member in season.cast.select_related("user")}
        self.new: list[Member] = []
        self.changed: list[Member] = []
        self.removed: list[int] = []

    def everybody(self) -> list[Member]:
        return [*self.members.values(), *self.new]

    def take(self, change: PlayerChange) -> None:
        if change.player_id is None:
            member = Member(season=self.season)
            self.new.append(member)
        else:
            found = self.members.get(change.player_id)
            if found is None:
                raise CommandRefused("One of these members is not in the cast any more. Look at the current one.")
            if change.remove:
                del self.members[found.pk]
                self.removed.append(found.pk)
                return
            member = found
            self.changed.append(member)
        self._assign(member, change)

    def _assign(self, member: Member, change: PlayerChange) -> None:
        before = member.user_id
        for field, value in change.values.items():
            if field not in FIELDS:
                raise TypeError(f"a member has no {field}")
            setattr(member, field, value)
        if member.user_id != before:
            member.invite_nonce = new_nonce()  # links that were sent before no longer work
        others = [*(Names(each.handle, each.name) for each in self.everybody() if each is not member), *self.hosts]
        given = member.handle
        if not given:
            wanted = member.user.username if member.user else "bot" if member.is_bot else "member"
            member.handle = free_handle(wanted, others)
        if member.user is not None and not member.name:
            member.name = name_beside(given, member.user, others) if given else free_name(member.user, others)

    def check(self) -> None:
        """Raise one `CommandRefused` for everything that is wrong."""
        members = self.everybody()
        if found := list(dict.fromkeys([*self._impossible(members), *self._unclear(members)])):
            raise CommandRefused(" ".join(found))

    def _impossible(self, members: Sequence[Member]) -> Iterator[str]:
        if len(members) > MOST_MEMBERS:
            yield f"A season has at most {MOST_MEMBERS} members."
        people = Counter(member.user_id for member in members if member.user_id is not None)
        for member in members:
            try:
                member.clean_fields(exclude=["season", "user", "invite_nonce"])
            except ValidationError as error:
                messages = "; ".join(message for each in error.message_dict.values() for message in each)
                yield f"{member.handle or 'A member'}: {messages}"
            if member.user is not None and (why_not := why_no_member(self.season, member.user)):
                yield why_not
            if member.user_id is not None and people[member.user_id] > 1:
                yield f"{member.user} cannot be in the cast twice."
            if member.is_bot and member.user_id is not None:
                yield f"{member.handle} is a bot or a person, not both."

    def _unclear(self, members: Sequence[Member]) -> Iterator[str]:
        found = alike([*(Names(member.handle, member.name) for member in members), *self.hosts])
        for number, member in enumerate(members):
            if number in found:
                yield found[number][1]
            for name in (member.handle, member.name):
                try:
                    validate_visible(name)
                    validate_player_name(name)
                except ValidationError as error:
                    yield f"{member.handle}: {error.messages[0]}"

    def store(self) -> None:
        """Changed rows let go of handles and people first, so that two members can swap theirs."""
        self.season.cast.filter(pk__in=self.removed).delete()
        for member in self.changed:
            Member.objects.filter(pk=member.pk).update(handle=f"~{member.pk}", user=None)
        for member in self.changed:
            member.save(update_fields=[*FIELDS, "invite_nonce"])
        last = max((member.position for member in self.members.values()), default=-1)
        for member in self.new:
            if member.position <= last:
                member.position = last + 1
            last = member.position
            member.save(force_insert=True)


# -- cast list -------------------------------------------------------------------------------------------
# A cast as a pasted list or a CSV file: a member on each line, “handle, username, team, garnets, priority, blood
# garnets”, of which only the first is needed. Cells are parted by commas, semicolons or tabs.
#
# A handle that is somebody's username is that person, unless the second cell names another; “bot” in the second cell
# is a bot; everybody else gets an open place with an invitation. A first line that names the columns gives their
# order. Each line is judged by itself, so that a host reads what is wrong with which; if anything is wrong with any,
# nobody is added.

LONGEST_LIST = 40_000
BOT = "bot"
MOST_AMOUNT = 1_000_000

_COLUMNS = ("handle", "username", "team", "garnets", "priority", "blood garnets")
_WHOLE = {"garnets": "garnets", "priority": "priority"}
_LONGEST_TEAM: int = Member._meta.get_field("team").max_length or 30
_SHOWN = 40


class Line(msgspec.Struct):
    """One member of the list. `said` is what becomes of it; `problem` says why it cannot, and is empty otherwise."""

    number: int
    typed: str
    cells: dict[str, str]
    said: str = ""
    problem: str = ""
    values: dict[str, Any] = {}

    @property
    def handle(self) -> str:
        return self.cells.get("handle", "")


def read_cast(season: Season, text: str) -> list[Line]:
    """The list as it would be added to this season. Raises `CommandRefused` for a list that is too long to read."""
    if len(text) > LONGEST_LIST:
        raise CommandRefused(f"That is too long: at most {LONGEST_LIST} characters.", field="cast")
    lines = list(_lines(text))
    if len(lines) > MOST_MEMBERS:
        raise CommandRefused(f"That is too long: a season has at most {MOST_MEMBERS} members.", field="cast")
    people, similar = _people(lines), _similar(lines)
    for line in lines:
        line.problem = line.problem or _read(line, people, similar)
    _refuse_doubled(season, lines)
    _refuse_alike(season, lines)
    for line in lines:
        if not line.problem:
            line.said = _said(line)
    return lines


def add_cast(season: Season, host: Any, text: str) -> int:
    """Add all members of the list, or nobody; how many. Raises `CommandRefused`."""
    lines = read_cast(season, text)
    if not lines:
        raise CommandRefused("There is nobody in the list.", field="cast")
    if wrong := sum(bool(line.problem) for line in lines):
        raise CommandRefused(f"Nobody is added yet: {counted(wrong, 'line')} cannot be used as written.", field="cast")
    change_cast(season, host, [PlayerChange(None, line.values) for line in lines])
    return len(lines)


# -- reading -------------------------------------------------------------------------------------------


def _lines(text: str) -> Iterator[Line]:
    text = text.removeprefix("\ufeff")
    delimiter = next((sign for sign in "\t;" if sign in text), ",")
    columns: tuple[str, ...] = _COLUMNS
    number = 0
    for typed in text.splitlines():
        cells = _cells(typed, delimiter)
        if not any(cells):
            continue
        if number == 0 and (named := _heading(cells)):
            columns = named
            continue
        number += 1
        yield _line(number, typed.strip(), cells, columns)


def _cells(typed: str, delimiter: str) -> list[str]:
    try:
        cells = next(csv.reader([typed], delimiter=delimiter, skipinitialspace=True), [])
    except csv.Error:
        cells = typed.split(delimiter)
    return [" ".join(cell.split()) for cell in cells]


def _heading(cells: Sequence[str]) -> tuple[str, ...]:
    """The columns that a first line names; empty if it is a member."""
    named = tuple(cell.lower().replace("_", " ") for cell in cells)
    is_heading = "handle" in named and len(set(named)) == len(named) and set(named) <= set(_COLUMNS)
    return named if is_heading else ()


def _line(number: int, typed: str, cells: Sequence[str], columns: Sequence[str]) -> Line:
    line = Line(number, typed[:200], dict(zip(columns, cells, strict=False)))
    if any(cells[len(columns) :]):
        line.problem = f"There are more than {counted(len(columns), 'cell')}: {', '.join(columns)}."
    return line


def _people(lines: Sequence[Line]) -> dict[str, Any]:
    """Username in small letters -> the person."""
    wanted = {
        name.removeprefix("@").lower() for line in lines for name in (line.handle, line.cells.get("username", ""))
    }
    users = get_user_model().objects.annotate(small=Lower("username"))
    return {user.small: user for user in users.filter(small__in=wanted, is_active=True)}


def _similar(lines: Sequence[Line]) -> dict[str, str]:
    """What handles look like -> the username that looks the same."""
    users = get_user_model().objects.filter(skeleton__in={skeleton(line.handle) for line in lines})
    return {str(look): username for look, username in users.values_list("skeleton", "username")}


def _read(line: Line, people: dict[str, Any], similar: dict[str, str]) -> str:
    """Note what a line says; what is wrong with it."""
    handle, username = line.handle, line.cells.get("username", "").removeprefix("@")
    try:
        handle_validator(handle)
        validate_player_name(handle)
        validate_visible(line.cells.get("team", ""))
    except ValidationError as error:
        return f"“{handle[:_SHOWN]}”: {error.messages[0]}"
    if len(handle) > 30:
        return "A handle has at most 30 characters."
    if len(line.cells.get("team", "")) > _LONGEST_TEAM:
        return f"A team has at most {_LONGEST_TEAM} characters."
    is_bot = username.lower() == BOT
    person = None if is_bot else people.get((username or handle).lower())
    if username and not is_bot and person is None:
        return f"There is nobody called {username[:_SHOWN]}. Leave it empty to invite somebody, or write “bot”."
    other = similar.get(skeleton(handle), "")
    if other and not is_bot and (person is None or person.username != other):
        return f"“{handle}” is, or looks like, the username {other}, who is somebody else. Please choose another one."
    line.values = {"handle": handle, "user": person, "is_bot": is_bot, "team": line.cells.get("team", "")}
    return _read_amounts(line)


def _read_amounts(line: Line) -> str:
    for column, field in _WHOLE.items():
        text = line.cells.get(column, "")
        if text and not (text.isascii() and text.isdecimal() and len(text) < 8 and int(text) <= MOST_AMOUNT):
            return f"“{text[:_SHOWN]}” is not a number of {column}: write a whole number from 0 to {MOST_AMOUNT}."
        line.values[field] = int(text or 0)
    text = line.cells.get("blood garnets", "")
    try:
        amount = Decimal(text or 0)
        if not 0 <= amount <= MOST_AMOUNT or amount != round(amount, 4):
            raise InvalidOperation
    except InvalidOperation:
        return f"“{text[:_SHOWN]}” is not a number of blood garnets: write one of at most four decimals, such as 12.5."
    line.values["blood_garnets"] = amount
    return ""


# -- judging -------------------------------------------------------------------------------------------


def _refuse_doubled(season: Season, lines: Sequence[Line]) -> None:
    members = season.cast.values_list("handle", "user_id")
    handles, people = {handle.casefold() for handle, _ in members}, {user for _, user in members if user is not None}
    first: dict[Any, int] = {}
    for line in lines:
        if line.problem:
            continue
        person = line.values["user"]
        same = first.setdefault(line.handle.casefold(), line.number)
        if same != line.number:
            line.problem = f"“{line.handle}” is in the list twice: it is also no. {same}."
        elif line.handle.casefold() in handles:
            line.problem = f"“{line.handle}” is in the cast already."
        elif person is None:
            continue
        elif (same := first.setdefault(person.pk, line.number)) != line.number:
            line.problem = f"{person.username} is in the list twice: also as no. {same}."
        elif person.pk in people:
            line.problem = f"{person.username} is in the cast already."
        else:
            line.problem = why_no_member(season, person)


def _refuse_alike(season: Season, lines: Sequence[Line]) -> None:
    clear = [line for line in lines if not line.problem]
    found = alike([*(Names(line.handle) for line in clear), *names_of(season)])
    for number, line in enumerate(clear):
        if number in found:
            line.problem = found[number][1]


def _said(line: Line) -> str:
    """What becomes of a line."""
    values, brings = line.values, []
    person = values["user"]
    for amount, one, many in (
        (values["garnets"], "garnet", "garnets"),
        (values["priority"], "priority", "priority"),
        (values["blood_garnets"], "blood garnet", "blood garnets"),
    ):
        if amount:
            brings.append(f"{amount} {one if amount == 1 else many}")
    who = "a bot" if values["is_bot"] else f"{person.username}" if person else "an open place, with a link to send"
    said = [who, *([f"team {values['team']}"] if values["team"] else []), *brings]
    return ", ".join(said)
