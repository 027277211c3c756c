"""The settings that hosts can choose."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from matches.engine.match_time import DAY, NO_TIME
from matches.engine.roster import Roster
from matches.engine.settings import Flag, Settings, Span, Whole
from matches.games.together_we_survive import groups


class Config(Settings, frozen=True, kw_only=True):
    """The settings of one match; the table in this folder's README explains each."""

    tokens_a: Annotated[int, Whole("Tokens in group A", "What each player of group A starts with.")] = 5
    tokens_b: Annotated[int, Whole("Tokens in group B", "What each player of group B starts with.")] = 1
    first_round: Annotated[timedelta, Span("First round", "How long the first round takes.", positive=True)] = 2 * DAY
    round: Annotated[timedelta, Span("Later rounds", "How long each later round takes.", positive=True)] = DAY
    decision_time: Annotated[
        timedelta,
        Span(
            "Time to decide",
            "The one window for gifts of Tokens of Life and the votes for the Elimination Candidates.",
        ),
    ] = DAY
    both_price: Annotated[
        int,
        Whole(
            "Price of both kinds",
            "Garnets for voting on the stage and for group B in one round; taken when the round closes.",
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
            "Winners without Tokens of Life",
            "A group with this many winners or more gets no Tokens of Life.",
            minimum=1,
        ),
    ] = 6
    garnet_credit: Annotated[
        bool, Flag("Garnets on credit", "Lets the price of both kinds take garnets below zero.")
    ] = False

    def unusual(self, roster: Roster) -> tuple[str, ...]:
        return groups.unusual(roster)

    def opens_at(self, number: int) -> timedelta:
        """The match time at which a round, counted from 1, begins and the one before it closes."""
        return NO_TIME if number == 1 else self.first_round + (number - 2) * self.round

    def closes_at(self, number: int) -> timedelta:
        """The match time at which a round, counted from 1, closes if it runs its full time."""
        return self.opens_at(number + 1)
