"""A bot that uses only what its player may see: it spreads its coins over the most valuable prizes.

It seals one submission in each round and keeps nothing between calls. Each draw's purpose names the round, so the same
views give the same submission.
"""

from datetime import timedelta
from itertools import islice

from matches.engine.actions import RawAction
from matches.engine.bots import Chance
from matches.engine.draw import Draw
from matches.games.coin_collectors.items import ITEMS, BotsRound
from matches.games.coin_collectors.private_view import CollectorsPrivate
from matches.games.coin_collectors.public_view import AuctionView, CollectorsPublic, RoundView
from matches.games.coin_collectors.shares import COINS, NO_COINS, Coins, one

WORTH = {"gold": 5, "silver": 3, "bronze": 2, "garnet": 2}
ITEM_WORTH = 2
"""The worth of an item while there are rounds left to use it in."""
RICH = 12
"""A prize of this worth or more deserves a gold coin, even if there is no gold in it."""
LIFTS_ONE_IN = 4


def action(public: CollectorsPublic, private: CollectorsPrivate, now: timedelta, draw: Draw) -> RawAction | None:
    """What the bot does: an action as JSON, or None to wait."""
    if public.current is None or private.submission is not None or not public.current.auctions:
        return None
    return _Plan(public, private, public.current, draw).submission()


class _Plan:
    """The submission that the bot is putting together."""

    def __init__(self, public: CollectorsPublic, private: CollectorsPrivate, this: RoundView, draw: Draw) -> None:
        self.public, self.private, self.this = public, private, this
        self.chance = Chance(draw, private.handle, f"round {this.number}")
        self.items = {item.item: item.count for item in private.items}
        self.used: list[dict[str, str]] = []
        self.left = private.coins
        self.bids: dict[str, Coins] = {}
        self.lift = False

    def submission(self) -> RawAction:
        """The whole submission, as JSON."""
        best = sorted(self.this.auctions, key=lambda auction: -self.worth(auction))
        chosen = best[: self.how_many(len(best))]
        each = self.coins_on_each(len(chosen))
        for auction in chosen:
            self.bid(auction, each)
        self.add_items()
        return {
            "type": "bid",
            "bids": {name: {coin: coins.of(coin) for coin in COINS} for name, coins in self.bids.items()},
            "items": self.used,
            "lift_auction_limit": self.lift,
            "lift_bid_limit": False,
        }

    def worth(self, auction: AuctionView) -> int:
        """The prize's value by rule of thumb, with a random part, so that not all bots do the same."""
        item = 0 if self.public.is_last else ITEM_WORTH
        worth = sum(thing.amount * WORTH.get(thing.asset, item) for thing in auction.prize)
        return worth + self.chance.below(RICH, f"whim {auction.name}")

    def how_many(self, auctions: int) -> int:
        """How many auctions to bid on: up to the limit, or beyond it if an item or a garnet can lift it."""
        limit, wanted = self.this.auction_limit, min(auctions, self.private.coins.total)
        if wanted <= limit or self.lifts_by_item("auction_limit"):
            return wanted
        affordable = self.private.may_lift > 0 and self.private.garnets >= max(self.public.limit_price, 1)
        if affordable and self.chance.one_in(LIFTS_ONE_IN, "lift"):
            self.lift = True
            return wanted
        return limit

    def coins_on_each(self, auctions: int) -> int:
        """The most coins to put on one auction."""
        total = self.private.coins.total
        fair = -(-total // auctions) if auctions else 0
        if fair > self.this.bid_limit and self.lifts_by_item("bid_limit"):
            return fair
        return min(fair, self.this.bid_limit)

    def bid(self, auction: AuctionView, most: int) -> None:
        """Bid up to `most` coins: gold only for a rich prize, with lower coins beside it (they come back anyway)."""
        rich = self.worth(auction) >= RICH or any(thing.asset == "gold" for thing in auction.prize)
        kinds = [coin for coin in COINS if self.left.of(coin) and (coin != "gold" or rich)]
        coins = NO_COINS
        for coin in kinds:
            share = self.left.of(coin) if coin == kinds[-1] else -(-self.left.of(coin) // 2)
            for _ in range(min(share, most - coins.total)):
                coins = coins.plus(one(coin))
        if coins.total:
            self.bids[auction.name] = coins
            self.left = self.left.minus(coins)

    # -- items -----------------------------------------------------------------------------------

    def use(self, item: str, **on: str) -> None:
        """Use an item."""
        self.items[item] -= 1
        self.used.append({"item": item, **on})

    def lifts_by_item(self, limit: str) -> bool:
        """Use an item that lifts a limit, if there is one."""
        lifter = next((kind for kind, count in self.items.items() if count and ITEMS[kind].lifts == limit), None)
        if lifter is not None:
            self.use(lifter)
        return lifter is not None

    def add_items(self) -> None:
        """Use the other items that the player holds, where they may help."""
        this = BotsRound(self.bids, self.left, self.this.auctions[0].name, self.public.is_last)
        for kind, item in ITEMS.items():
            for on in islice(item.tempts(this), self.items.get(kind, 0)):
                self.use(kind, **on)
