"""What happens at deadlines: the auction opens, bids win seats, and the auction ends, and with it the play."""

from collections import Counter
from collections.abc import Mapping
from datetime import timedelta

from matches.engine import decisions
from matches.engine.core import PREGAME, PRIORITY, RUNNING, TOL, replace, with_least, with_most, without_immune
from matches.engine.draw import Draw
from matches.engine.errors import Rejected
from matches.engine.polls import naming
from matches.engine.step import Turn
from matches.games.lowest_unique_integer.auction import Auction
from matches.games.lowest_unique_integer.config import Config, Grid
from matches.games.lowest_unique_integer.state import CHIP, AuctionState, Bid, Ending

# -- result --------------------------------------------------------------------------------------------


def winning_seat(won: Mapping[str, Bid]) -> str | None:
    """The seat of the lowest winning bid; None if no seat is won."""
    return min(won, key=lambda seat: won[seat].amount, default=None)


def token_sources(grid: Grid, winner_tokens: int, won: Mapping[str, Bid]) -> list[tuple[str, str, int, str]]:
    """Every award of Tokens of Life: (seat, player, count, reason), the winning seat first.

    A neighbouring seat that nobody won gives its token to the winner.
    """
    seat = winning_seat(won)
    if seat is None:
        return []
    winner = won[seat].player
    awards = [(seat, winner, winner_tokens, "winner_tokens")]
    for neighbour in grid.neighbours[seat]:
        if neighbour in won:
            awards.append((neighbour, won[neighbour].player, 1, "neighbour_token"))
        else:
            awards.append((neighbour, winner, 1, "unclaimed_neighbour"))
    return awards


def conclude(turn: Turn, state: AuctionState, draw: Draw) -> None:
    """End the play: find the winner, give the tokens, and open the decisions (or finish at once)."""
    seat = winning_seat(state.won)
    awarded: Counter[str] = Counter()
    for _, player, count, reason in token_sources(state.config.grid, state.config.winner_tokens, state.won):
        turn.earn(player, TOL, count, reason)
        awarded[player] += count
    if seat is None:
        turn.announce("nobody_won")
    else:
        bid = state.won[seat]
        turn.winners = (bid.player,)
        tokens = {handle: awarded[handle] for handle in turn.handles if awarded[handle]}
        turn.announce("match_won", player=bid.player, seat=seat, amount=bid.amount, tokens=tokens)
    poll = naming(turn.winners, candidates(turn, state.config))
    decisions.begin(turn, draw, polls=(poll,), window=state.config.decision_time)


def candidates(turn: Turn, config: Config) -> tuple[str, ...]:
    """The possible Elimination Candidates: players with too many chips left, or else those with the fewest."""
    mortal = without_immune(turn.purses, turn.handles)
    chips = {player: turn.balance(player, CHIP) for player in mortal}
    hoarders = tuple(player for player in mortal if chips[player] >= config.loser_chips)
    return hoarders or with_least(mortal, chips.__getitem__)


def settle_priorities(turn: Turn, state: AuctionState) -> AuctionState:
    """Make priorities unique, once everything is decided."""
    held = {player: turn.balance(player, PRIORITY) for player in turn.handles}
    opening = {entrant.handle: entrant.priority for entrant in state.core.roster}
    settled = unique_priorities(held, priority_won(state.config, state.won), opening)
    gained = {player: settled[player] - held[player] for player in held if settled[player] > held[player]}
    for player, amount in gained.items():
        turn.earn(player, PRIORITY, amount, "priority_tie_break")
    if gained:
        turn.announce("priorities_settled", gained=gained)
    return replace(state, tie_break=gained)


def priority_won(config: Config, won: Mapping[str, Bid]) -> Counter[str]:
    """How much priority each player won with seats in this match."""
    total: Counter[str] = Counter()
    for seat, bid in won.items():
        total[bid.player] += config.prize(seat).priority
    return total


def unique_priorities(held: Mapping[str, int], gained: Mapping[str, int], opening: Mapping[str, int]) -> dict[str, int]:
    """Make the priorities in `held` (in list order) unique.

    While players share a priority, one of those who share the lowest such one keeps it, and the others go up by 1. It
    is kept by the player who won more priority in this match than the others; in a tie by the player who had the least
    at the opening, the first in the list among equals.
    """
    priority = dict(held)
    while True:
        counts = Counter(priority.values())
        shared = [value for value, holders in counts.items() if holders > 1]
        if not shared:
            return priority
        lowest = min(shared)
        tied = [player for player, value in priority.items() if value == lowest]
        top = with_most(tied, gained.__getitem__)
        stays = top[0] if len(top) == 1 else min(tied, key=opening.__getitem__)
        for player in tied:
            if player != stays:
                priority[player] += 1


# -- deadlines -----------------------------------------------------------------------------------------


def advance(turn: Turn, state: AuctionState, draw: Draw) -> AuctionState:
    """Apply everything that happens at one match time: the opening, then timers in reading order, then the end."""
    auction = Auction(state)
    if state.core.phase == PREGAME:
        state = replace(state, dropped=_open_auction(turn, state, auction))
    auction.win_due(turn)
    ending = _ending(auction, turn.now)
    if ending:
        turn.touch_all()
        turn.announce("auction_ended", how=ending)
        auction.cancel_standing(turn)
    state = auction.written_to(state)
    if ending:
        state = replace(state, ending=ending, ended_at=turn.now)
        conclude(turn, state, draw)
    return state


def _open_auction(turn: Turn, state: AuctionState, auction: Auction) -> dict[str, str]:
    """Open the auction and judge the sealed bids. Returns the players whose bid was dropped, each with the code.

    The highest priority comes first; among equal ones, the bid that was made (or last replaced) earlier.
    Sealed bids never pay the fee.
    """
    turn.phase = RUNNING
    turn.touch_all()
    turn.announce("auction_opened")
    dropped = {}
    order = sorted(state.sealed, key=lambda player: -turn.balance(player, PRIORITY))
    for player in order:
        bid = state.sealed[player].value
        try:
            auction.judge(turn, player, bid.seat, bid.amount)
        except Rejected as broken:
            dropped[player] = broken.code
            turn.bid("dropped", bid.seat, player, CHIP, bid.amount, public=False)
            turn.tell(
                player,
                "bid_dropped",
                seat=bid.seat,
                amount=bid.amount,
                code=broken.code,
                message=broken.message,
            )
        else:
            auction.place(turn, player, bid.seat, bid.amount, sealed=True)
    return dropped


def _ending(auction: Auction, now: timedelta) -> Ending:
    """Why the auction ends now, or empty. Seats that are due now must have been won already."""
    if auction.all_won():
        return "all_won"
    if now >= auction.silent_at():
        return "silence"
    if now >= auction.config.stop_at:
        return "stop"
    return ""
