"""A match's settings as one JSON document, and back. It has no players, no seed, and nothing that was drawn or played.

    {"format": "genius-match-settings", "version": 1, "game": "…", "title": "…", "description": "…",
     "joining": "invited", "places": 8, "open_places": "wait", "usual_hour": "14:00", "usual_zone": "Europe/Berlin",
     "config": {…}}

`config` has only what hosts have set, as the game's README describes it. Only `format`, `version`, `game`, `title` and
`config` are needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from django.core.exceptions import ValidationError

from accounts.validators import validate_visible
from matches.engine import strict_json
from matches.engine.game import AnyGame
from matches.engine.sentences import sentence
from matches.engine.strict_json import NotJson
from matches.games.registry import UnknownGame, all_games, game_of
from matches.models import Match
from matches.models.usual_hour import UsualHour
from matches.services.errors import CommandRefused

FORMAT, VERSION = "genius-match-settings", 1
LARGEST = 512 * 1024
LONGEST_DESCRIPTION = 20_000
MOST_PROBLEMS = 20

_TYPES: dict[str, tuple[type, str]] = {
    "format": (str, "text"),
    "version": (int, "a whole number"),
    "game": (str, "text"),
    "title": (str, "text"),
    "description": (str, "text"),
    "joining": (str, "text"),
    "places": (int, "a whole number"),
    "open_places": (str, "text"),
    "usual_hour": (str, "text"),
    "usual_zone": (str, "text"),
    "config": (dict, "an object"),
}
_NEEDED = ("format", "version", "game", "title", "config")
_FIELDS = ("title", "description", "joining", "places", "open_places", "usual_hour", "usual_zone")


class BadSettings(CommandRefused):
    """A document that is refused; `problems` are all its faults, a sentence each."""

    code = "bad_settings"

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems[:MOST_PROBLEMS]
        super().__init__(" ".join(self.problems), field="file")


class MatchSettings(msgspec.Struct, frozen=True):
    """Settings that were read. `fields` are those of every match, such as its title."""

    game: str
    fields: dict[str, Any]
    config: dict[str, Any]


def written(match: Match) -> dict[str, Any]:
    """The document of a match's settings."""
    fields = {field: getattr(match, field) for field in _FIELDS}
    return {"format": FORMAT, "version": VERSION, "game": match.game, **fields, "config": match.config}


def read_bytes(data: bytes) -> MatchSettings:
    """The settings in a file. Raises `BadSettings`."""
    if len(data) > LARGEST:
        raise BadSettings([f"The file is larger than {LARGEST // 1024} kB, which no match's settings are."])
    try:
        document = strict_json.loads(data)
    except NotJson as error:
        raise BadSettings([sentence(str(error))]) from None
    return read(document)


def read(document: Any) -> MatchSettings:
    """The settings in a document. Raises `BadSettings` with everything that is wrong with it."""
    if not isinstance(document, Mapping):
        raise BadSettings(["The file is not a match's settings: expected one JSON object."])
    if document.get("format") != FORMAT:
        raise BadSettings([f"This is not a file of a match's settings: its “format” is not “{FORMAT}”."])
    version = document.get("version")
    if isinstance(version, bool) or version != VERSION:
        said = str(version)[:20] if isinstance(version, int | str) else "not a number"
        raise BadSettings([f"The file's “version” is {said}; this site reads version {VERSION}."])
    problems = [*_shape_problems(document)]
    game = _game(document, problems)
    fields = {field: document[field] for field in _FIELDS if isinstance(document.get(field), _TYPES[field][0])}
    if "title" in fields:
        fields["title"] = " ".join(fields["title"].split())
    problems += _field_problems(fields)
    config = document.get("config")
    if game is not None and isinstance(config, Mapping):
        _, wrong = game.config_type.judge(config)
        problems += [f"The setting “{each.key}”: {each.message}." for each in wrong]
    if problems or game is None:
        raise BadSettings(problems)
    if "places" not in fields:
        fields["places"] = game.sizes.usual[1]
    return MatchSettings(game.slug, fields, dict(config or {}))


def _shape_problems(document: Mapping[str, Any]) -> Iterator[str]:
    known = ", ".join(_TYPES)
    for key in document:
        if key not in _TYPES:
            yield f"There is no “{str(key)[:60]}” in a match's settings; known are {known}."
    for key, (kind, said) in _TYPES.items():
        value = document.get(key)
        if key not in document:
            if key in _NEEDED:
                yield f"“{key}” is missing."
        elif not isinstance(value, kind) or isinstance(value, bool):
            yield f"“{key}” has to be {said}."


def _game(document: Mapping[str, Any], problems: list[str]) -> AnyGame | None:
    slug = document.get("game")
    if not isinstance(slug, str):
        return None
    try:
        return game_of(slug)
    except UnknownGame:
        problems.append(f"This site has no game “{slug[:40]}”; it has {', '.join(all_games())}.")
        return None


def _field_problems(fields: Mapping[str, Any]) -> Iterator[str]:
    """What the model refuses, and what could not be read on a page."""
    try:
        Match(**fields).clean_fields(exclude={each.name for each in Match._meta.fields} - set(fields))
    except ValidationError as error:
        for field, messages in error.message_dict.items():
            yield f"“{field}”: {' '.join(messages)}"
    try:
        UsualHour.read(fields.get("usual_hour", ""), fields.get("usual_zone", ""))
    except ValueError as error:
        yield f"“usual_hour”: {error}"
    for field in ("title", "description"):
        text = fields.get(field, "")
        if len(text) > LONGEST_DESCRIPTION:
            yield f"“{field}” is longer than {LONGEST_DESCRIPTION} letters."
            continue
        try:
            validate_visible(text)
        except ValidationError as error:
            yield f"“{field}”: {error.messages[0]}"
