"""The actions and questions of Coin Collectors, and the state of a match."""

import msgspec

from matches.engine.actions import Action, action_types
from matches.engine.core import Sealed, State
from matches.games.coin_collectors.config import Config, Prize
from matches.games.coin_collectors.items import UsedItem
from matches.games.coin_collectors.shares import NO_COINS, Coins, Goods, Sharing, Stake, all_of, one

# -- actions -------------------------------------------------------------------------------------------


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
    """A player's submission for a round: auction -> coins (only positive amounts), and items in order of use."""

    bids: dict[str, Coins] = {}
    items: tuple[UsedItem, ...] = ()
    lift_auction_limit: bool = False
    lift_bid_limit: bool = False

    @property
    def lifts(self) -> int:
        """How many limits are lifted for garnets."""
        return self.lift_auction_limit + self.lift_bid_limit

    def used_on(self, auction: str) -> tuple[UsedItem, ...]:
        """The items used on an auction, in order."""
        return tuple(used for used in self.items if used.on == auction)

    def stake(self, auction: str) -> Stake:
        """The coins bid on an auction, and the ghost coins with them."""
        ghosts = all_of(one(used.ghost) for used in self.used_on(auction) if used.ghost)
        return Stake(self.bids.get(auction, NO_COINS), ghosts)


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
    """A settled auction. `fates`: bidder -> what became of their bid, in list order."""

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
