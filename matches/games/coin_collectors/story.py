"""The sentences of Coin Collectors' announcements, and the story of a finished match."""

from collections.abc import Iterator, Mapping, Sequence

from matches.engine import notice_events as events
from matches.engine.sentences import Data, Name, Told, asset_name, counted, joined
from matches.engine.step import Announcement
from matches.engine.story import SWING, Story, TurningPoint, most_of
from matches.engine.views import Outcome
from matches.games.coin_collectors.items import ITEMS, asset_of
from matches.games.coin_collectors.public_view import CollectorsPublic, OpenedAuction, ResultView
from matches.games.coin_collectors.shares import COINS, Coins

# -- sentences -----------------------------------------------------------------------------------------


def _goods(goods: Mapping[str, int], names: Mapping[str, str]) -> str:
    """Goods in words: `2 silver coins and 1 Fishing net`, or `nothing`."""
    return joined(_good(asset, amount, names) for asset, amount in goods.items()) if goods else "nothing"


def _good(asset: str, amount: int, names: Mapping[str, str]) -> str:
    return f"{amount} {names[asset]}" if asset in names else asset_name(asset, amount)


def _round_started(data: Data, name: Name) -> str:
    which = f"Round {data['round']} of {data['rounds']} has started"
    if not data["auctions"]:
        return f"{which}. It has no auctions."
    which += f". Up for auction: {joined(data['auctions'])}. You may bid"
    coins = counted(data["bid_limit"], "coin")
    if len(data["auctions"]) == 1:
        return f"{which} up to {coins} on it."
    some = "all" if data["auction_limit"] >= len(data["auctions"]) else data["auction_limit"]
    return f"{which} on {some} of them, up to {coins} on each."


def _round_account(data: Data, name: Name) -> str:
    parts = []
    for each in data["received"]:
        parts.append(f"{each['auction']} brought you {_goods(each['goods'], data['names'])}.")
    if not parts:
        parts = ["You bid on nothing."]
    if data["spent"]:
        parts.append(f"You spent {_goods(data['spent'], {})}.")
    for kind, item in ITEMS.items():
        parts += item.told(data, data["names"].get(asset_of(kind), item.words.name))
    return f"Round {data['round']} is closed. {' '.join(parts)}"


def _spied(data: Data, name: Name) -> str:
    if not data["bids"]:
        return f"You spied on {data['auction']}: nobody bid on it."
    bids = [f"{name(handle)} {_goods(coins, {})}" for handle, coins in data["bids"].items()]
    return f"You spied on {data['auction']}: {'; '.join(bids)}."


def _play_over(data: Data, name: Name) -> str:
    if not data["most_coins"]:
        return "All rounds are over. Nobody has a coin, so nobody wins."
    gold, most = data["most_gold"], data["most_coins"]
    parts = ["All rounds are over."]
    parts.append(f"Most gold: {joined(map(name, gold))}." if gold else "Nobody has any gold.")
    parts.append(f"Most coins: {joined(map(name, most))}.")
    if data["nullified"]:
        parts.append(f"That would make {len(gold) + len(most)} Tokens of Life, so nobody gets one.")
    return " ".join(parts)


TOLD: dict[str, Told] = {
    "round_started": Told(events.ROUND_OPENED, _round_started),
    "item_explained": Told(events.ROUTINE, "New: {name}. {description}"),
    "round_account": Told(events.ROUND_CLOSED, _round_account),
    "spied": Told(events.ROUND_CLOSED, _spied),
    "bids_dropped": Told(
        events.LOST,
        "Your sealed bids for round {round} did not count. {message}",
    ),
    "rounds_changed": Told(
        events.MOVED,
        "A host has changed the number of rounds. There are now {rounds:round}.",
    ),
    "play_over": Told(events.ROUND_CLOSED, _play_over),
}


# -- story ---------------------------------------------------------------------------------------------


def story(view: CollectorsPublic, outcome: Outcome, told: Sequence[Announcement], name: Name) -> Story:
    """The story: the richest share of an auction, how close the result was, and the most and least wanted auctions."""
    result = view.result
    if result is None:
        return Story()
    found = (most_of(_shares(result, name)), *_closest(result, name), _crowded(result), _unwanted(result))
    richest_first = sorted(result.standings, key=lambda each: each.total, reverse=True)
    lines = {each.handle: f"{counted(each.total, 'coin')}: {_coins(each.coins)}" for each in richest_first}
    return Story(tuple(moment for moment in found if moment), lines)


def _coins(coins: Coins) -> str:
    return joined(f"{coins.of(coin)} {coin}" for coin in COINS)


def _auctions(result: ResultView) -> Iterator[tuple[int, OpenedAuction]]:
    return ((each.number, auction) for each in result.rounds for auction in each.auctions)


def _shares(result: ResultView, name: Name) -> Iterator[tuple[int, TurningPoint]]:
    """What each player won in coins in each auction, as (number of coins, turning point)."""
    for number, auction in _auctions(result):
        for bid in auction.sharing.bids:
            got = dict.fromkeys(COINS, 0)
            for share in (share for tier in auction.sharing.tiers for share in tier.shares):
                for thing in share.received if share.handle == bid.handle else ():
                    if thing.asset in got:
                        got[thing.asset] += thing.amount
            won = Coins(**got)
            if won.total:
                text = f"{auction.name} in round {number} brought {name(bid.handle)} {won.words}, for a bid of "
                yield won.total, TurningPoint(SWING, f"{text}{bid.coins.words}.", (bid.handle,), round=number)


def _closest(result: ResultView, name: Name) -> Iterator[TurningPoint]:
    """How close the runners-up were to the most coins, and to the most gold."""
    for winners, what in ((result.most_coins, "coins"), (result.most_gold, "gold")):
        counts = {each.handle: each.total if what == "coins" else each.coins.gold for each in result.standings}
        others = [handle for handle in counts if handle not in winners]
        if not winners or not others:
            continue
        second = max(others, key=counts.__getitem__)
        more, each = counts[winners[0]] - counts[second], " each" if len(winners) > 1 else ""
        text = f"{joined(map(name, winners))}{each} ended with {counts[winners[0]]}, {more} more than {name(second)}."
        yield TurningPoint(f"Most {what}", text, winners)


def _crowded(result: ResultView) -> TurningPoint | None:
    number, auction = max(_auctions(result), key=lambda each: len(each[1].sharing.bids), default=(0, None))
    if auction is None or len(auction.sharing.bids) < 2:
        return None
    bids = auction.sharing.bids
    coins = sum(bid.coins.total for bid in bids)
    text = f"{len(bids)} players together bid {counted(coins, 'coin')} on {auction.name} in round {number}."
    return TurningPoint("Most wanted", text)


def _unwanted(result: ResultView) -> TurningPoint | None:
    """The first prize for which nobody bid."""
    found = [(number, auction) for number, auction in _auctions(result) if not auction.sharing.bids and auction.prize]
    if not found:
        return None
    number, auction = found[0]
    text = f"Nobody bid on {auction.name} in round {number}"
    return TurningPoint(
        "Left over", f"{text}." if len(found) == 1 else f"{text}, nor on {counted(len(found) - 1, 'other')}."
    )
