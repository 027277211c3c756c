"""The settings of a season."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from matches.engine.match_time import DAY
from matches.engine.settings import Choice, Flag, Settings, Span

LOST, KEPT, TO_WINNER = "lost", "kept", "winner"
BY_CANDIDATE, BY_HOST, NOBODY = "candidate", "host", "none"
AUTOMATIC, CONFIRMED = "automatic", "confirmed"


class SeasonSettings(Settings, frozen=True, kw_only=True):
    """What hosts choose before a season begins."""

    loser_garnets: Annotated[
        str,
        Choice(
            "Garnets of a member who goes out",
            "They are lost to the bank, kept, or go to the winner of the Death Match.",
            choices=(LOST, KEPT, TO_WINNER),
        ),
    ] = LOST
    opponent: Annotated[
        str,
        Choice(
            "Who names the opponent in the Death Match",
            "The candidate or a host. With none there is no Death Match, and the candidate goes out.",
            choices=(BY_CANDIDATE, BY_HOST, NOBODY),
        ),
    ] = BY_CANDIDATE
    decision_time: Annotated[timedelta, Span("Time to name the opponent", "After it the opponent is drawn.")] = DAY
    settlement: Annotated[
        str,
        Choice(
            "Settlement of a match",
            "At its end by itself, or when a host has confirmed it.",
            choices=(AUTOMATIC, CONFIRMED),
        ),
    ] = AUTOMATIC
    garnet_credit: Annotated[
        bool, Flag("Garnets on credit", "Lets garnets go below zero, in all matches of the season.")
    ] = False
