"""What hosts can set: the keys and their defaults."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec

from matches.engine.options import Flag, Option, Span, Whole

DAY = timedelta(days=1)


class Config(msgspec.Struct, frozen=True):
    """The settings of one match; the table in this folder's README explains each."""

    tokens_a: int
    tokens_b: int
    first_round: timedelta
    round: timedelta
    decision_time: timedelta
    both_price: int
    tokens_per_garnet: int
    mass_win: int
    garnet_credit: bool

    def opens_at(self, number: int) -> timedelta:
        """The match time at which a round, counted from 1, begins; also when the one before it closes."""
        return timedelta() if number == 1 else self.first_round + (number - 2) * self.round

    def closes_at(self, number: int) -> timedelta:
        """The match time at which a round, counted from 1, closes if it runs its full time."""
        return self.opens_at(number + 1)


OPTIONS: tuple[Option, ...] = (
    Whole(key="tokens_a", label="Tokens in group A", help="What each player of group A starts with."),
    Whole(key="tokens_b", label="Tokens in group B", help="What each player of group B starts with."),
    Span(key="first_round", label="First round", help="How long the first round takes.", positive=True),
    Span(key="round", label="Later rounds", help="How long each later round takes.", positive=True),
    Whole(
        key="both_price",
        label="Price of both kinds",
        help="Garnets for voting on the stage and for group B in one round; taken when the round closes.",
    ),
    Whole(
        key="tokens_per_garnet",
        label="Tokens per garnet",
        help="In the end each player of group B gets a garnet for every so many tokens.",
        minimum=1,
    ),
    Whole(
        key="mass_win",
        label="Winners without Tokens of Life",
        help="A group with so many winners, or more, gets no Tokens of Life.",
        minimum=1,
    ),
    Flag(key="garnet_credit", label="Garnets on credit", help="Lets the price of both kinds take garnets below zero."),
    Span(
        key="decision_time",
        label="Time to decide",
        help="The one window for gifts of Tokens of Life and the votes for the Elimination Candidates.",
    ),
)


def default_values() -> dict[str, Any]:
    """Typed defaults of every key; none depends on what else is set."""
    return {
        "tokens_a": 5,
        "tokens_b": 1,
        "first_round": 2 * DAY,
        "round": DAY,
        "decision_time": DAY,
        "both_price": 1,
        "tokens_per_garnet": 7,
        "mass_win": 6,
        "garnet_credit": False,
    }
