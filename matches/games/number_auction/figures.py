"""What a finished match adds to the statistics."""

from __future__ import annotations

from matches.engine.figures import Figures
from matches.engine.views import Outcome
from matches.games.number_auction.public_view import NumbersPublic

_BY = {"lines": "lines that nobody else has", "conditions": "conditions met", "points": "points", "": "nobody won"}


def figures(view: NumbersPublic, outcome: Outcome) -> Figures:
    """In what the winner was ahead, with how many points, and what numbers cost."""
    result = view.result
    if result is None:
        return Figures()
    return Figures(
        values={
            "What decided": (_BY[result.decided_by],),
            "Points of the winner": tuple(rank.points for rank in result.ranks if rank.handle == result.winner),
            "Conditions met by the winner": tuple(
                rank.conditions for rank in result.ranks if rank.handle == result.winner
            ),
            "Points of everybody": tuple(rank.points for rank in result.ranks),
            "Price of a number": tuple(lot.price for lot in view.board if lot.price is not None),
        }
    )
