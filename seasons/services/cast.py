"""Changes to the cast of a draft, and casts pasted as a list. Either all changes are made or none."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

import msgspec
from django.core.exceptions import ValidationError

from accounts.validators import skeleton, validate_visible
from matches.engine.sentences import counted
from matches.models.player import handle_validator
from matches.services.errors import CommandRefused, retrying
from matches.services.pasted_names import people_called, similar_to
from matches.services.places import free_handle
from matches.services.roster import Noted, PlayerChange, Roster
from matches.services.texts import nobody_called
from seasons.models import Member, Season
from seasons.services.drafts import draft, host_names_of, names_of
from seasons.services.roles import why_no_member

MOST_MEMBERS = 200


@retrying
def change_cast(season: Season, host: Any, changes: Iterable[PlayerChange], *, seen: str = "") -> None:
    """Make all of these changes or none (`player_id`: a member's id). `seen`: see `draft`. Raises `CommandRefused` with
    all problems."""
    with draft(season, host, seen) as row:
        roster = _roster_of(row)
        roster.store(*_changed(roster, changes))


def add_member(season: Season, host: Any, handle: str = "", *, user: Any = None, **fields: Any) -> Member:
    """Add a person, a bot (`is_bot=True`) or an open place. `fields`: name, team, garnets, priority, blood_garnets. For
    programs; hosts have a table and a list."""
    change_cast(season, host, [PlayerChange(None, {"handle": handle, "user": user, **fields})])
    return season.cast.latest("pk")


def join_cast(season: Season, user: Any) -> Member:
    """Add this person to a locked draft, with a handle like their username."""
    handle = free_handle(user.username, names_of(season))
    roster = _roster_of(season)
    roster.store(*_changed(roster, [PlayerChange(None, {"handle": handle, "user": user})]))
    return season.cast.get(user=user)


@retrying
def check_cast(season: Season, host: Any, changes: Iterable[PlayerChange]) -> None:
    """Raise what `change_cast` would raise, without changing anything."""
    with draft(season, host) as row:
        _changed(_roster_of(row), changes)


def _roster_of(season: Season) -> Roster:
    def why_none(people: Sequence[Any]) -> list[str]:
        return [why_no_member(season, person) for person in people]

    return Roster(season, season.cast, host_names_of(season), why_none, "member", "cast", "cannot be in the cast twice")


def _changed(roster: Roster, changes: Iterable[PlayerChange]) -> tuple[list[Any], Noted]:
    members, noted = roster.changed(changes)
    if len(members) > MOST_MEMBERS:
        raise CommandRefused(f"A season can have at most {MOST_MEMBERS} members.")
    return members, noted


# -- the cast as a pasted list -------------------------------------------------------------------------------
# A line for each member: “handle, username, team, garnets, priority, blood garnets”, of which only the first is needed.
# Cells are separated by commas, semicolons or tabs.
# A handle that is somebody's username is that person, unless the second cell names another; “bot” in the second cell
# makes a bot; everybody else gets an open place with an invitation. A first line that names the columns gives their
# order. Each line is judged by itself, so that hosts see what is wrong with which; if any is wrong, nobody is added.

LONGEST_LIST = 40_000
BOT = "bot"
MOST_AMOUNT = 1_000_000

_COLUMNS = ("handle", "username", "team", "garnets", "priority", "blood garnets")
_WHOLE = {"garnets": "garnets", "priority": "priority"}
_SHOWN = 40


class Line(msgspec.Struct):
    """One line of the list. `said`: what it will do; `problem`: why it cannot, or empty."""

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
    """Return the lines of the list as they would be added. Raises `CommandRefused` for a list that is too long."""
    if len(text) > LONGEST_LIST:
        raise CommandRefused(f"The list is too long: at most {LONGEST_LIST} characters.", field="cast")
    lines = list(_lines(text))
    if len(lines) > MOST_MEMBERS:
        raise CommandRefused(f"The list is too long: a season has at most {MOST_MEMBERS} members.", field="cast")
    people = people_called(name for line in lines for name in (line.handle, line.cells.get("username", "")))
    similar = similar_to(line.handle for line in lines)
    for line in lines:
        line.problem = line.problem or _read(line, people, similar)
    clear = [line for line in lines if not line.problem]
    _, noted, found = _roster_of(season).judged(PlayerChange(None, line.values) for line in clear)
    problems = {id(place): message for place, message, _ in reversed(found)}
    for line, place in zip(clear, noted["added"], strict=True):
        line.problem = problems.get(id(place), "")
        line.said = "" if line.problem else _said(line)
    return lines


def add_cast(season: Season, host: Any, text: str) -> int:
    """Add all members of the list, or nobody; return how many. Raises `CommandRefused`."""
    lines = read_cast(season, text)
    if not lines:
        raise CommandRefused("The list is empty. Paste at least one member.", field="cast")
    if wrong := sum(bool(line.problem) for line in lines):
        raise CommandRefused(f"We have added nobody yet. Correct {counted(wrong, 'line')} first.", field="cast")
    change_cast(season, host, [PlayerChange(None, line.values) for line in lines])
    return len(lines)


# -- reading -------------------------------------------------------------------------------------------------


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
        line.problem = f"A line has at most {counted(len(columns), 'cell')}: {', '.join(columns)}."
    return line


def _read(line: Line, people: dict[str, Any], similar: dict[str, str]) -> str:
    """Store what a line says in its `values`; return what is wrong with it."""
    handle, username, team = line.handle, line.cells.get("username", "").removeprefix("@"), line.cells.get("team", "")
    try:
        handle_validator(handle)
        validate_visible(team)
    except ValidationError as error:
        return f"“{handle[:_SHOWN]}”: {error.messages[0]}"
    is_bot = username.lower() == BOT
    person = None if is_bot else people.get((username or handle).lower())
    if username and not is_bot and person is None:
        return f"{nobody_called(username)} Leave it empty to invite somebody, or write “bot”."
    other = similar.get(skeleton(handle), "")
    if other and not is_bot and (person is None or person.username != other):
        return f"“{handle}” is, or looks like, somebody else's username, {other}. Choose another handle."
    line.values = {"handle": handle, "user": person, "is_bot": is_bot, "team": team}
    return _read_amounts(line)


def _read_amounts(line: Line) -> str:
    for column, field in _WHOLE.items():
        text = line.cells.get(column, "")
        if text and not (text.isascii() and text.isdecimal() and len(text) < 8 and int(text) <= MOST_AMOUNT):
            return f"“{text[:_SHOWN]}” is not an amount of {column}. Write a whole number from 0 to {MOST_AMOUNT}."
        line.values[field] = int(text or 0)
    text = line.cells.get("blood garnets", "")
    try:
        amount = Decimal(text or 0)
        if not 0 <= amount <= MOST_AMOUNT or amount != round(amount, 4):
            raise InvalidOperation
    except InvalidOperation:
        return f"“{text[:_SHOWN]}” is not an amount of blood garnets. Write up to four decimals, such as 12.5."
    line.values["blood_garnets"] = amount
    return ""


def _said(line: Line) -> str:
    """What a line of the pasted cast will do, as a sentence."""
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
