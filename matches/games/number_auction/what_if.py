"""What-ifs and forecasts, computed with the real scoring rules from what the asker may know."""

from collections.abc import Iterable

import msgspec

from matches.engine.actions import Action
from matches.engine.core import MOST
from matches.engine.errors import NOT_POSITIVE, Rejected
from matches.games.number_auction.bidding import UNKNOWN_NUMBER, BuyTokens, PlaceBids, WhatIf
from matches.games.number_auction.conditions import Holding
from matches.games.number_auction.private_view import BidsView, NumbersPrivate, measured
from matches.games.number_auction.public_view import NumbersPublic
from matches.games.number_auction.scoring import HIGHEST, NUMBERS, ascending
from matches.games.number_auction.sheet_views import SheetView, against, sheet


class WhatIfView(msgspec.Struct, frozen=True):
    """What the numbers asked about would score.

    `sheet`: points, grid and lines of just these numbers; its `unique_lines` are those that no other player publicly
    has. `shared`: line -> the players who have it too. `tokens_known`: whether condition A2 could use tokens, either
    those asked about or the player's own. `change`: the difference from the player's present points, None for visitors.
    """

    sheet: SheetView
    shared: dict[str, tuple[str, ...]]
    tokens_known: bool
    change: int | None


class WonView(msgspec.Struct, frozen=True):
    """The player's sheet if every bid that goes through won, each for its own amount.

    `points`: the new total, of which `gained` are new. `conditions`: how many would be met; `met`, `lost`: those that
    would change. `lines`: those that would be newly full; `broken`: those no longer full; `alone`: how many full lines
    nobody else has.
    """

    points: int
    gained: int
    conditions: int
    met: tuple[str, ...]
    lost: tuple[str, ...]
    lines: tuple[str, ...]
    broken: tuple[str, ...]
    alone: int


class BidsForecast(BidsView, frozen=True):
    """Bids compared with the player's tokens, and the sheet if they won; `won` is None if no bid goes through."""

    won: WonView | None = None


class PurchaseView(msgspec.Struct, frozen=True):
    """The effect of a purchase: `tokens` for `price` garnets, and how many tokens the player then has."""

    tokens: int
    price: int
    tokens_after: int


def answer(question: Action, public: NumbersPublic | None, private: NumbersPrivate | None) -> WhatIfView:
    """The answer to a what-if. Raises `Rejected` (`unknown_number`, `not_positive`)."""
    if not isinstance(question, WhatIf):
        raise TypeError(f"{type(question).__name__} is not asked in this game")
    for number in question.numbers:
        if number not in NUMBERS:
            raise Rejected(UNKNOWN_NUMBER, f"Choose numbers from 1 to {HIGHEST}.", field="numbers")
    tokens = question.tokens
    if tokens is not None and not 0 <= tokens <= MOST:
        message = f"Enter a whole number of tokens from 0 to {MOST}, or leave this empty to use those you have."
        raise Rejected(NOT_POSITIVE, message, field="tokens")
    if tokens is None and private is not None:
        tokens = private.tokens
    lines = _lines_of_others(public, private.handle if private else "")
    found = _sheet_of(question.numbers, tokens or 0, public, private)
    return WhatIfView(
        sheet=found,
        shared={
            line: who for line in found.lines if (who := tuple(p for p, theirs in lines.items() if line in theirs))
        },
        tokens_known=tokens is not None,
        change=found.points.total - private.sheet.points.total if private else None,
    )


def _lines_of_others(public: NumbersPublic | None, own: str) -> dict[str, tuple[str, ...]]:
    return {each.handle: each.lines for each in public.sheets if each.handle != own} if public else {}


def _sheet_of(
    numbers: Iterable[int], tokens: int, public: NumbersPublic | None, private: NumbersPrivate | None
) -> SheetView:
    """The sheet with these numbers and tokens, compared with the sheets of the other players."""
    own = private.handle if private else ""
    holding = Holding(ascending(numbers), tokens, public.rounds_known if public else ())
    found = sheet(own, holding, public.obtainable if public else tuple(NUMBERS))
    return against(found, _lines_of_others(public, own))


def forecast(public: NumbersPublic, private: NumbersPrivate, action: Action) -> BidsForecast | PurchaseView | None:
    """The effect of bids or a purchase; None for other actions."""
    if isinstance(action, PlaceBids):
        bids = measured({int(name): amount for name, amount in action.bids.items() if amount > 0}, private.tokens)
        won = _won(bids, public, private) if len(bids.dropped) < len(bids.bids) else None
        return BidsForecast(bids.bids, bids.spent, bids.left, bids.dropped, won=won)
    if isinstance(action, BuyTokens):
        brings, price = private.tokens_per_purchase, private.next_price
        return PurchaseView(
            tokens=brings,
            price=price,
            tokens_after=private.tokens + brings,
        )
    return None


def _won(bids: BidsView, public: NumbersPublic, private: NumbersPrivate) -> WonView:
    now, going = private.sheet, [bid.number for bid in bids.bids if bid.goes_through]
    then = _sheet_of((*now.numbers, *going), bids.left, public, private)
    return WonView(
        points=then.points.total,
        gained=then.points.total - now.points.total,
        conditions=len(then.conditions),
        met=_only(then.conditions, now.conditions),
        lost=_only(now.conditions, then.conditions),
        lines=_only(then.lines, now.lines),
        broken=_only(now.lines, then.lines),
        alone=len(then.unique_lines),
    )


def _only(these: tuple[str, ...], those: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(each for each in these if each not in those)
