"""Rounds that look unlike the usual ones, for tests that look at pages."""

from __future__ import annotations

from typing import Any

from matches.games.coin_collectors.items import KINDS

_EVERYTHING = {"gold": 9, "silver": 30, "bronze": 120, "garnet": 7, "items": dict.fromkeys(KINDS, 2)}
_LONG = "The old warehouse by the northern harbour"[:40].strip()


def _auctions(number: int, count: int) -> list[dict[str, Any]]:
    return [{"name": f"Stall {number}.{place}", "prize": {"gold": place % 4}} for place in range(1, count + 1)]


CONFIGS: dict[str, dict[str, Any]] = {
    "rounds of many and of one": {
        "rounds": [{"auctions": _auctions(number, count)} for number, count in enumerate((1, 12, 2, 30), 1)]
    },
    "a prize of everything": {
        "rounds": [
            {"auctions": [{"name": "Bakery"}, {"name": _LONG, "prize": _EVERYTHING}]},
            {"auctions": [{"name": "Everything again", "prize": _EVERYTHING}]},
        ]
    },
    "no items": {
        "items": dict.fromkeys(KINDS),
        "rounds": [{"auctions": _auctions(number, 3)} for number in (1, 2, 3)],
    },
}
