"""What happens after the last round: the Tokens of Life and the Elimination Candidate."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from matches.engine import decisions
from matches.engine.core import without_immune
from matches.engine.draw import Draw
from matches.engine.ledger import TOL
from matches.engine.polls import voting
from matches.engine.step import Turn
from matches.games.coin_collectors.coins import Coins, held
from matches.games.coin_collectors.state import CollectorsState, Ending

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
    return msgspec.structs.replace(state, ending=ending)


def found(coins: dict[str, Coins]) -> Ending:
    """Who has the most gold and who the most coins, in list order; nobody if there is no gold, or no coin."""
    gold, most = _most(coins, lambda own: own.gold), _most(coins, lambda own: own.total)
    return Ending(gold, most, len(gold) + len(most) >= TOO_MANY_TOKENS)


def _most(coins: dict[str, Coins], counted: Callable[[Coins], int]) -> tuple[str, ...]:
    most = max(counted(own) for own in coins.values())
    return tuple(player for player, own in coins.items() if counted(own) == most) if most else ()


def candidates(turn: Turn) -> tuple[str, ...]:
    """The possible ECs by the rule: fewest coins, then fewest gold coins, among players without a token."""
    mortal = without_immune(turn.purses, turn.handles)
    coins = {player: held(turn.purses.get(player, {})) for player in mortal}
    fewest = min((own.total, own.gold) for own in coins.values())
    return tuple(player for player in mortal if (coins[player].total, coins[player].gold) == fewest)
