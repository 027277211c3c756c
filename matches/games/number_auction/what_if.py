"""What-ifs and forecasts, computed with the real scoring rules from what the asker may know."""

from __future__ import annotations

import msgspec

from matches.engine.actions import Action
from matches.engine.errors import NOT_POSITIVE, Rejected
from matches.engine.ledger import MOST
from matches.games.number_auction.actions import BuyTokens, PlaceBids, WhatIf
from matches.games.number_auction.auction import purchase_price
from matches.games.number_auction.bidding import UNKNOWN_NUMBER
from matches.games.number_auction.conditions import Holding
from matches.games.number_auction.private_view import BidsView, NumbersPrivate, measured
from matches.games.number_auction.public_view import NumbersPublic
from matches.games.number_auction.scoring import HIGHEST, NUMBERS, ascending
from matches.games.number_auction.sheet_views import SheetView, against, sheet


class WhatIfView(msgspec.Struct, frozen=True):
    """What the numbers asked about would score.

    `sheet`: points, grid and lines of just these numbers; `unique_lines`: those that no other player publicly has.
    `shared`: line -> the players who have it too. `tokens_known`: condition A2 uses the tokens asked about, or the
    player's own; false if there are neither. `change`: the difference from the player's points now, None for visitors.
    """

    sheet: SheetView
    shared: dict[str, tuple[str, ...]]
    tokens_known: bool
    change: int | None


class PurchaseView(msgspec.Struct, frozen=True):
    """The effect of a purchase: `tokens` for `price` garnets, the totals after it, and the next price."""

    tokens: int
    price: int
    tokens_after: int
    garnets_after: int
    next_price: int


def answer(question: Action, public: NumbersPublic | None, private: NumbersPrivate | None) -> WhatIfView:
    """The answer to a what-if. Raises `Rejected` (`unknown_number`, `not_positive`)."""
    if not isinstance(question, WhatIf):
        raise TypeError(f"{type(question).__name__} is not asked in this game")
    for number in question.numbers:
        if number not in NUMBERS:
            raise Rejected(UNKNOWN_NUMBER, f"The numbers are those from 1 to {HIGHEST}.", field="numbers")
    tokens = question.tokens
    if tokens is not None and not 0 <= tokens <= MOST:
        message = f"Tokens are a whole number, from 0 to {MOST}; leave them out for those that you have."
        raise Rejected(NOT_POSITIVE, message, field="tokens")
    if tokens is None and private is not None:
        tokens = private.tokens
    holding = Holding(ascending(question.numbers), tokens or 0, public.rounds_known if public else ())
    own = private.handle if private else ""
    lines = {each.handle: each.lines for each in public.sheets if each.handle != own} if public else {}
    found = against(sheet(own, holding, public.obtainable if public else tuple(NUMBERS)), lines)
    return WhatIfView(
        sheet=found,
        shared={
            line: who for line in found.lines if (who := tuple(p for p, theirs in lines.items() if line in theirs))
        },
        tokens_known=tokens is not None,
        change=found.points.total - private.sheet.points.total if private else None,
    )


def forecast(public: NumbersPublic, private: NumbersPrivate, action: Action) -> BidsView | PurchaseView | None:
    """The effect of bids or a purchase; None for other actions."""
    if isinstance(action, PlaceBids):
        return measured({int(name): amount for name, amount in action.bids.items() if amount > 0}, private.tokens)
    if isinstance(action, BuyTokens):
        brings, price = private.tokens_per_purchase, private.next_price
        return PurchaseView(
            tokens=brings,
            price=price,
            tokens_after=private.tokens + brings,
            garnets_after=private.garnets - price,
            next_price=purchase_price(private.bought + 1),
        )
    return None
