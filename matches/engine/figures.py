"""What a finished match adds to the statistics of its type: public numbers and words, counted over many matches."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from matches.engine.views import Outcome, PublicView


class Figures(msgspec.Struct, frozen=True):
    """`variant`: of which variant the match was, where that makes another game of it; `values`: a title -> what is to
    be counted under it, such as the amount of the winning bid."""

    variant: str = ""
    values: Mapping[str, tuple[int | str, ...]] = {}


def of_any_game(view: PublicView, outcome: Outcome) -> Figures:
    """What can be counted whatever was played."""
    return Figures(values={"Players": (len(view.players),), "Winners": (len(outcome.winners),)})
