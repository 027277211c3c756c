"""Matches of an arena: who sits where, and what became of everybody."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

import msgspec

from matches.arena.bots import Bot, Lost
from matches.engine.actions import RawAction
from matches.engine.bot_match import Chooser, Event, bot_match
from matches.engine.draw import Draw
from matches.engine.game import AnyGame
from matches.engine.match_time import seconds
from matches.engine.playing import Unplayable
from matches.engine.roster import Entrant, Roster
from matches.engine.views import PrivateView, PublicView

GARNETS = 5
"""What each player brings, as at a practice table."""


class Played(NamedTuple):
    """A match: who sat where (handle -> name of the bot), the winners' handles, Tokens of Life by handle, the
    candidates, and how turns were lost: (name of the bot, kind, detail) -> how often."""

    seats: Mapping[str, str]
    winners: tuple[str, ...]
    tokens: Mapping[str, int]
    candidates: tuple[str, ...]
    lost: Counter[tuple[str, str, str]]


def seating(bots: Sequence[Bot | None], names: Sequence[str], players: int, seed: bytes) -> dict[str, int]:
    """Handle -> place of its bot among `bots`. Every bot gets a seat, the others go round; who sits where is drawn."""
    handles = [f"player{number}" for number in range(1, players + 1)]
    places = [number % len(bots) for number in range(players)]
    drawn = Draw(hashlib.sha256(b"seats:" + seed).digest()).sample("seats", tuple(range(players)), players)
    return {handles[seat]: places[number] for number, seat in enumerate(drawn)}


def play(
    game: AnyGame, config: Any, bots: Sequence[Bot | None], names: Sequence[str], players: int, seed: bytes
) -> Played:
    """One match. A bot that is None is the one that comes with the game. Raises `Unplayable`, `ConfigError`."""
    seats = seating(bots, names, players, seed)
    roster: Roster = tuple(Entrant(handle, garnets=GARNETS) for handle in seats)
    game.check_roster(roster)
    lost = Counter[tuple[str, str, str]]()
    choosers = {handle: _chooser(bot, lost) for handle, place in seats.items() if (bot := bots[place]) is not None}
    last: Any = None
    for event in bot_match(game, config, roster, seed, choosers=choosers):
        last = event.step or last
        if event.refusal is not None:
            lost[names[seats[event.player]], "refused", _said(event)] += 1
    outcome = game.outcome(last.state)
    if outcome is None:
        raise Unplayable(f"{game.title} does not come to an end")
    return Played(
        {handle: names[place] for handle, place in seats.items()},
        outcome.winners,
        outcome.tokens_of_life,
        outcome.elimination_candidates,
        lost,
    )


def _said(event: Event) -> str:
    kind = event.action.get("type", "?") if event.action else "?"
    return f"{kind}: {event.refusal.code}" if event.refusal else str(kind)


def _chooser(bot: Bot, lost: Counter[tuple[str, str, str]]) -> Chooser:
    def choose(public: PublicView, private: PrivateView, now: timedelta, draw: Draw) -> RawAction | None:
        try:
            return bot.choose(msgspec.to_builtins(public), msgspec.to_builtins(private), seconds(now))
        except Lost as turn:
            lost[bot.name, turn.kind, turn.detail] += 1
            return None

    return choose


def seeds(first: int, count: int) -> Iterator[bytes]:
    """The seeds of the matches of these numbers, always the same."""
    for number in range(first, first + count):
        yield hashlib.sha256(f"arena:{number}".encode()).digest()
