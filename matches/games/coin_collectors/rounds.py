"""Starting and closing rounds, the end of the play, and which rounds hosts can still change."""

from collections import Counter
from collections.abc import Callable, Mapping

from matches.engine import decisions
from matches.engine.core import GARNET, PREGAME, RUNNING, TOL, replace, with_least, with_most, without_immune
from matches.engine.draw import Draw
from matches.engine.errors import ConfigError, Rejected
from matches.engine.polls import voting
from matches.engine.step import Turn
from matches.games.coin_collectors.bidding import garnet_price, judge
from matches.games.coin_collectors.config import Auction, Config
from matches.games.coin_collectors.items import BROUGHT_BACK, asset_of, changing
from matches.games.coin_collectors.shares import COINS, HIGHER, NO_COINS, Coins, all_of, held, share
from matches.games.coin_collectors.state import ClosedRound, CollectorsState, Ending, Fate, Settled, Submission

# -- settling --------------------------------------------------------------------------------------------
# When a round closes, all auctions are settled at the same time and independently, then alchemy changes coins.


def _settled(auction: Auction, submissions: Mapping[str, Submission]) -> Settled:
    stakes = {
        player: stake
        for player, submission in submissions.items()
        if (stake := submission.stake(auction.name)).coins.total
    }
    sharing = share(auction.prize.goods, stakes)
    fates = {}
    for player, stake in stakes.items():
        received, spent, insured = sharing.received(player), stake.coins.only(sharing.spent), NO_COINS
        if not received and any(used.kind.insures for used in submissions[player].used_on(auction.name)):
            spent, insured = NO_COINS, spent
        fates[player] = Fate(stake, received, spent, insured)
    return Settled(auction.name, sharing, fates)


# -- what the close does to players --------------------------------------------------------------


def close(turn: Turn, state: CollectorsState) -> ClosedRound:
    """Close the running round: take what was used and spent, pay out what was won, and tell each player privately."""
    this = state.config.rounds[state.round - 1]
    submissions, dropped = _good(turn, state)
    results = tuple(_settled(auction, submissions) for auction in this.auctions)
    changed = {}
    for player in turn.handles:
        submission = submissions.get(player, Submission())
        before = held(turn.purses.get(player, {}))
        fates = {each.name: each.fates[player] for each in results if player in each.fates}
        _take(turn, state, player, submission)
        gone = _settle_player(turn, player, fates)
        done = _change_coins(turn, player, submission, before.minus(gone))
        if done:
            changed[player] = done
        if player not in dropped:
            _tell(turn, state, player, submission, fates, done)
        _spy(turn, player, submission, results)
    return ClosedRound(results, submissions, dropped, changed)


def _good(turn: Turn, state: CollectorsState) -> tuple[dict[str, Submission], dict[str, str]]:
    """The submissions that count, in list order; and for others, which a host's correction has made impossible, player
    -> code of the broken rule."""
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
    """Take garnets and items, even if they had no effect; items that change coins are taken in `_change_coins`."""
    turn.pay(player, GARNET, garnet_price(state.config, submission), "limit_lifted")
    for used in submission.items:
        if used.changes is None:
            turn.pay(player, asset_of(used.item), 1, "item_used")


def _settle_player(turn: Turn, player: str, fates: Mapping[str, Fate]) -> Coins:
    """Book what a player pays and gets in all auctions. Returns the coins that are gone."""
    gone, insured = all_of(fate.spent for fate in fates.values()), all_of(fate.insured for fate in fates.values())
    won: Counter[str] = Counter()
    for name, fate in fates.items():
        won.update(fate.received)
        for coin in COINS:
            if amount := fate.spent.of(coin):
                turn.bid("won" if fate.received else "lost", name, player, coin, amount, public=False)
            if amount := fate.returned.of(coin):
                turn.bid("returned", name, player, coin, amount, public=False)
    for coin in COINS:
        turn.pay(player, coin, gone.of(coin) + insured.of(coin), "coins_spent")
        turn.earn(player, coin, insured.of(coin), BROUGHT_BACK)
    for asset, amount in won.items():
        turn.earn(player, asset, amount, "prize")
    return gone


def _change_coins(turn: Turn, player: str, submission: Submission, left: Coins) -> tuple[str, ...]:
    """Change a coin for each item that does so, but only coins held before the close and still `left`. Returns the
    kinds of coins changed."""
    changed = []
    for used, coin, is_there in changing(submission.items, left):
        if is_there:
            turn.pay(player, asset_of(used.item), 1, "item_used")
            turn.pay(player, coin, 1, used.item)
            turn.earn(player, HIGHER[coin], 1, used.item)
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
    received = [{"auction": name, "goods": fate.received} for name, fate in fates.items()]
    turn.tell(
        player,
        "round_account",
        round=state.round,
        received=received,
        spent=_amounts(all_of(fate.spent for fate in fates.values())),
        insured=_amounts(all_of(fate.insured for fate in fates.values())),
        changed=list(changed),
        kept=sum(used.changes is not None for used in submission.items) - len(changed),
        names={asset_of(kind): config.words(kind).name for kind in config.appeared(state.round)},
    )


def _amounts(coins: Coins) -> dict[str, int]:
    return {coin: coins.of(coin) for coin in COINS if coins.of(coin)}


def _spy(turn: Turn, player: str, submission: Submission, results: tuple[Settled, ...]) -> None:
    """Tell the player what their spyglasses show; two on the same auction show it only once."""
    for each in results:
        if any(used.kind.spies for used in submission.used_on(each.name)):
            bids = {other: _amounts(fate.stake.coins) for other, fate in each.fates.items()}
            turn.tell(player, "spied", auction=each.name, bids=bids)


# -- result --------------------------------------------------------------------------------------------

TOO_MANY_TOKENS = 5
"""If the play would award this many Tokens of Life, nobody gets any."""


def conclude(turn: Turn, state: CollectorsState, draw: Draw) -> CollectorsState:
    """End the play: give or nullify the tokens, and open the decisions (or finish at once)."""
    coins = {player: held(turn.purses.get(player, {})) for player in turn.handles}
    ending = found(coins)
    if not ending.nullified:
        for player in ending.most_gold:
            turn.earn(player, TOL, 1, "most_gold")
        for player in ending.most_coins:
            turn.earn(player, TOL, 1, "most_coins")
        turn.winners = tuple(p for p in turn.handles if p in ending.most_gold or p in ending.most_coins)
    turn.announce(
        "play_over",
        most_gold=list(ending.most_gold),
        most_coins=list(ending.most_coins),
        nullified=ending.nullified,
    )
    poll = voting(turn.winners, candidates(turn))
    decisions.begin(turn, draw, polls=(poll,), window=state.config.decision_time)
    return replace(state, ending=ending)


def found(coins: dict[str, Coins]) -> Ending:
    """Who has the most gold and who the most coins, in list order; nobody if there is no gold, or no coin."""
    gold, most = _most(coins, lambda own: own.gold), _most(coins, lambda own: own.total)
    return Ending(gold, most, len(gold) + len(most) >= TOO_MANY_TOKENS)


def _most(coins: dict[str, Coins], counted: Callable[[Coins], int]) -> tuple[str, ...]:
    return with_most((player for player, own in coins.items() if counted(own)), lambda player: counted(coins[player]))


def candidates(turn: Turn) -> tuple[str, ...]:
    """The possible Elimination Candidates: among players without a token those with the fewest coins, and of these
    those with the fewest gold coins."""
    mortal = without_immune(turn.purses, turn.handles)
    coins = {player: held(turn.purses.get(player, {})) for player in mortal}
    return with_least(mortal, lambda player: (coins[player].total, coins[player].gold))


# -- rounds --------------------------------------------------------------------------------------------


def advance(turn: Turn, state: CollectorsState, draw: Draw) -> CollectorsState:
    """Close the running round, if there is one, and start the next; after the last round, end the play."""
    turn.touch_all()
    if state.round:
        closed = close(turn, state)
        state = replace(state, sealed={}, closed=(*state.closed, closed))
    if state.round == len(state.config.rounds):
        return conclude(turn, state, draw)
    turn.phase = RUNNING
    state = replace(state, round=state.round + 1)
    _announce_round(turn, state)
    return state


def _announce_round(turn: Turn, state: CollectorsState) -> None:
    config, number = state.config, state.round
    this = config.rounds[number - 1]
    turn.announce(
        "round_started",
        round=number,
        rounds=len(config.rounds),
        auctions=list(this.names),
        auction_limit=this.auction_limit,
        bid_limit=this.bid_limit,
    )
    before = config.appeared(number - 1)
    for kind in config.appeared(number):
        if kind not in before:
            words = config.words(kind)
            turn.announce("item_explained", item=kind, name=words.name, description=words.description)


# -- amending --------------------------------------------------------------------------------------------


def judge_change(turn: Turn, state: CollectorsState, config: Config) -> None:
    """Raise `ConfigError` if a change concerns a round that has started. Later rounds stay secret: only a new number of
    rounds is announced."""
    if config.rounds == state.config.rounds:
        return
    if state.core.phase not in (PREGAME, RUNNING):
        raise ConfigError("rounds", "all rounds are over, so you cannot change or add any")
    for place, started in enumerate(state.config.rounds[: state.round]):
        path, name = f"rounds[{place}]", f"round {place + 1}"
        if place >= len(config.rounds):
            raise ConfigError(path, f"{name} has started, so you can no longer remove it")
        if config.rounds[place] != started:
            raise ConfigError(path, f"{name} has started, so you can no longer change it")
    if len(config.rounds) != len(state.config.rounds):
        turn.announce("rounds_changed", rounds=len(config.rounds))


def changes_closed(state: CollectorsState) -> str:
    """A sentence for hosts on which rounds can no longer be changed."""
    if state.core.phase not in (PREGAME, RUNNING):
        return "All rounds are over, so you cannot change or add any."
    if not state.round:
        return ""
    started, them = ("Round 1 has", "it") if state.round == 1 else (f"Rounds 1 to {state.round} have", "them")
    return f"{started} started, so you can no longer change {them}. You can still change, add or remove later rounds."
