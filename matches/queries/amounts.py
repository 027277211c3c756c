"""Amounts as the database stores them, in the units and words that people use."""

from __future__ import annotations

from decimal import Decimal

from matches.engine.sentences import asset_name
from matches.models.ledger import shown_amount


def units(asset: str, amount: int) -> str:
    """An amount in stored units with its name: “3 garnets”, “1.5 blood garnets”."""
    shown = shown_amount(asset, amount)
    return asset_name(asset, plain(shown) if isinstance(shown, Decimal) else shown)


def asset_word(asset: str) -> str:
    """The name of an asset: “garnets”, “Tokens of Life”."""
    return asset_name(asset, 2).removeprefix("2 ")


def plain(amount: Decimal) -> Decimal:
    """A decimal without trailing zeros, and never as 1E+2."""
    return Decimal(format(amount.normalize(), "f"))


def plain_amount(amount: int | Decimal) -> str:
    """A stored amount as people count it."""
    return str(plain(amount)) if isinstance(amount, Decimal) else str(amount)
