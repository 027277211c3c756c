"""Who plays a match of the season, and by which settings: what is checked before anything moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from matches.engine.errors import ConfigError
from matches.engine.game import AnyGame
from matches.engine.ledger import GARNET, PRIORITY, balance
from matches.engine.roster import Entrant, Roster
from seasons.engine.commands import malformed
from seasons.engine.season import check_players
from seasons.engine.state import SeasonState

CREDIT = "garnet_credit"


class Entry(msgspec.Struct, frozen=True):
    """A player as a host lists them: a handle, and a team where the match type has teams."""

    handle: str
    team: str | None = None


class Lineup(msgspec.Struct, frozen=True):
    """A match that can open: its settings as hosts set them and typed, and its players with what they bring."""

    raw_config: dict[str, Any]
    config: Any
    roster: Roster


def config_in(state: SeasonState, game: AnyGame, raw: Mapping[str, Any]) -> tuple[dict[str, Any], Any]:
    """A match's settings with what the season sets for all of its matches. Raises `ConfigError` that names the key."""
    credit = state.settings.garnet_credit
    if any(setting.key == CREDIT for setting in game.settings):
        if raw.get(CREDIT, credit) is not credit:
            word = "true" if credit else "false"
            raise ConfigError(CREDIT, f"is {word} in all matches of this season; leave it out, or set it to {word}")
        raw = {**raw, CREDIT: credit}
    return dict(raw), game.read_config(raw)


def entries_of(state: SeasonState, game: AnyGame, listed: Sequence[Entry] | None) -> tuple[Entry, ...]:
    """The players of a match, by default all who are in. Where the match type has teams, an entry without one gets that
    of the cast if it is one of this type's: then all players have a team, or none is filled in."""
    if listed is None:
        listed = tuple(Entry(handle) for handle in state.handles_in())
    filled = tuple(Entry(entry.handle, entry.team or _cast_team(state, game, entry.handle)) for entry in listed)
    return filled if game.teams and all(entry.team for entry in filled) else tuple(listed)


def _cast_team(state: SeasonState, game: AnyGame, handle: str) -> str | None:
    member = state.member(handle)
    return member.team if member is not None and member.team in game.teams else None


def lineup(state: SeasonState, game: AnyGame, raw_config: Mapping[str, Any], listed: Sequence[Entry] | None) -> Lineup:
    """A match of the season, ready to open now. Raises `Rejected`, with the codes in their order."""
    entries = entries_of(state, game, listed)
    handles = tuple(entry.handle for entry in entries)
    if not game.teams and any(entry.team is not None for entry in entries):
        raise malformed(f"{game.title} has no teams.", "players")
    roster = tuple(
        Entrant(
            entry.handle,
            entry.team,
            balance(state.purses, entry.handle, GARNET),
            balance(state.purses, entry.handle, PRIORITY),
        )
        for entry in entries
    )
    try:
        raw, config = config_in(state, game, raw_config)
        game.check_roster(roster)
    except ConfigError as error:
        raise malformed(f"{error}.", error.setting) from None
    check_players(state, handles)
    return Lineup(raw, config, roster)
