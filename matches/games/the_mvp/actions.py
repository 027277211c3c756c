"""What players can do."""

from __future__ import annotations

from matches.engine.actions import Action, GiveTokens, Vote, action_types


class PlaceBids(Action, frozen=True, tag="bid"):
    """The player's sealed bids of this round, replacing earlier ones: place -> chips to add."""

    adds: dict[str, int]


class BuyChips(Action, frozen=True, tag="buy_chips"):
    """Buy chips for garnets."""

    count: int


class AskIdentity(Action, frozen=True, tag="ask_identity"):
    """Pay to learn which card lies at a place."""

    place: str


class AskLocation(Action, frozen=True, tag="ask_location"):
    """Pay to learn where a card lies."""

    card: str


# Winners always vote, even a single one, so nobody ever names the candidate.
ACTIONS = action_types(PlaceBids, BuyChips, AskIdentity, AskLocation, Vote, GiveTokens)
