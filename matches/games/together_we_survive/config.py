"""The settings of Together We Survive, and how players are put into groups."""

from collections import Counter
from datetime import timedelta
from typing import Annotated

import msgspec

from matches.engine.errors import ConfigError
from matches.engine.match_time import DAY
from matches.engine.sealed_rounds import InRounds
from matches.engine.settings import Roster, Span, Whole, on_credit, time_to_decide

# -- groups --------------------------------------------------------------------------------------------

A, B = "A", "B"
GROUPS = (A, B)
"""The two groups, and also the two kinds of votes, for players of that group."""

FEWEST = 2
"""The fewest players in a group."""


def check_groups(roster: Roster) -> None:
    """Raise `ConfigError` unless all players have a group, or none has, and both groups are large enough."""
    for entrant in roster:
        if entrant.team and entrant.team not in GROUPS:
            raise ConfigError("players", f"{entrant.team!r} is not a group of this game; groups are A and B")
    without = [entrant.handle for entrant in roster if not entrant.team]
    if without and len(without) < len(roster):
        raise ConfigError(
            "players",
            f"put every player into group A or B, or none of them; {without[0]} has no group, and others have one",
        )
    for group, count in _counts(dealt(roster)).items():
        if count < FEWEST:
            raise ConfigError("players", f"each group needs {FEWEST} players or more; group {group} has {count}")


def dealt(roster: Roster) -> Roster:
    """The roster with everybody in a group: if nobody has one, the first half of the list, rounded up, is A."""
    if any(entrant.team for entrant in roster):
        return roster
    half = (len(roster) + 1) // 2
    return tuple(
        msgspec.structs.replace(entrant, team=A if place < half else B) for place, entrant in enumerate(roster)
    )


def _counts(roster: Roster) -> dict[str, int]:
    counts = Counter(entrant.team for entrant in roster)
    return {group: counts[group] for group in GROUPS}


# -- config --------------------------------------------------------------------------------------------


class Config(InRounds, frozen=True, kw_only=True):
    """The settings of a match."""

    tokens_a: Annotated[int, Whole("Tokens in group A", "What each player of group A starts with.")] = 5
    tokens_b: Annotated[int, Whole("Tokens in group B", "What each player of group B starts with.")] = 1
    first_round: Annotated[timedelta, Span("First round", "How long the first round lasts.", positive=True)] = 2 * DAY
    decision_time: Annotated[
        timedelta, time_to_decide("gifts of Tokens of Life and votes for the Elimination Candidates")
    ] = DAY
    both_price: Annotated[
        int,
        Whole(
            "Price of both kinds of votes",
            "In garnets, for sealing both kinds of votes in the same round. Players pay when the round closes.",
        ),
    ] = 1
    tokens_per_garnet: Annotated[
        int,
        Whole(
            "Tokens per garnet", "At the end each player of group B gets one garnet for this many tokens.", minimum=1
        ),
    ] = 7
    mass_win: Annotated[
        int,
        Whole(
            "Too many winners",
            "A group with this many winners or more gets no Tokens of Life.",
            minimum=1,
        ),
    ] = 6
    garnet_credit: Annotated[bool, on_credit("the price of both kinds of votes")] = False

    def unusual(self, roster: Roster) -> tuple[str, ...]:
        counts = _counts(dealt(roster))
        if abs(counts[A] - counts[B]) <= len(roster) % 2:
            return ()
        return (
            f"The game is made for equal groups, but this match has {counts[A]} players in group A and {counts[B]} in "
            "group B.",
        )
