"""The sentences of Lowest Unique Integer's announcements, and the story of a finished match."""

from collections import Counter
from collections.abc import Iterator, Sequence

from matches.engine import notice_events as events
from matches.engine.core import TOL
from matches.engine.sentences import Data, Name, Told, asset_name, counted, joined
from matches.engine.step import Announcement
from matches.engine.story import CLOSEST, SWING, Story, TurningPoint, most_of
from matches.engine.views import Outcome
from matches.games.lowest_unique_integer.public_view import AuctionPublic, SeatView

# -- sentences -----------------------------------------------------------------------------------------


def _bid_placed(data: Data, name: Name) -> str:
    bid = f"{name(data['player'])} bids {data['amount']} on {data['seat']}"
    if data["sealed"]:
        bid += " with a sealed bid"
    return f"{bid} and outbids {name(data['outbid'])}." if data["outbid"] else f"{bid}."


_RAISE_ENDED = {
    "maximum": "Your standing raise there has reached its maximum of {up_to} and is over.",
    "chips": "Your standing raise there, up to {up_to}, is over: the next bid needs more chips than you have free.",
    "fee": "Your standing raise there, up to {up_to}, is over: you do not have the garnets that each bid now costs.",
}


def _outbid(data: Data, name: Name) -> str:
    outbid = (
        f"{name(data['by'])} outbids you on {data['seat']} with {data['amount']}. "
        f"Your {counted(data['own'], 'chip')} there {'is' if data['own'] == 1 else 'are'} free again."
    )
    why = data.get("raise_ended")
    return f"{outbid} {_RAISE_ENDED[why].format(up_to=data['up_to'])}" if why else outbid


def _raised(data: Data, name: Name) -> str:
    bid = f"Your standing raise up to {data['up_to']} bids {data['amount']} on {data['seat']} for you"
    return f"{bid}, over {name(data['over'])}'s {data['over_amount']}." if data["over"] else f"{bid}."


def _won(data: Data, who_wins: str, receives: str) -> str:
    gains = [counted(data["garnets"], "garnet")] if data["garnets"] else []
    gains += [f"{data['priority']} priority"] if data["priority"] else []
    prize = f" and {receives} {joined(gains)}" if gains else ""
    return f"{who_wins} {data['seat']} for {counted(data['amount'], 'chip')}{prize}."


_ENDINGS = {
    "all_won": "Every seat is won, so the auction is over.",
    "silence": "Nobody bid before the timer ran out, so the auction is over.",
    "stop": "The time for the auction is up, so everything stops.",
}


def _match_won(data: Data, name: Name) -> str:
    winner = f"{name(data['player'])} wins the match with {data['amount']} on {data['seat']}."
    if not data["tokens"]:
        return winner
    received = [f"{name(player)} {asset_name(TOL, count)}" for player, count in data["tokens"].items()]
    return f"{winner} The seat and its neighbours bring {joined(received)}."


def _priorities_settled(data: Data, name: Name) -> str:
    gained = [f"{name(player)} gains {amount}" for player, amount in data["gained"].items()]
    return f"The site has made all priorities different: {joined(gained)}."


TOLD: dict[str, Told] = {
    "auction_opened": Told(events.ROUND_OPENED, "The auction is open. You can bid on every seat."),
    "bid_placed": Told(events.ROUTINE, _bid_placed),
    "outbid": Told(events.OUTBID, _outbid),
    "raised": Told(events.ROUTINE, _raised),
    "bid_dropped": Told(
        events.LOST,
        "Your sealed bid of {amount} on {seat} broke a rule, so the site dropped it. {message}",
    ),
    "seat_won": Told(events.ROUTINE, lambda data, name: _won(data, f"{name(data['player'])} wins", "receives")),
    "won": Told(events.WON, lambda data, name: _won(data, "You have won", "received")),
    "bid_cancelled": Told(
        events.LOST,
        "Time is up, so the site has cancelled {player:name}'s bid of {amount} on {seat}.",
        "player",
    ),
    "auction_ended": Told(events.ROUND_CLOSED, lambda data, name: _ENDINGS[data["how"]]),
    "nobody_won": Told(events.ROUTINE, "No seat was won, so nobody wins the match."),
    "match_won": Told(events.ROUTINE, _match_won),
    "priorities_settled": Told(events.ROUTINE, _priorities_settled),
}


# -- story ---------------------------------------------------------------------------------------------

_FOUGHT_OVER = 3
"""The fewest bids on a seat that are worth telling."""


def story(view: AuctionPublic, outcome: Outcome, told: Sequence[Announcement], name: Name) -> Story:
    """The story: the biggest change of the lead, how close the second lowest bid was, the seat with the most bids, and
    the tokens of the neighbouring seats."""
    found = (
        most_of(_swings(told, name)),
        _closest(view, name),
        _fought_over(view, told, name),
        _neighbours(view, name),
    )
    return Story(tuple(moment for moment in found if moment), _lines(view, name))


def _swings(told: Sequence[Announcement], name: Name) -> Iterator[tuple[tuple[int, int], TurningPoint]]:
    """Yield each change of who had the lowest bid, weighted by how much the lowest amount changed, then by time."""
    board: dict[str, tuple[int, str]] = {}
    lead: tuple[int, str] | None = None
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
        text = (
            f"{name(lead[1])} took the lead from {name(before[1])}: the lowest bid went from {before[0]} to {lead[0]}."
        )
        yield (abs(lead[0] - before[0]), place), TurningPoint(SWING, text, (lead[1], before[1]), place)


def _won_seats(view: AuctionPublic) -> list[SeatView]:
    """The seats that were won, lowest amount first."""
    return sorted((seat for seat in view.seats if seat.state == "won"), key=lambda seat: seat.amount or 0)


def _closest(view: AuctionPublic, name: Name) -> TurningPoint | None:
    """How far the winning bid was below the lowest one of another player."""
    won = _won_seats(view)
    second = next((seat for seat in won if seat.player != won[0].player), None)
    if second is None or won[0].player is None or second.player is None:
        return None
    less = (second.amount or 0) - (won[0].amount or 0)
    text = f"{name(won[0].player)} won with {won[0].amount} on {won[0].seat}, {less} below "
    text += f"{name(second.player)}'s {second.amount} on {second.seat}."
    return TurningPoint(CLOSEST, text, (won[0].player, second.player))


def _fought_over(view: AuctionPublic, told: Sequence[Announcement], name: Name) -> TurningPoint | None:
    bids = Counter(item.data["seat"] for item in told if item.kind == "bid_placed")
    if not bids:
        return None
    seat, count = bids.most_common(1)[0]
    if count < _FOUGHT_OVER:
        return None
    last = next(each for each in view.seats if each.seat == seat)
    end = f"went to {name(last.player)} for {last.amount}" if last.state == "won" and last.player else "nobody won it"
    text = f"There were {count} bids on {seat}, and {'it ' if last.state == 'won' else ''}{end}."
    return TurningPoint("Fought over", text, (last.player,) if last.player else ())


def _neighbours(view: AuctionPublic, name: Name) -> TurningPoint | None:
    """Who got tokens for seats beside the winning one."""
    result = view.result
    awards = [each for each in result.awards if each.reason == "neighbour_token"] if result else []
    if not awards or result is None:
        return None
    got = Counter(each.player for each in awards)
    parts = [f"{count if count > 1 else 'one'} to {name(player)}" for player, count in got.items()]
    text = f"The seats beside {result.winning_seat} brought Tokens of Life: {joined(parts)}."
    return TurningPoint("Tokens of Life", text, tuple(got))


def _lines(view: AuctionPublic, name: Name) -> dict[str, str]:
    accounts = view.result.accounts if view.result else ()
    lines = {}
    for account in accounts:
        seats = [f"{seat.seat} for {seat.amount}" for seat in _won_seats(view) if seat.player == account.handle]
        won = f"won {joined(seats)}" if seats else "won no seat"
        lines[account.handle] = f"{won}; {counted(account.chips, 'chip')} left"
    return lines
