"""What a finished match adds to the statistics."""

from __future__ import annotations

from matches.engine.figures import Figures
from matches.engine.views import Outcome
from matches.games.lowest_unique_integer.public_view import AuctionPublic

_ENDINGS = {"all_won": "every seat was won", "silence": "nobody bid any more", "stop": "the latest end"}


def figures(view: AuctionPublic, outcome: Outcome) -> Figures:
    """How it was won, what was sealed first, what seats cost. Sealed bids are open by now."""
    result = view.result
    accounts = result.accounts if result else ()
    return Figures(
        view.variant,
        {
            "Winning bid": (result.winning_amount or "nobody won",) if result else (),
            "Winning seat": (result.winning_seat,) if result and result.winning_seat else (),
            "First (sealed) bid": tuple(each.sealed.amount for each in accounts if each.sealed),
            "What a seat was won for": tuple(seat.amount for seat in view.seats if seat.state == "won" and seat.amount),
            "Chips left": tuple(each.chips for each in accounts),
            "How the auction ended": (_ENDINGS.get(view.ending, view.ending),),
        },
    )
