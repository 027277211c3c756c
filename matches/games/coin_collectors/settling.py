"""Closing a round: all auctions are settled at the same time and independently, then alchemy is applied."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from matches.engine.errors import Rejected
from matches.engine.ledger import GARNET
from matches.engine.step import Turn
from matches.games.coin_collectors.actions import UsedItem
from matches.games.coin_collectors.auctions import Auction, Round
from matches.games.coin_collectors.bidding import garnet_price, judge
from matches.games.coin_collectors.coins import COINS, HIGHER, NO_COINS, Coins, held, one
from matches.games.coin_collectors.items import ALCHEMY, GHOST_COIN, INSURANCE, SPYGLASS, asset_of
from matches.games.coin_collectors.shares import Stake, share
from matches.games.coin_collectors.state import ClosedRound, CollectorsState, Fate, Settled, Submission


def settled(this: Round, submissions: Mapping[str, Submission]) -> tuple[Settled, ...]:
    """The result of each of the round's auctions, from everybody's valid submissions."""
    return tuple(_settled(auction, submissions) for auction in this.auctions)


def stake_on(submission: Submission, auction: str) -> Stake:
    """A player's coins on an auction, and the ghost coins with them."""
    return Stake(submission.on(auction), ghosts_on(auction, submission.items))


def ghosts_on(auction: str, items: Iterable[UsedItem]) -> Coins:
    """The ghost coins among used items that stand with a player's bid on an auction."""
    ghosts = NO_COINS
    for used in items:
        if used.item == GHOST_COIN and used.on == auction and used.ghost is not None:
            ghosts = ghosts.plus(one(used.ghost))
    return ghosts


def _settled(auction: Auction, submissions: Mapping[str, Submission]) -> Settled:
    stakes = {
        player: stake_on(submission, auction.name)
        for player, submission in submissions.items()
        if submission.on(auction.name).total
    }
    sharing = share(auction.prize.goods, stakes)
    fates = {}
    for player, stake in stakes.items():
        received, spent, insured = sharing.received(player), stake.coins.only(sharing.spent), NO_COINS
        if not received and any(used.on == auction.name for used in submissions[player].uses(INSURANCE)):
            spent, insured = NO_COINS, spent
        fates[player] = Fate(stake, received, spent, insured)
    return Settled(auction.name, sharing, fates)


# -- what the close does to players --------------------------------------------------------------


def close(turn: Turn, state: CollectorsState) -> ClosedRound:
    """Close the running round: take what was used and spent, pay out what was won, and tell each player privately."""
    this = state.config.rounds[state.round - 1]
    submissions, dropped = _good(turn, state)
    results = settled(this, submissions)
    changed = {}
    for player in turn.handles:
        submission = submissions.get(player, Submission())
        before = held(turn.purses.get(player, {}))
        fates = {each.name: each.fates[player] for each in results if player in each.fates}
        _take(turn, state, player, submission)
        gone = _settle_player(turn, player, fates)
        done = _alchemy(turn, player, submission, before.minus(gone))
        if done:
            changed[player] = done
        if player not in dropped:
            _tell(turn, state, player, submission, fates, done)
        _spy(turn, player, submission, results)
    return ClosedRound(results, submissions, dropped, changed)


def _good(turn: Turn, state: CollectorsState) -> tuple[dict[str, Submission], dict[str, str]]:
    """The submissions that count, in list order; and player -> broken rule, possible only after a host's correction."""
    good: dict[str, Submission] = {}
    dropped: dict[str, str] = {}
    for player in turn.handles:
        if (sealed := state.sealed.get(player)) is None:
            continue
        try:
            judge(turn, state.config, state.round, player, sealed.value)
        except Rejected as broken:
            dropped[player] = broken.code
            turn.tell(player, "bids_dropped", round=state.round, code=broken.code, message=broken.message)
        else:
            good[player] = sealed.value
    return good, dropped


def _take(turn: Turn, state: CollectorsState, player: str, submission: Submission) -> None:
    """Take garnets and items, also if they had no effect; alchemy is handled later."""
    turn.pay(player, GARNET, garnet_price(state.config, submission), "limit_lifted")
    for used in submission.items:
        if used.item != ALCHEMY:
            turn.pay(player, asset_of(used.item), 1, "item_used")


def _settle_player(turn: Turn, player: str, fates: Mapping[str, Fate]) -> Coins:
    """Pay and receive for all auctions together. Returns the coins that are gone."""
    gone, insured = NO_COINS, NO_COINS
    won: Counter[str] = Counter()
    for name, fate in fates.items():
        gone, insured = gone.plus(fate.spent), insured.plus(fate.insured)
        won.update(fate.received)
        for coin in COINS:
            if amount := fate.spent.of(coin):
                turn.bid("won" if fate.received else "lost", name, player, coin, amount, public=False)
            if amount := fate.returned.of(coin):
                turn.bid("returned", name, player, coin, amount, public=False)
    for coin in COINS:
        turn.pay(player, coin, gone.of(coin) + insured.of(coin), "coins_spent")
        turn.earn(player, coin, insured.of(coin), "insurance")
    for asset, amount in won.items():
        turn.earn(player, asset, amount, "prize")
    return gone


def _alchemy(turn: Turn, player: str, submission: Submission, left: Coins) -> tuple[str, ...]:
    """Change one coin per alchemy, only coins held before the close and still `left`. Returns the kinds changed."""
    changed = []
    for used in submission.uses(ALCHEMY):
        coin = used.changes
        if coin is not None and left.of(coin):
            left = left.minus(one(coin))
            turn.pay(player, asset_of(ALCHEMY), 1, "item_used")
            turn.pay(player, coin, 1, "alchemy")
            turn.earn(player, HIGHER[coin], 1, "alchemy")
            changed.append(coin)
    return tuple(changed)


def _tell(
    turn: Turn,
    state: CollectorsState,
    player: str,
    submission: Submission,
    fates: Mapping[str, Fate],
    changed: tuple[str, ...],
) -> None:
    """Tell the player privately what the round brought."""
    config = state.config
    spent, insured = NO_COINS, NO_COINS
    for fate in fates.values():
        spent, insured = spent.plus(fate.spent), insured.plus(fate.insured)
    received = [{"auction": name, "goods": fate.received} for name, fate in fates.items()]
    turn.tell(
        player,
        "round_account",
        round=state.round,
        received=received,
        spent=_amounts(spent),
        insured=_amounts(insured),
        changed=list(changed),
        kept=len(submission.uses(ALCHEMY)) - len(changed),
        names={asset_of(kind): config.words(kind).name for kind in config.appeared(state.round)},
    )


def _amounts(coins: Coins) -> dict[str, int]:
    return {coin: coins.of(coin) for coin in COINS if coins.of(coin)}


def _spy(turn: Turn, player: str, submission: Submission, results: tuple[Settled, ...]) -> None:
    """Tell what spyglasses show; two on the same auction show it once."""
    targets = {used.on for used in submission.uses(SPYGLASS)}
    for each in results:
        if each.name in targets:
            bids = {other: _amounts(fate.stake.coins) for other, fate in each.fates.items()}
            turn.tell(player, "spied", auction=each.name, bids=bids)
