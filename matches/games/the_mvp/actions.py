"""What players can do."""

from __future__ import annotations

from matches.engine.actions import Action, GiveTokens, Vote, action_types


class PlaceBids(Action, frozen=True, tag="bid"):
    """The sealed submission of this round, replacing an earlier one: place -> chips added to one's standing bid."""

    adds: dict[str, int]


class BuyChips(Action, frozen=True, tag="buy_chips"):
    """Buy chips for garnets."""

    count: int


class AskIdentity(Action, frozen=True, tag="ask_identity"):
    """Buy the answer to which card lies at a place."""

    place: str


class AskLocation(Action, frozen=True, tag="ask_location"):
    """Buy the answer to where a card lies."""

    card: str


# Winners always vote, one alone too, so nobody ever names.
ACTIONS = action_types(PlaceBids, BuyChips, AskIdentity, AskLocation, Vote, GiveTokens)
