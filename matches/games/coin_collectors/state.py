"""What players submit, and the state of a match: everything that is needed to continue it."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from matches.engine.actions import Action, action_types
from matches.engine.core import Sealed, State
from matches.games.coin_collectors.config import Config
from matches.games.coin_collectors.prizes import COINS, HIGHER, NO_COINS, TARGETS, Coins, Goods, Prize, Sharing, Stake

# -- actions -------------------------------------------------------------------------------------------


class UsedItem(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One item in use. Which other fields are needed depends on the kind of item."""

    item: str
    auction: str | UnsetType = UNSET
    coin: str | UnsetType = UNSET
    source: str | UnsetType = msgspec.field(name="from", default=UNSET)

    def __post_init__(self) -> None:
        """Refuse fields that are missing or do not belong to the kind. The rules refuse unknown kinds."""
        wanted = TARGETS.get(self.item)
        if wanted is None:
            return
        given = {"auction": self.auction, "coin": self.coin, "from": self.source}
        for key, value in given.items():
            if (value is not UNSET) != (key in wanted):
                needs = " and ".join(f'"{target}"' for target in wanted) or "nothing else"
                raise ValueError(f'"{self.item}" comes with {needs}')
        if self.coin is not UNSET and self.coin not in COINS:
            raise ValueError('"coin" is "gold", "silver" or "bronze"')
        if self.source is not UNSET and self.source not in HIGHER:
            raise ValueError('"from" is "silver" or "bronze": gold is the highest kind')

    @staticmethod
    def needs(given: Mapping[str, Any]) -> tuple[str, ...]:
        """The fields that a form must fill in for an item of that kind."""
        return TARGETS.get(given.get("item", ""), ())

    @property
    def on(self) -> str | None:
        """The auction that the item is used on, or None."""
        return None if isinstance(self.auction, UnsetType) else self.auction

    @property
    def ghost(self) -> str | None:
        """The kind of coin that a ghost coin counts as, or None."""
        return None if isinstance(self.coin, UnsetType) else self.coin

    @property
    def changes(self) -> str | None:
        """The kind of coin that alchemy changes."""
        return None if isinstance(self.source, UnsetType) else self.source


def alchemised(items: tuple[UsedItem, ...]) -> tuple[str, ...]:
    """The kinds of coins that used items are to change, in order."""
    return tuple(used.changes for used in items if used.changes is not None)


class PlaceBids(Action, frozen=True, tag="bid"):
    """Everything that a player does in a round, sealed; replaces the player's earlier submission.

    `bids`: auction -> coins. Each `lift_` flag costs garnets when the round closes.
    """

    bids: dict[str, Coins]
    items: tuple[UsedItem, ...] = ()
    lift_auction_limit: bool = False
    lift_bid_limit: bool = False


class AskShares(Action, frozen=True, tag="shares"):
    """Ask how a prize would be shared if these were all the bids on it: bidder -> coins."""

    bids: dict[str, Coins]
    prize: Prize = Prize()


QUESTIONS = action_types(AskShares)


# -- state ---------------------------------------------------------------------------------------------


class Submission(msgspec.Struct, frozen=True):
    """A player's round: coins by auction (only positive amounts), and items in the order in which they work."""

    bids: dict[str, Coins] = {}
    items: tuple[UsedItem, ...] = ()
    lift_auction_limit: bool = False
    lift_bid_limit: bool = False

    def uses(self, kind: str) -> tuple[UsedItem, ...]:
        """The items of one kind, in order."""
        return tuple(used for used in self.items if used.item == kind)

    @property
    def alchemised(self) -> tuple[str, ...]:
        """The kinds of coins that alchemy is to change, in order."""
        return alchemised(self.items)

    @property
    def lifts(self) -> int:
        """How many limits are lifted for garnets."""
        return self.lift_auction_limit + self.lift_bid_limit

    def on(self, auction: str) -> Coins:
        """The coins bid on an auction."""
        return self.bids.get(auction, NO_COINS)


class Fate(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of a player's bid on an auction. `spent` coins are gone, except `insured` ones, which came back."""

    stake: Stake
    received: Goods = {}
    spent: Coins = NO_COINS
    insured: Coins = NO_COINS

    @property
    def returned(self) -> Coins:
        """The coins that are still the player's."""
        return self.stake.coins.minus(self.spent)


class Settled(msgspec.Struct, frozen=True):
    """A settled auction. `fates`: of its bidders, in list order."""

    name: str
    sharing: Sharing
    fates: dict[str, Fate]


class ClosedRound(msgspec.Struct, frozen=True):
    """A round that is over. `results`: its auctions, in order.

    `submissions`: those that counted. `dropped`: player -> the rule that their submission broke at the close.
    `changed`: player -> the kinds of coins that alchemy changed; alchemies beyond these were kept.
    """

    results: tuple[Settled, ...] = ()
    submissions: dict[str, Submission] = {}
    dropped: dict[str, str] = {}
    changed: dict[str, tuple[str, ...]] = {}


class Ending(msgspec.Struct, frozen=True):
    """How the play ended: who had the most gold and the most coins, and whether there were too many tokens."""

    most_gold: tuple[str, ...]
    most_coins: tuple[str, ...]
    nullified: bool


class CollectorsState(State[Config], frozen=True):
    """The state of a match of Coin Collectors.

    `round` counts from 1; it is 0 in the pregame and stays at the last one after the play. `sealed`: the running
    round's submissions. `closed`: the rounds that are over, first to last.
    """

    round: int = 0
    sealed: dict[str, Sealed[Submission]] = {}
    closed: tuple[ClosedRound, ...] = ()
    ending: Ending | None = None
