"""What a finished match adds to the statistics: nothing of who voted for whom."""

from __future__ import annotations

from matches.engine.figures import Figures
from matches.engine.views import Outcome
from matches.games.together_we_survive.public_view import SurvivePublic


def figures(view: SurvivePublic, outcome: Outcome) -> Figures:
    """How long the stage lasted, how many left at once, and with how many tokens group B ended."""
    result = view.result
    if result is None:
        return Figures()
    tokens = {each.handle: each.tokens or 0 for each in view.group_b}
    return Figures(
        values={
            "Rounds": (view.round,),
            "Winners in group A": (len(result.a.winners),),
            "Winners in group B": (len(result.b.winners),),
            "Tokens of a winner in group B": tuple(tokens[handle] for handle in result.b.winners),
            "Tokens of everybody in group B": tuple(tokens.values()),
            "Players who left the stage at once": tuple(len(each.kicked_out) for each in view.history),
        }
    )
