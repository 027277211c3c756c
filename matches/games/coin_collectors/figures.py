"""What a finished match adds to the statistics."""

from __future__ import annotations

from matches.engine.figures import Figures
from matches.engine.views import Outcome
from matches.games.coin_collectors.public_view import CollectorsPublic


def figures(view: CollectorsPublic, outcome: Outcome) -> Figures:
    """With how many coins it was won, whether both prizes went to one player, how many bid on an auction."""
    result = view.result
    if result is None:
        return Figures()
    best = [each for each in result.standings if each.handle in result.most_coins]
    both = set(result.most_gold) & set(result.most_coins)
    tokens = "none: too many tied" if result.nullified else "one player has both" if both else "different players"
    return Figures(
        values={
            "Coins of those with most": tuple(each.total for each in best[:1]),
            "Gold of those with most": tuple(sorted(each.coins.gold for each in result.standings)[-1:]),
            "Coins of everybody": tuple(each.total for each in result.standings),
            "Most gold and most coins": (tokens,),
            "Bidders on an auction": tuple(
                len(auction.sharing.bids) for each in result.rounds for auction in each.auctions
            ),
        }
    )
