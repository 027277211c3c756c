"""What the API answers beside a running match, as types: replays, people and match types."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct

from matches.api.shapes import Instant, MatchInfo, Next
from matches.engine.views import MatchTime, Outcome
from matches.queries.profiles import Award, Tally

# -- replays ----------------------------------------------------------------------------------------


class PatchStep(Struct):
    """An operation of a JSON Patch (RFC 6902)."""

    op: Literal["add", "replace", "remove"]
    path: str
    value: Any = UNSET


class Frame(Struct):
    """A moment: what was told, and how the document differs from the one before."""

    row: int
    at: Instant
    time: MatchTime
    told: list[str]
    patch: list[PatchStep]


class ReplayView(Struct):
    """A finished match. Begin with `{"public": null, "private": null, "sealed": {}}` and apply one patch after the
    other."""

    match: MatchInfo
    as_: str | None = msgspec.field(name="as")
    sealed: Literal["at-once", "opened"]
    outcome: Outcome | None
    frames: list[Frame]


# -- people and games -------------------------------------------------------------------------------


class Line(Struct):
    """A match of a person, and how it ended for them."""

    match: str
    title: str
    game: str
    game_title: str
    status: str
    at: Instant | None
    won: bool | None
    tokens: int | None
    candidate: bool | None


class NobodyShown(Struct):
    """A person who keeps their page empty."""

    username: str
    name: str
    is_bot: bool
    is_shown: Literal[False]


class PersonShown(Struct):
    """A person as everybody may know them."""

    username: str
    name: str
    is_bot: bool
    is_shown: Literal[True]
    since: str
    results: list[Tally]
    awards: list[Award]
    sections: dict[str, Any]
    hosted: list[Line]
    matches: list[Line]
    count: int
    next: Next


class PlayersOf(Struct):
    """For how many players a match type is."""

    least: int
    most: int
    usual: list[int]


class GameLine(Struct):
    """A match type in short. `schema` is the address of everything about it."""

    slug: str
    title: str
    summary: str
    designers: list[str]
    rules_version: int
    players: PlayersOf
    teams: list[str]
    schema: str


class Games(Struct):
    """The match types."""

    games: list[GameLine]


class GameSchema(GameLine):
    """A match type: `config` lists the settings, `actions` and `questions` are JSON Schemas."""

    config: list[dict[str, Any]]
    presets: dict[str, dict[str, Any]]
    refusals: Annotated[dict[str, str], Meta(description="The rules' own codes, beside those of all match types.")]
    actions: dict[str, Any]
    questions: dict[str, Any] | None
