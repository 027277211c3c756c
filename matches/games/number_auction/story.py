"""The sentences of Number Auction's announcements, and the story of a finished match."""

from collections.abc import Callable, Iterator, Sequence

from matches.engine import notice_events as events
from matches.engine.sentences import Data, Name, Told, counted, joined
from matches.engine.step import Announcement
from matches.engine.story import CLOSEST, SWING, Story, TurningPoint, most_of
from matches.engine.views import Outcome
from matches.games.number_auction.public_view import NumbersPublic, ResultView
from matches.games.number_auction.scoring import ascending, score

# -- sentences -----------------------------------------------------------------------------------------


def _round_opened(data: Data, name: Name) -> str:
    text = f"Round {data['round']} of {data['rounds']} is open: you can bid on {joined(map(str, data['numbers']))}."
    return f"{text} Everybody gains {counted(data['income'], 'token')}." if data["income"] else text


def _number_sold(data: Data, name: Name) -> str:
    return f"{name(data['player'])} wins {data['number']} with a bid of {data['bid']} and pays {_price(data['price'])}."


def _price(price: int) -> str:
    return counted(price, "token") if price else "nothing"


def _numbers_won(data: Data, name: Name) -> str:
    won = [f"{lot['number']} for {_price(lot['price'])}" for lot in data["lots"]]
    return f"Round {data['round']}: you have won {joined(won)}."


def _bids_lost(data: Data, name: Name) -> str:
    parts = []
    if data["lost"]:
        parts.append(f"you did not win {joined(map(str, data['lost']), 'or')}")
    if data["dropped"]:
        many = len(data["dropped"]) > 1
        bids = f"your bid{'s' if many else ''} on {joined(map(str, data['dropped']))}"
        parts.append(f"{bids} {'were' if many else 'was'} dropped, because you did not have enough tokens")
    return f"Round {data['round']}: {'; '.join(parts)}."


_BECAUSE: dict[str, Callable[[int], str]] = {
    "lines": lambda count: f"with {counted(count, 'line')} that nobody else has",
    "conditions": lambda count: f"with {counted(count, 'condition')} met, after a tie on unique lines",
    "points": lambda count: f"with {counted(count, 'point')}, after a tie on unique lines and conditions",
}


def _garnets_earned(data: Data, name: Name) -> str:
    conditions, lines = data["conditions"], data["lines"]
    for_what = [f"{counted(conditions, 'condition')} met"]
    for_what += [counted(lines, "line")] if lines else []
    return f"You earn {counted(conditions + lines, 'garnet')}, for {joined(for_what)}."


TOLD: dict[str, Told] = {
    "round_opened": Told(events.ROUND_OPENED, _round_opened),
    "number_sold": Told(events.ROUTINE, _number_sold),
    "number_gone": Told(events.ROUTINE, "Nobody wins {number}, so it is gone."),
    "numbers_won": Told(events.WON, _numbers_won),
    "bids_lost": Told(events.LOST, _bids_lost),
    "tokens_bought": Told(
        events.ROUTINE,
        "You have bought {tokens:token} for {garnets:garnet}.",
    ),
    "nobody_won": Told(
        events.ROUTINE,
        "Nobody wins the match: the leaders are tied on unique lines, conditions and points.",
    ),
    "match_won": Told(
        events.ROUTINE,
        lambda data, name: f"{name(data['player'])} wins the match {_BECAUSE[data['by']](data['count'])}.",
    ),
    "garnets_earned": Told(events.ROUTINE, _garnets_earned),
}


# -- story ---------------------------------------------------------------------------------------------


def story(view: NumbersPublic, outcome: Outcome, told: Sequence[Announcement], name: Name) -> Story:
    """The story: what decided the match, the best round of a player, the closest bid, and the most expensive number."""
    if view.result is None:
        return Story()
    swing, closest = most_of(_swings(view, name)), most_of(_close_bids(view.result, name))
    found = (_decided(view.result, name), swing, closest, _dearest(view, told, name))
    lines = {
        rank.handle: f"{counted(rank.points, 'point')}, {counted(rank.conditions, 'condition')} met, "
        f"{counted(rank.unique_lines, 'unique line')}"
        for rank in view.result.ranks
    }
    return Story(tuple(moment for moment in found if moment), lines)


_AHEAD = {"lines": "unique_lines", "conditions": "conditions", "points": "points"}
_WORDS = {"lines": "line that nobody else has", "conditions": "condition", "points": "point"}
_MANY = {"lines": "lines that nobody else has"}


def _decided(result: ResultView, name: Name) -> TurningPoint | None:
    """By how much the winner was ahead, in lines, conditions or points."""
    if result.winner is None or len(result.ranks) < 2:
        return None
    what, (first, second) = result.decided_by, result.ranks[:2]
    more = getattr(first, _AHEAD[what]) - getattr(second, _AHEAD[what])
    by = counted(more, _WORDS[what], _MANY.get(what, ""))
    text = f"{name(first.handle)} was ahead of {name(second.handle)} by {by}."
    return TurningPoint("What decided it", text, (first.handle,))


def _swings(view: NumbersPublic, name: Name) -> Iterator[tuple[int, TurningPoint]]:
    """Yield what each player gained in each round, as (points, turning point)."""
    owned: dict[str, tuple[int, ...]] = {sheet.handle: () for sheet in view.sheets}
    for each in view.history:
        for handle in owned:
            taken = tuple(lot.number for lot in each.lots if lot.player == handle)
            if not taken:
                continue
            after = ascending((*owned[handle], *taken))
            gained = score(after).total - score(owned[handle]).total
            owned[handle] = after
            numbers = f"number{'s' if len(taken) > 1 else ''} {joined(map(str, taken))}"
            text = f"Round {each.round} brought {name(handle)} {counted(gained, 'point')}, for {numbers}."
            yield gained, TurningPoint(SWING, text, (handle,), round=each.round)


def _close_bids(result: ResultView, name: Name) -> Iterator[tuple[tuple[int, int], TurningPoint]]:
    """Yield the winning bids, weighted by how small their margin was, then by their amount."""
    for each in result.rounds:
        for won in (bid for bid in each.bids if bid.fate == "won"):
            others = [bid for bid in each.bids if bid.number == won.number and bid.fate == "lost"]
            second = max(others, key=lambda bid: bid.amount, default=None)
            if second is None:
                continue
            text = f"{name(won.player)} took {won.number} in round {each.round} with a bid of {won.amount}. "
            text += f"{name(second.player)} had bid {second.amount}."
            point = TurningPoint(CLOSEST, text, (won.player, second.player), round=each.round)
            yield (second.amount - won.amount, won.amount), point


def _dearest(view: NumbersPublic, told: Sequence[Announcement], name: Name) -> TurningPoint | None:
    sold = [lot for each in view.history for lot in each.lots if lot.player and lot.price]
    if not sold:
        return None
    lot = max(sold, key=lambda each: each.price or 0)
    place = next(
        (n for n, item in enumerate(told) if item.kind == "number_sold" and item.data["number"] == lot.number), None
    )
    paid = counted(lot.price or 0, "token")
    text = f"{name(lot.player or '')} paid {paid}, the highest price, for number {lot.number}."
    return TurningPoint("Most expensive number", text, (lot.player or "",), place)
