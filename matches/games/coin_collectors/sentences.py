"""Each kind of announcement in one or a few plain sentences."""

from __future__ import annotations

from collections.abc import Mapping

from matches.engine.sentences import Data, Name, Sentence, asset_name, counted, joined
from matches.games.coin_collectors.items import ALCHEMY, INSURANCE, USUAL_WORDS, asset_of


def _goods(goods: Mapping[str, int], names: Mapping[str, str]) -> str:
    """`2 silver coins and 1 Fishing net`; `nothing`."""
    return joined(_good(asset, amount, names) for asset, amount in goods.items()) if goods else "nothing"


def _good(asset: str, amount: int, names: Mapping[str, str]) -> str:
    return f"{amount} {names[asset]}" if asset in names else asset_name(asset, amount)


def _round_started(data: Data, name: Name) -> str:
    which = f"Round {data['round']} of {data['rounds']} has started"
    if not data["auctions"]:
        return f"{which}. Nothing is auctioned in it."
    which += f". Up for auction: {joined(data['auctions'])}. You may bid"
    coins = counted(data["bid_limit"], "coin")
    if len(data["auctions"]) == 1:
        return f"{which} {coins} on it at most."
    some = "all" if data["auction_limit"] >= len(data["auctions"]) else data["auction_limit"]
    return f"{which} on {some} of them, {coins} on each at most."


def _round_account(data: Data, name: Name) -> str:
    parts = []
    for each in data["received"]:
        parts.append(f"{each['auction']} brought you {_goods(each['goods'], data['names'])}.")
    if not parts:
        parts = ["You bid on nothing."]
    if data["spent"]:
        parts.append(f"You spent {_goods(data['spent'], {})}.")
    if data["insured"]:
        name_of_it = data["names"].get(asset_of(INSURANCE), USUAL_WORDS[INSURANCE].name)
        parts.append(f"{name_of_it} brought {_goods(data['insured'], {})} back.")
    for coin in data["changed"]:
        parts.append(f"1 {coin} coin became {'gold' if coin == 'silver' else 'silver'}.")
    if data["kept"]:
        usual = USUAL_WORDS[ALCHEMY].name
        called = data["names"].get(asset_of(ALCHEMY), usual)
        parts.append(f"There was nothing to change with {called if called != usual else 'alchemy'}, so you keep it.")
    return f"Round {data['round']} is closed. {' '.join(parts)}"


def _spied(data: Data, name: Name) -> str:
    if not data["bids"]:
        return f"What you spied on {data['auction']}: nobody bid on it."
    bids = [f"{name(handle)} {_goods(coins, {})}" for handle, coins in data["bids"].items()]
    return f"What you spied on {data['auction']}: {'; '.join(bids)}."


def _play_over(data: Data, name: Name) -> str:
    if not data["most_coins"]:
        return "All rounds are over. Nobody has any coin, so nobody wins."
    gold, most = data["most_gold"], data["most_coins"]
    parts = ["All rounds are over."]
    parts.append(f"Most gold: {joined(map(name, gold))}." if gold else "Nobody has any gold.")
    parts.append(f"Most coins: {joined(map(name, most))}.")
    if data["nullified"]:
        parts.append(f"That would make {len(gold) + len(most)} Tokens of Life, so nobody gets one.")
    return " ".join(parts)


SENTENCES: dict[str, Sentence] = {
    "round_started": _round_started,
    "item_explained": lambda data, name: f"New: {data['name']}. {data['description']}",
    "round_account": _round_account,
    "spied": _spied,
    "bids_dropped": lambda data, name: (
        f"What you had sealed for round {data['round']} did not count when it closed. {data['message']}"
    ),
    "rounds_changed": lambda data, name: (
        f"A host has changed how long the play lasts: there are now {counted(data['rounds'], 'round')}."
    ),
    "play_over": _play_over,
}
