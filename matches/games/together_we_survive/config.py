"""The settings of Together We Survive."""

from collections import Counter
from datetime import timedelta
from typing import Annotated

from matches.engine.match_time import DAY
from matches.engine.sealed_rounds import InRounds
from matches.engine.settings import Roster, Span, Whole, in_teams, on_credit, time_to_decide

A, B = "A", "B"
GROUPS = (A, B)
"""The two groups, and also the two kinds of votes, for players of that group."""


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
        counts = Counter(entrant.team for entrant in in_teams(roster, GROUPS, halves=True))
        if abs(counts[A] - counts[B]) <= len(roster) % 2:
            return ()
        return (
            f"The game is made for equal groups, but this match has {counts[A]} players in group A and {counts[B]} in "
            "group B.",
        )
