"""What a finished match adds to the statistics."""

from __future__ import annotations

from matches.engine.figures import Figures
from matches.engine.views import Outcome
from matches.games.the_mvp.public_view import MvpPublic

_ENDINGS = {
    "all_claimed": "every card was claimed",
    "standstill": "nothing more could happen",
    "last_round": "the last round",
}


def figures(view: MvpPublic, outcome: Outcome) -> Figures:
    """Which team won and with how much, the winners' own points, how long it took."""
    result = view.result
    if result is None:
        return Figures()
    return Figures(
        values={
            "Winning team": (result.team or "the teams were level",),
            "Points of a team": tuple(result.scores.values()),
            "Own points of a winner": tuple(rank.score for rank in result.ranks if rank.won),
            "What scored": tuple(made.kind for made in result.combinations),
            "Rounds": (view.round,),
            "How the play ended": (_ENDINGS.get(view.ending, view.ending),),
        }
    )
