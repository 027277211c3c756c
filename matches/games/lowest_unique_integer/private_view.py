"""The private view: what one player may know beyond the public board. Only this module fills it."""

from datetime import timedelta

import msgspec

from matches.engine import purchases
from matches.engine.core import GARNET, PREGAME, PRIORITY, RUNNING, balance
from matches.engine.match_time import seconds
from matches.engine.sentences import joined
from matches.engine.views import Ask, MatchTime, PrivateView, private_fields
from matches.games.lowest_unique_integer.auction import committed
from matches.games.lowest_unique_integer.bidding import sealing_is_over
from matches.games.lowest_unique_integer.result_views import SealedView, sealed_view
from matches.games.lowest_unique_integer.state import CHIP, AuctionState, Bid


class OwnBid(msgspec.Struct, frozen=True):
    """The player's own standing bid; it wins at `ends_at` unless outbid."""

    seat: str
    amount: int
    placed_at: MatchTime
    ends_at: MatchTime


class RaiseView(msgspec.Struct, frozen=True):
    """The player's own standing raise. `reaches`: the most that it can bid with the player's present chips."""

    seat: str
    up_to: int
    reaches: int
    made_at: MatchTime


class AuctionPrivate(PrivateView, frozen=True, kw_only=True):
    """The player's own purse and bids.

    `chips`: all that the player owns; `committed` of them are in standing bids, `free` are the rest. `sealed`: the
    player's sealed bid, even after it was judged. `standing`, `seats`: their standing bids and seats won. `may_bid`:
    whether this phase has bids and the player has free chips; like `may_withdraw`, false between the public view's
    `bids_close_at` and the opening. `can_pay_fee`: whether they could pay the fee, even if it does not apply yet.
    `chips_affordable`: the most that they can buy. `raises`: their standing raises, in reading order; left out if none.
    """

    chips: int
    committed: int
    free: int
    garnets: int
    priority: int
    sealed: SealedView | None
    standing: tuple[OwnBid, ...]
    seats: tuple[str, ...]
    may_bid: bool
    may_withdraw: bool
    may_buy: bool
    can_pay_fee: bool
    chips_affordable: int
    raises: tuple[RaiseView, ...] | msgspec.UnsetType = msgspec.UNSET

    @property
    def can_always(self) -> str:
        """To bid, in the auction: before it one is asked for a sealed bid, or can take it back."""
        return "You can bid at any time." if self.may_bid and not (self.asked or self.may_withdraw) else ""

    @property
    def standing_on(self) -> tuple[str, ...]:
        """The seats of the player's standing bids."""
        return tuple(bid.seat for bid in self.standing)


def private_view(state: AuctionState, player: str, now: timedelta | None = None) -> AuctionPrivate:
    """What this player may know beyond the public board, and may do now."""
    core, config = state.core, state.config
    chips = balance(core.purses, player, CHIP)
    garnets = balance(core.purses, player, GARNET)
    held = committed(state.standing, player)
    affordable = purchases.affordable(core, player, CHIP, config.chip_price)
    playing = core.phase in (PREGAME, RUNNING)
    only_chips = now is not None and sealing_is_over(state, now)
    return AuctionPrivate(
        **private_fields(core, player, _asked(state, player), _if_idle(state, player, only_chips), now),
        chips=chips,
        committed=held,
        free=chips - held,
        garnets=garnets,
        priority=balance(core.purses, player, PRIORITY),
        sealed=sealed_view(state, player),
        standing=tuple(
            OwnBid(seat, bid.amount, seconds(bid.at), seconds(bid.at + config.bid_timer))
            for seat, bid in _own(state, state.standing, player)
        ),
        seats=tuple(seat for seat, _ in _own(state, state.won, player)),
        may_bid=playing and not only_chips and chips > held,
        may_withdraw=core.phase == PREGAME and not only_chips and player in state.sealed,
        may_buy=playing and affordable > 0,
        can_pay_fee=garnets >= config.fee or not config.fee,
        chips_affordable=affordable if playing else 0,
        raises=_raises(state, player),
    )


def _own(state: AuctionState, bids: dict[str, Bid], player: str) -> list[tuple[str, Bid]]:
    """A player's bids with their seats, in reading order."""
    return [(seat, bids[seat]) for seat in state.config.grid.seats if seat in bids and bids[seat].player == player]


def _raises(state: AuctionState, player: str) -> tuple[RaiseView, ...] | msgspec.UnsetType:
    """A player's standing raises, each of which belongs to a standing bid of theirs."""
    own = {each.seat: each for each in state.raises if each.player == player}
    if not own:
        return msgspec.UNSET
    free = balance(state.core.purses, player, CHIP) - committed(state.standing, player)
    return tuple(
        RaiseView(seat, own[seat].up_to, min(own[seat].up_to, free + bid.amount), seconds(own[seat].at))
        for seat, bid in _own(state, state.standing, player)
        if seat in own
    )


def _asked(state: AuctionState, player: str) -> tuple[Ask, ...]:
    """What the player is asked: a sealed bid, until they have made one."""
    if state.core.phase != PREGAME or player in state.sealed or not state.config.pregame_closes:
        return ()
    text = "You can make one sealed bid, judged when the auction opens."
    return (Ask("bid", text, seconds(state.config.pregame_closes)),)


def _if_idle(state: AuctionState, player: str, only_chips: bool) -> str:
    """A sentence on what happens if the player does nothing, using only what they may know. `only_chips`: whether
    sealed bids have closed but the auction is not open yet."""
    phase = state.core.phase
    if phase == PREGAME:
        bid = state.sealed.get(player)
        if bid is None and only_chips:
            return "If you do nothing, nothing is lost: you can bid once the auction opens."
        if bid is None:
            return "If you do nothing, you make no sealed bid; you can bid once the auction opens."
        return (
            f"If you do nothing, your sealed bid of {bid.value.amount} on {bid.value.seat} "
            "is judged when the auction opens."
        )
    if phase == RUNNING:
        own = _own(state, state.standing, player)
        if not own:
            return "If you do nothing, you win no further seat."
        stop, timer = state.config.stop_at, state.config.bid_timer
        winning = [f"{bid.amount} on {seat}" for seat, bid in own if bid.at + timer <= stop]
        too_late = [f"{bid.amount} on {seat}" for seat, bid in own if bid.at + timer > stop]
        ways = []
        if winning:
            each = "wins its seat" if len(winning) == 1 else "each win their seat"
            ways.append(f"your {', '.join(winning)} {each} when the timer ends, unless outbid")
        if too_late:
            ways.append(f"your {', '.join(too_late)} will be cancelled, because everything stops before the timer ends")
        raised = [f"{each.seat} up to {each.up_to}" for each in _raises(state, player) or ()]
        if raised:
            ways.append(f"if you are outbid, you are raised on {joined(raised)}")
        return f"If you do nothing, {'; '.join(ways)}."
    return ""
