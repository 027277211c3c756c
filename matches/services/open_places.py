"""Open places: how many there are, and what happens to them when the match begins.

An open place is a player row without a person or bot. In matches that anyone can join, every place that nobody has
taken is open too. `Match.open_places` says what happens to them at the start: bots play in them, the match begins
without them, or it waits.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count, islice
from typing import NamedTuple

from matches.models import Match, Player
from matches.services.names import Names, names_in, unlike
from matches.services.writer import Writer

_CARD_WORDS = (
    "Ace Basset Cribbage Deuce Euchre Faro Gambit Hazard Imp Joker Knave Loo Meld Mint Nines Ombre Pip Quart Ruff Skat "
    "Trey Upcard Void Whist Yarg Zwicker"
)
BOT_NAMES = tuple(_CARD_WORDS.split())

BOTS, WITHOUT, WAIT = Match.OpenPlaces.BOTS, Match.OpenPlaces.WITHOUT, Match.OpenPlaces.WAIT


class Lineup(NamedTuple):
    """Who will play, in list order, nothing of it stored yet; which of them are bots in open places; and the players
    of open places that are left out."""

    players: list[Player]
    bots: list[Player]
    left_out: list[Player]


def open_count(match: Match) -> int:
    """How many places of a match that has not begun are open."""
    players = list(match.players.all())
    return sum(player.is_open for player in players) + _untaken(match, len(players))


def _untaken(match: Match, players: int) -> int:
    return max(match.places - players, 0) if match.joining in Match.OPEN_TO_ALL else 0


def lineup(match: Match, choice: str) -> Lineup:
    """Who would play if the match began now; `choice`, one of `Match.OpenPlaces`, says what becomes of open places."""
    players = list(match.players.select_related("user").order_by("position", "pk"))
    bots, left_out = [], []
    if choice == BOTS:
        bots = [player for player in players if player.is_open]
        for player in bots:
            player.is_bot = True
        more = _new_bots(match, players)
        players += more
        bots += more
    elif choice == WITHOUT:
        left_out = [player for player in players if player.is_open]
        players = [player for player in players if not player.is_open]
    _share_out_teams(match, players)
    return Lineup(players, bots, left_out)


def store(writer: Writer, found: Lineup) -> None:
    """Make a lineup the match's own."""
    for player in found.left_out:
        player.delete()
    for player in found.players:
        if player.pk is None:
            player.save(force_insert=True)
        else:
            player.save(update_fields=["is_bot", "team"])
    writer.forget_players()


def _new_bots(match: Match, players: list[Player]) -> list[Player]:
    position = max((player.position for player in players), default=-1) + 1
    names = islice(unlike(bot_names(match.pk), names_in(match)), _untaken(match, len(players)))
    return [
        Player(match=match, handle=each.handle, name=each.name, is_bot=True, position=position + number)
        for number, each in enumerate(names)
    ]


def bot_names(match_id: int) -> Iterator[Names]:
    """An endless series of names for bots; each match starts at another point of the list."""
    start = match_id % len(BOT_NAMES)
    words = (*BOT_NAMES[start:], *BOT_NAMES[:start])
    yield from (Names(word.lower(), word) for word in words)
    yield from chain.from_iterable((Names(f"{word.lower()}{n}", f"{word} {n}") for word in words) for n in count(2))


def _share_out_teams(match: Match, players: list[Player]) -> None:
    """Add players without a team to the smallest team, in list order."""
    teams = match.rules.teams
    if not teams or match.joining not in Match.OPEN_TO_ALL:
        return
    counts = {team: sum(player.team == team for player in players) for team in teams}
    for player in players:
        if not player.team:
            player.team = min(teams, key=lambda team: counts[team])
            counts[player.team] += 1
