"""What a finished match is remembered for, from the auctions that are opened at its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from matches.engine.sentences import Name, counted, joined
from matches.engine.step import Announcement
from matches.engine.story import SWING, Story, TurningPoint
from matches.engine.views import Outcome
from matches.games.coin_collectors.coins import COINS, Coins
from matches.games.coin_collectors.public_view import CollectorsPublic
from matches.games.coin_collectors.result_views import OpenedAuction, ResultView


def story(view: CollectorsPublic, outcome: Outcome, told: Sequence[Announcement], name: Name) -> Story:
    """The richest share of one auction, how near it was, the auction that most bid on, and one that nobody wanted."""
    result = view.result
    if result is None:
        return Story()
    found = (_swing(result, name), *_closest(result, name), _crowded(result), _unwanted(result))
    richest_first = sorted(result.standings, key=lambda each: each.total, reverse=True)
    lines = {each.handle: f"{counted(each.total, 'coin')}: {_coins(each.coins)}" for each in richest_first}
    return Story(tuple(moment for moment in found if moment), lines)


def _coins(coins: Coins) -> str:
    return joined(f"{coins.of(coin)} {coin}" for coin in COINS)


def _auctions(result: ResultView) -> Iterator[tuple[int, OpenedAuction]]:
    return ((each.number, auction) for each in result.rounds for auction in each.auctions)


def _swing(result: ResultView, name: Name) -> TurningPoint | None:
    """The player who got most coins from one auction."""
    best: tuple[int, TurningPoint] | None = None
    for number, auction in _auctions(result):
        for bid in auction.sharing.bids:
            got = dict.fromkeys(COINS, 0)
            for share in (share for tier in auction.sharing.tiers for share in tier.shares):
                for thing in share.received if share.handle == bid.handle else ():
                    if thing.asset in got:
                        got[thing.asset] += thing.amount
            count = sum(got.values())
            if count and (best is None or count > best[0]):
                coins = joined(f"{amount} {coin}" for coin, amount in got.items() if amount)
                text = f"{auction.name} in round {number} brought {name(bid.handle)} {coins}, for a bid of "
                spent = joined(f"{bid.coins.of(coin)} {coin}" for coin in COINS if bid.coins.of(coin))
                best = count, TurningPoint(SWING, f"{text}{spent}.", (bid.handle,), round=number)
    return best[1] if best else None


def _closest(result: ResultView, name: Name) -> Iterator[TurningPoint]:
    """How near the next ones were to the most coins, and to the most gold."""
    for winners, what in ((result.most_coins, "coins"), (result.most_gold, "gold")):
        counts = {each.handle: each.total if what == "coins" else each.coins.gold for each in result.standings}
        others = [handle for handle in counts if handle not in winners]
        if not winners or not others:
            continue
        second = max(others, key=counts.__getitem__)
        more = counts[winners[0]] - counts[second]
        text = f"{joined(map(name, winners))} ended with {counts[winners[0]]}, {more} more than {name(second)}."
        yield TurningPoint(f"Most {what}", text, winners)


def _crowded(result: ResultView) -> TurningPoint | None:
    number, auction = max(_auctions(result), key=lambda each: len(each[1].sharing.bids), default=(0, None))
    if auction is None or len(auction.sharing.bids) < 2:
        return None
    bids = auction.sharing.bids
    coins = sum(bid.coins.total for bid in bids)
    text = f"{len(bids)} players bid {counted(coins, 'coin')} on {auction.name} in round {number}."
    return TurningPoint("Most wanted", text)


def _unwanted(result: ResultView) -> TurningPoint | None:
    """The prize that nobody bid for."""
    found = [(number, auction) for number, auction in _auctions(result) if not auction.sharing.bids and auction.prize]
    if not found:
        return None
    number, auction = found[0]
    text = f"Nobody bid on {auction.name} in round {number}"
    return TurningPoint("Left over", f"{text}." if len(found) == 1 else f"{text}, nor on {len(found) - 1} more.")
