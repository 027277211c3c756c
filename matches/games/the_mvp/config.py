"""What hosts can set: the keys, their defaults, and who can play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import msgspec

from matches.engine.errors import ConfigError
from matches.engine.game import Roster
from matches.engine.options import Data, Flag, Option, Span, Whole
from matches.games.the_mvp.cards import CARDS
from matches.games.the_mvp.pattern import PLACES

DAY = timedelta(hours=24)

TEAMS = ("red", "green")
TEAM_SIZE = 3
PLAYERS = TEAM_SIZE * len(TEAMS)

MOST_ROUNDS = 100


class Config(msgspec.Struct, frozen=True):
    """The settings of one match; the table in this folder's README explains each.

    `deck`: place -> card for all 24, None for a drawn one. It tells what lies hidden, so nobody but hosts may see it.
    """

    chips: int
    first_round: timedelta
    round: timedelta
    max_rounds: int
    chip_price: int
    identity_price: int
    location_price: int
    points_per_garnet: int
    deck: dict[str, str] | None
    garnet_credit: bool
    decision_time: timedelta

    def opens_at(self, number: int) -> timedelta:
        """The match time at which a round, counted from 1, begins."""
        return timedelta() if number == 1 else self.closes_at(number - 1)

    def closes_at(self, number: int) -> timedelta:
        """The match time at which a round, counted from 1, closes."""
        return self.first_round + (number - 1) * self.round


class Deck(Data, frozen=True, kw_only=True):
    """Place -> card, each of the 24 cards once; or nothing. Says which place is wrong."""

    def read(self, raw: object) -> dict[str, str] | None:
        if raw is None:
            return None
        if not isinstance(raw, Mapping):
            raise self.refuse(f'expected an object with a card for each place, such as {{"A": "{CARDS[0]}", …}}')
        for place in raw:
            if place not in PLACES:
                said = f"there is no such place; the places are {PLACES[0]} to {PLACES[-1]}"
                raise ConfigError(f"{self.key}.{str(place)[:20]}", said)
        found: dict[str, str] = {}
        for place in PLACES:
            found[place] = self._card(place, raw.get(place), found)
        return found

    def _card(self, place: str, named: object, before: Mapping[str, str]) -> str:
        key, all_of_them = f"{self.key}.{place}", f"{CARDS[0]} to {CARDS[-1]}"
        if named is None:
            raise ConfigError(key, f"its card is missing; each place needs one of {all_of_them}")
        if not isinstance(named, str) or named not in CARDS:
            raise ConfigError(key, f"{str(named)[:20]} is no card of this game; expected one of {all_of_them}")
        for other, taken in before.items():
            if taken == named:
                raise ConfigError(key, f"{named} lies at {other} already; each card is there once")
        return named


OPTIONS: tuple[Option, ...] = (
    Whole(key="chips", label="Chips", help="What each player starts with."),
    Span(key="first_round", label="First round", help="How long the first round takes.", positive=True),
    Span(key="round", label="Later rounds", help="How long each later round takes.", positive=True),
    Whole(
        key="max_rounds",
        label="Most rounds",
        help="The play ends after so many rounds, if not before; in the last one only exposed cards are bid on.",
        minimum=1,
        maximum=MOST_ROUNDS,
    ),
    Whole(key="chip_price", label="Price of a chip", help="In garnets."),
    Whole(key="identity_price", label="Price of an identity", help="In garnets, for which card lies at a place."),
    Whole(key="location_price", label="Price of a location", help="In garnets, for where a card lies."),
    Whole(
        key="points_per_garnet",
        label="Points per garnet",
        help="Everybody earns 1 garnet for each so many points of their own team.",
        minimum=1,
    ),
    Deck(
        key="deck",
        label="Deck",
        help="A card for each place; leave it empty to have them drawn. Players never see it before its time.",
        shape=dict[str, str] | None,
    ),
    Flag(
        key="garnet_credit",
        label="Garnets on credit",
        help="Lets purchases of chips and answers take garnets below zero.",
    ),
    Span(
        key="decision_time",
        label="Time to decide",
        help="The window for voting on the Elimination Candidate, and again for giving a token.",
    ),
)


def default_values() -> dict[str, Any]:
    """Typed defaults of every key; none depends on what else is set."""
    return {
        "chips": 30,
        "first_round": 2 * DAY,
        "round": DAY,
        "max_rounds": 13,
        "chip_price": 1,
        "identity_price": 1,
        "location_price": 2,
        "points_per_garnet": 5,
        "deck": None,
        "garnet_credit": False,
        "decision_time": DAY,
    }


def unusual(config: Config) -> tuple[str, ...]:
    """Sentences for the host on what is playable and probably not meant."""
    if config.max_rounds > 1:
        return ()
    return ("A card is claimed in the round after it was flagged, so nobody can claim anything in a single round.",)


def check_teams(roster: Roster) -> None:
    """Raise `ConfigError` unless nobody has a team, or each team has its three players."""
    if not any(entrant.team for entrant in roster):
        return
    sizes = Counter(entrant.team for entrant in roster)
    expected = (
        f"put {TEAM_SIZE} players into each of {' and '.join(TEAMS)}, or leave all teams empty to have them dealt"
    )
    for entrant in roster:
        if not entrant.team:
            raise ConfigError("players", f"{entrant.handle} has no team and others have one; {expected}")
        if entrant.team not in TEAMS:
            raise ConfigError("players", f"{entrant.handle} is in {entrant.team}, which is no team here; {expected}")
    for team in TEAMS:
        if sizes[team] != TEAM_SIZE:
            raise ConfigError("players", f"the team {team} has {sizes[team]} players; {expected}")


def with_teams(roster: Roster) -> Roster:
    """The roster with everybody in a team: as it says, or dealt in turn in list order."""
    if any(entrant.team for entrant in roster):
        return roster
    return tuple(msgspec.structs.replace(entrant, team=TEAMS[seat % len(TEAMS)]) for seat, entrant in enumerate(roster))
