"""The ways in which a match can end that its scenarios must show, and the items that must be used in them."""

from collections.abc import Callable
from typing import Any

from matches.games.coin_collectors.items import KINDS


def _ends(gold: bool, coins: bool, nullified: bool) -> Callable[[Any], bool]:
    """Whether somebody has the most gold and the most coins, and whether that is too many Tokens of Life."""

    def is_shown(report: Any) -> bool:
        result = report["public"]["result"] or {}
        found = bool(result.get("most_gold")), bool(result.get("most_coins")), result.get("nullified")
        return found == (gold, coins, nullified)

    return is_shown


def _uses(item: str) -> Callable[[Any], bool]:
    def is_shown(report: Any) -> bool:
        accounts = [account for own in report["private"].values() for account in own["accounts"]]
        return any(used["item"] == item for account in accounts for used in account["items"])

    return is_shown


ENDINGS = {
    "winners of both kinds": _ends(True, True, False),
    "too many winners for Tokens of Life": _ends(True, True, True),
    "nobody has gold": _ends(False, True, False),
    "nobody has a coin": _ends(False, False, False),
    **{f"{item} is used": _uses(item) for item in KINDS},
}
