"""What a finished match is remembered for, from the public bids and the final board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from matches.engine.sentences import Name, counted, joined
from matches.engine.step import Announcement
from matches.engine.story import CLOSEST, SWING, Story, TurningPoint
from matches.engine.views import Outcome
from matches.games.lowest_unique_integer.public_view import AuctionPublic, SeatView

_FOUGHT_OVER = 3
"""So many bids on a seat are worth telling."""


def story(view: AuctionPublic, outcome: Outcome, told: Sequence[Announcement], name: Name) -> Story:
    """How the lead moved, how near the second lowest bid was, which seat was fought over, what the neighbours got."""
    found = (_swing(told, name), _closest(view, name), _fought_over(view, told, name), _neighbours(view, name))
    return Story(tuple(moment for moment in found if moment), _lines(view, name))


def _swing(told: Sequence[Announcement], name: Name) -> TurningPoint | None:
    """Of the changes of who had the lowest bid, the one at which the lowest amount changed most; of equals the last."""
    board: dict[str, tuple[int, str]] = {}
    lead: tuple[int, str] | None = None
    best: tuple[int, TurningPoint] | None = None
    for place, item in enumerate(told):
        if item.kind == "bid_placed":
            board[item.data["seat"]] = (item.data["amount"], item.data["player"])
        elif item.kind == "bid_cancelled":
            board.pop(item.data["seat"], None)
        else:
            continue
        before, lead = lead, min(board.values(), default=None)
        if before is None or lead is None or before[1] == lead[1]:
            continue
        size = abs(lead[0] - before[0])
        if best is None or size >= best[0]:
            text = f"{name(lead[1])} took the lead from {name(before[1])}: the lowest bid went from {before[0]} to "
            best = size, TurningPoint(SWING, f"{text}{lead[0]}.", (lead[1], before[1]), place)
    return best[1] if best else None


def _won(view: AuctionPublic) -> list[SeatView]:
    """The seats that were won, the lowest amount first."""
    return sorted((seat for seat in view.seats if seat.state == "won"), key=lambda seat: seat.amount or 0)


def _closest(view: AuctionPublic, name: Name) -> TurningPoint | None:
    """The lowest bid of somebody else, beside the one that won."""
    won = _won(view)
    second = next((seat for seat in won if seat.player != won[0].player), None)
    if second is None or won[0].player is None or second.player is None:
        return None
    less = (second.amount or 0) - (won[0].amount or 0)
    text = f"{name(won[0].player)} won with {won[0].amount} on {won[0].seat}, {less} below the {second.amount} of "
    return TurningPoint(CLOSEST, f"{text}{name(second.player)} on {second.seat}.", (won[0].player, second.player))


def _fought_over(view: AuctionPublic, told: Sequence[Announcement], name: Name) -> TurningPoint | None:
    bids = Counter(item.data["seat"] for item in told if item.kind == "bid_placed")
    if not bids:
        return None
    seat, count = bids.most_common(1)[0]
    if count < _FOUGHT_OVER:
        return None
    last = next(each for each in view.seats if each.seat == seat)
    end = f"went to {name(last.player)} for {last.amount}" if last.state == "won" and last.player else "nobody won it"
    text = f"There were {count} bids on {seat}; {'it ' if last.state == 'won' else ''}{end}."
    return TurningPoint("Fought over", text, (last.player,) if last.player else ())


def _neighbours(view: AuctionPublic, name: Name) -> TurningPoint | None:
    """Who got tokens for sitting beside the winner."""
    result = view.result
    awards = [each for each in result.awards if each.reason == "neighbour_token"] if result else []
    if not awards or result is None:
        return None
    got = Counter(each.player for each in awards)
    parts = [f"{name(player)} {count if count > 1 else 'one'}" for player, count in got.items()]
    text = f"The seats beside {result.winning_seat} brought Tokens of Life: {joined(parts)}."
    return TurningPoint("Tokens", text, tuple(got))


def _lines(view: AuctionPublic, name: Name) -> dict[str, str]:
    accounts = view.result.accounts if view.result else ()
    lines = {}
    for account in accounts:
        seats = [f"{seat.seat} for {seat.amount}" for seat in _won(view) if seat.player == account.handle]
        won = f"won {joined(seats)}" if seats else "won no seat"
        lines[account.handle] = f"{won}; {counted(account.chips, 'chip')} left"
    return lines
