"""Each kind of announcement in one plain sentence."""

from __future__ import annotations

from matches.engine.ledger import TOL
from matches.engine.sentences import Data, Name, Sentence, asset_name, counted, joined


def _bid_placed(data: Data, name: Name) -> str:
    bid = f"{name(data['player'])} bids {data['amount']} on {data['seat']}"
    if data["sealed"]:
        bid += " with a sealed bid"
    return f"{bid} and outbids {name(data['outbid'])}." if data["outbid"] else f"{bid}."


_RAISE_ENDED = {
    "maximum": "Your standing raise there has reached its maximum of {up_to} and is over.",
    "chips": "Your standing raise there, up to {up_to}, is over: the next bid takes more chips than you have free.",
    "fee": "Your standing raise there, up to {up_to}, is over: you do not have the garnets that each bid now costs.",
}


def _outbid(data: Data, name: Name) -> str:
    outbid = (
        f"{name(data['by'])} outbids you on {data['seat']} with {data['amount']}; "
        f"your {counted(data['own'], 'chip')} there {'is' if data['own'] == 1 else 'are'} free again."
    )
    why = data.get("raise_ended")
    return f"{outbid} {_RAISE_ENDED[why].format(up_to=data['up_to'])}" if why else outbid


def _raised(data: Data, name: Name) -> str:
    bid = f"Your standing raise up to {data['up_to']} bids {data['amount']} on {data['seat']} for you"
    return f"{bid}, over {name(data['over'])}'s {data['over_amount']}." if data["over"] else f"{bid}."


def _prize(data: Data) -> str:
    gains = [counted(data["garnets"], "garnet")] if data["garnets"] else []
    gains += [f"{data['priority']} priority"] if data["priority"] else []
    return joined(gains) if gains else ""


def _seat_won(data: Data, name: Name) -> str:
    won = f"{name(data['player'])} wins {data['seat']} for {counted(data['amount'], 'chip')}"
    prize = _prize(data)
    return f"{won} and receives {prize}." if prize else f"{won}."


def _won(data: Data, name: Name) -> str:
    won = f"You have won {data['seat']} for {counted(data['amount'], 'chip')}"
    prize = _prize(data)
    return f"{won} and received {prize}." if prize else f"{won}."


_ENDINGS = {
    "all_won": "Every seat is won: the auction is over.",
    "silence": "Nobody has bid for the length of the bid timer: the auction is over.",
    "stop": "The auction has reached its latest end: everything stops.",
}


def _match_won(data: Data, name: Name) -> str:
    winner = f"{name(data['player'])} wins the match with {data['amount']} on {data['seat']}."
    if not data["tokens"]:
        return winner
    received = [f"{name(player)} {asset_name(TOL, count)}" for player, count in data["tokens"].items()]
    return f"{winner} The seat and its neighbours bring {joined(received)}."


def _priorities_settled(data: Data, name: Name) -> str:
    gained = [f"{name(player)} gains {amount}" for player, amount in data["gained"].items()]
    return f"Shared priorities are made unique: {joined(gained)}."


SENTENCES: dict[str, Sentence] = {
    "auction_opened": lambda data, name: "The auction is open: every seat can be bid on.",
    "bid_placed": _bid_placed,
    "outbid": _outbid,
    "raised": _raised,
    "bid_dropped": lambda data, name: (
        f"Your sealed bid of {data['amount']} on {data['seat']} was dropped when it was judged. {data['message']}"
    ),
    "seat_won": _seat_won,
    "won": _won,
    "bid_cancelled": lambda data, name: (
        f"{name(data['player'])}'s bid of {data['amount']} on {data['seat']} is cancelled."
    ),
    "chips_bought": lambda data, name: (
        f"You have bought {counted(data['count'], 'chip')} for {counted(data['garnets'], 'garnet')}."
    ),
    "auction_ended": lambda data, name: _ENDINGS[data["how"]],
    "nobody_won": lambda data, name: "No seat was won: nobody wins the match.",
    "match_won": _match_won,
    "priorities_settled": _priorities_settled,
}
