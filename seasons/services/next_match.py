"""The next match of a season for programs: made, and published if they say when it begins, or nothing of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from matches.engine.errors import MALFORMED, Rejected
from matches.engine.game import AnyGame
from matches.games.registry import game_of
from matches.models import Match
from matches.services import hosting
from matches.services.errors import CommandRefused
from matches.services.storage.retry import retrying
from seasons.engine import commands
from seasons.engine import season as season_rules
from seasons.engine.lineup import Entry
from seasons.engine.state import SeasonState
from seasons.models import Season
from seasons.services.running import add_match


@retrying
def next_match(
    season: Season,
    host: Any,
    game: str,
    title: str = "",
    *,
    preset: str = "",
    config: dict[str, Any] | None = None,
    players: Sequence[Entry] | None = None,
    starts_at: datetime | None = None,
    start_now: bool = False,
    open_places: str = "",
    key: str = "",
) -> Match:
    """As at the desk: `players` are by default all who are in, or the two of the Death Match; `config` comes on top of
    the preset. With `starts_at` or `start_now` it is published. The same `key` a second time returns the first match.

    Raises `UnknownGame`, `NotAHost`, `CommandRefused`.
    """
    rules = game_of(game)
    if preset and preset not in rules.presets:
        known = ", ".join(rules.presets) or "none"
        raise CommandRefused(f"{rules.title} has no such preset; it has: {known}.", code=MALFORMED, field="preset")
    state = season_rules.decode(season.state) if season.state else None
    entries = None if state is None else _entries(state, rules, players)
    with transaction.atomic():
        match = add_match(
            season,
            host,
            game,
            title,
            config={**rules.presets.get(preset, {}), **(config or {})},
            players=entries,
            places=max(len(entries or ()), 1),
            key=key,
        )
        # Nobody else knows the match yet, so that its lock comes after the season's does no harm.
        if match.status == Match.Status.DRAFT and (start_now or starts_at is not None):
            hosting.publish(match, host, None if start_now else starts_at, open_places)
    return match


def _entries(state: SeasonState, game: AnyGame, players: Sequence[Entry] | None) -> tuple[Entry, ...]:
    if players is None:
        return tuple(Entry(handle) for handle in season_rules.due_players(state))
    handles = tuple(each.handle for each in players)
    if len(set(handles)) < len(handles):
        raise CommandRefused("A player is listed twice.", code=MALFORMED, field="players")
    if unknown := [each.team for each in players if each.team is not None and each.team not in game.teams]:
        said = f"its teams are {', '.join(game.teams)}" if game.teams else "it has no teams"
        raise CommandRefused(f"{game.title} has no team {unknown[0]}: {said}.", code=MALFORMED, field="players")
    try:
        commands.need_members(state, *handles)
        commands.need_in(state, *handles)
    except Rejected as rejection:
        raise CommandRefused(rejection.message, code=rejection.code, field="players") from rejection
    return tuple(players)
