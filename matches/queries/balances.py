"""Which balances are public. A game says which assets everybody can see; all others open when the match is over.

Until then hosts do not see them either, except by an explicit look, which is logged.
"""

from __future__ import annotations

from typing import TypeVar

from django.db.models import Model, Q, QuerySet

from matches.games.registry import all_games
from matches.models import Match

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
