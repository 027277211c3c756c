"""Each kind of announcement in one or a few plain sentences."""

from __future__ import annotations

from collections.abc import Callable

from matches.engine.sentences import Data, Name, Sentence, counted, joined


def _round_opened(data: Data, name: Name) -> str:
    text = f"Round {data['round']} of {data['rounds']} is open: {joined(map(str, data['numbers']))} can be bid on."
    return f"{text} Everybody gains {counted(data['income'], 'token')}." if data["income"] else text


def _number_sold(data: Data, name: Name) -> str:
    return (
        f"{name(data['player'])} takes {data['number']} with a bid of {data['bid']} and pays {_price(data['price'])}."
    )


def _price(price: int) -> str:
    return counted(price, "token") if price else "nothing"


def _numbers_won(data: Data, name: Name) -> str:
    won = [f"{lot['number']} for {_price(lot['price'])}" for lot in data["lots"]]
    return f"Round {data['round']}: you have won {joined(won)}."


def _bids_lost(data: Data, name: Name) -> str:
    parts = []
    if data["lost"]:
        parts.append(f"you did not win {joined(map(str, data['lost']), 'or')}")
    if data["dropped"]:
        many = len(data["dropped"]) > 1
        bids = f"your bid{'s' if many else ''} on {joined(map(str, data['dropped']))}"
        parts.append(f"{bids} {'were' if many else 'was'} dropped, because you did not have enough tokens")
    return f"Round {data['round']}: {'; '.join(parts)}."


_BECAUSE: dict[str, Callable[[int], str]] = {
    "lines": lambda count: f"with {counted(count, 'line')} that nobody else has",
    "conditions": lambda count: f"with {counted(count, 'condition')} met, after a tie in lines that nobody else has",
    "points": lambda count: f"with {counted(count, 'point')}, after a tie in lines and in conditions",
}


def _garnets_earned(data: Data, name: Name) -> str:
    conditions, lines = data["conditions"], data["lines"]
    for_what = [f"{counted(conditions, 'condition')} met"]
    for_what += [counted(lines, "line")] if lines else []
    return f"You earn {counted(conditions + lines, 'garnet')}, for {joined(for_what)}."


SENTENCES: dict[str, Sentence] = {
    "round_opened": _round_opened,
    "number_sold": _number_sold,
    "number_gone": lambda data, name: f"Nobody takes {data['number']}: it is gone.",
    "numbers_won": _numbers_won,
    "bids_lost": _bids_lost,
    "tokens_bought": lambda data, name: (
        f"You have bought {counted(data['tokens'], 'token')} for {counted(data['garnets'], 'garnet')}."
    ),
    "nobody_won": lambda data, name: (
        "Nobody wins the match: the best are equal in lines that nobody else has, in conditions and in points."
    ),
    "match_won": lambda data, name: f"{name(data['player'])} wins the match {_BECAUSE[data['by']](data['count'])}.",
    "garnets_earned": _garnets_earned,
}
