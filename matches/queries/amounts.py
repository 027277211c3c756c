"""Amounts in the words that people use, and which balances everybody may know."""

from decimal import Decimal
from typing import TypeVar

from django.db.models import Model, Q, QuerySet

from matches.engine.sentences import asset_name
from matches.games.registry import all_games
from matches.models import Match
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


# -- balances --------------------------------------------------------------------------------------------
# Which balances are public. A game says which assets everybody can see; all others open when the match is over.
#
# Until then hosts do not see them either, except by an explicit look, which is logged.

M = TypeVar("M", bound=Model)


def is_open(match: Match, asset: str) -> bool:
    """Whether everybody may know how much of an asset each player of this match has."""
    return match.is_over or asset in match.rules.public_assets


def only_open(rows: QuerySet[M], match: str) -> QuerySet[M]:
    """The rows with a public `asset`. `match` is the lookup of a row's match."""
    found = Q(**{f"{match}__status__in": Match.OVER})
    for slug, game in all_games().items():
        found |= Q(**{f"{match}__game": slug, "asset__in": game.public_assets})
    return rows.filter(found)
