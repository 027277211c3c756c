"""What a finished match is remembered for, from the rounds and the bids that are opened at its end."""

from __future__ import annotations

from collections.abc import Sequence

from matches.engine.sentences import Name, counted, joined
from matches.engine.step import Announcement
from matches.engine.story import CLOSEST, SWING, Story, TurningPoint
from matches.engine.views import Outcome
from matches.games.number_auction.public_view import NumbersPublic
from matches.games.number_auction.result_views import ResultView
from matches.games.number_auction.scoring import ascending, score


def story(view: NumbersPublic, outcome: Outcome, told: Sequence[Announcement], name: Name) -> Story:
    """What decided it, the round that brought most points, the bid that won by least, the dearest number."""
    if view.result is None:
        return Story()
    found = (_decided(view.result, name), _swing(view, name), _closest(view.result, name), _dearest(view, told, name))
    lines = {
        rank.handle: f"{counted(rank.points, 'point')}, {counted(rank.conditions, 'condition')} met, "
        f"{counted(rank.unique_lines, 'line')} alone"
        for rank in view.result.ranks
    }
    return Story(tuple(moment for moment in found if moment), lines)


_AHEAD = {"lines": "unique_lines", "conditions": "conditions", "points": "points"}
_WORDS = {"lines": "line that nobody else has", "conditions": "condition", "points": "point"}
_MANY = {"lines": "lines that nobody else has"}


def _decided(result: ResultView, name: Name) -> TurningPoint | None:
    """By how much the winner was ahead, in what decided."""
    if result.winner is None or len(result.ranks) < 2:
        return None
    what, (first, second) = result.decided_by, result.ranks[:2]
    more = getattr(first, _AHEAD[what]) - getattr(second, _AHEAD[what])
    by = counted(more, _WORDS[what], _MANY.get(what, ""))
    text = f"{name(first.handle)} was ahead of {name(second.handle)} by {by}."
    return TurningPoint("What decided", text, (first.handle,))


def _swing(view: NumbersPublic, name: Name) -> TurningPoint | None:
    """The player who gained most points in one round."""
    owned: dict[str, tuple[int, ...]] = {sheet.handle: () for sheet in view.sheets}
    best: tuple[int, TurningPoint] | None = None
    for each in view.history:
        for handle in owned:
            taken = tuple(lot.number for lot in each.lots if lot.player == handle)
            if not taken:
                continue
            after = ascending((*owned[handle], *taken))
            gained = score(after).total - score(owned[handle]).total
            owned[handle] = after
            if best is None or gained > best[0]:
                text = f"Round {each.round} brought {name(handle)} {counted(gained, 'point')}, with "
                best = gained, TurningPoint(SWING, f"{text}{joined(map(str, taken))}.", (handle,), round=each.round)
    return best[1] if best else None


def _closest(result: ResultView, name: Name) -> TurningPoint | None:
    """The bid that won by least; of several the highest."""
    best: tuple[int, int, TurningPoint] | None = None
    for each in result.rounds:
        for won in (bid for bid in each.bids if bid.fate == "won"):
            others = [bid for bid in each.bids if bid.number == won.number and bid.fate == "lost"]
            second = max(others, key=lambda bid: bid.amount, default=None)
            if second is None:
                continue
            key = won.amount - second.amount, -won.amount
            if best is None or key < best[:2]:
                text = f"{name(won.player)} took {won.number} in round {each.round} with {won.amount}; "
                text += f"{name(second.player)} had bid {second.amount}."
                best = *key, TurningPoint(CLOSEST, text, (won.player, second.player), round=each.round)
    return best[2] if best else None


def _dearest(view: NumbersPublic, told: Sequence[Announcement], name: Name) -> TurningPoint | None:
    sold = [lot for each in view.history for lot in each.lots if lot.player and lot.price]
    if not sold:
        return None
    lot = max(sold, key=lambda each: each.price or 0)
    place = next(
        (n for n, item in enumerate(told) if item.kind == "number_sold" and item.data["number"] == lot.number), None
    )
    text = f"{name(lot.player or '')} paid {counted(lot.price or 0, 'token')} for {lot.number}, more than anybody else."
    return TurningPoint("Dearest number", text, (lot.player or "",), place)
