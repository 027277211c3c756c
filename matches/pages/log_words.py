"""Rows of a log in words: what was sent or what happened, for people. The JSON behind it is what was hashed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from matches.engine.sentences import joined
from matches.models import Match, Submission
from matches.queries.feed import Names
from matches.queries.host_acts import in_words
from matches.queries.names import NamesNow, shown_in


def row_in_words(match: Match, row: Submission, names: Names, now: NamesNow | None = None) -> str:
    """What a row of the log says. It has every detail of the row, so ask first who may read it. `names`: those that
    players had then; `now`: what to show instead of names of deleted accounts."""
    payload = shown_in(json.loads(row.payload), now or {})
    if row.kind == Submission.Kind.DEADLINE:
        return "A deadline passed"
    if row.kind == Submission.Kind.COMMAND and isinstance(payload, dict):
        return _sentence("The match began" if payload.get("command") == "open" else _command(match, payload, names))
    return action_in_words(payload, names)


def _command(match: Match, payload: dict[str, Any], names: Names) -> str:
    said, who = in_words(match, payload, names), payload.get("player")
    if said == _word(payload["command"]) and isinstance(who, str):  # nobody has worded it
        return f"{said}: {names.get(who, who)}"
    return said


def action_in_words(payload: object, names: Mapping[str, str]) -> str:
    """What a player sent: its type, and each field that has something in it; `names`: handle -> the name to show."""
    if not isinstance(payload, dict) or not isinstance(payload.get("type"), str):
        return "Something that is not an action"
    said = payload["type"].replace("_", " ")
    given = {key: value for key, value in payload.items() if key != "type" and _says_something(value)}
    fields = [f"{_word(key)} {_value(value, names)}" for key, value in given.items()]
    return _sentence(f"{said}: {', '.join(fields)}" if fields else said)


def _value(value: Any, names: Mapping[str, str]) -> str:
    if isinstance(value, dict):
        inner = [f"{_value(key, names)}: {_value(each, names)}" for key, each in value.items() if each]
        return f"({', '.join(inner)})" if inner else "nothing"
    if isinstance(value, list):
        return joined(_value(each, names) for each in value) if value else "nothing"
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    return names.get(value, value) if isinstance(value, str) else str(value)


def _says_something(value: object) -> bool:
    """Whether a field is worth a word: what is off or empty is not, but a number always is."""
    return bool(value) or (isinstance(value, int) and not isinstance(value, bool))


def _word(key: object) -> str:
    return str(key).replace("_", " ")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
