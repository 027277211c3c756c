"""What a finished match is remembered for."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from matches.engine.sentences import Name, counted, joined
from matches.engine.views import Outcome

# -- story -----------------------------------------------------------------------------------------
# It is made from what everybody may know by then (the public view, the outcome, and what was announced to all), so
# that it can tell nobody a secret.

SWING = "Biggest swing"
CLOSEST = "Closest call"


class TurningPoint(msgspec.Struct, frozen=True):
    """A turning point. `what`: in two or three words; `text`: in a sentence or two; `players`: whom it is about;
    `announcement`: the number of the one that it is about, None where it is about none; `round`: of one that is about
    none, in which round it was, None where it was at the end."""

    what: str
    text: str
    players: tuple[str, ...] = ()
    announcement: int | None = None
    round: int | None = None


class Story(msgspec.Struct, frozen=True):
    """`turning_points`: in the order in which they are told; `lines`: handle -> how the match was for that
    player, in a few words."""

    turning_points: tuple[TurningPoint, ...] = ()
    lines: Mapping[str, str] = {}


def most_of(found: Iterable[tuple[Any, TurningPoint]]) -> TurningPoint | None:
    """Of turning points, each with how much there was to it, that with the most; of equals the first."""
    return max(found, key=lambda each: each[0], default=(0, None))[1]


def by_scores(outcome: Outcome, name: Name) -> Story:
    """What the scores alone tell, for games that tell no more."""
    scores = {handle: score for handle, score in outcome.scores.items() if isinstance(score, int)}
    lines = {handle: f"ended with {score}" for handle, score in scores.items()}
    ranked = sorted(scores.items(), key=lambda each: each[1], reverse=True)
    if len(ranked) < 2:
        return Story(lines=lines)
    (first, most), (second, next_most) = ranked[:2]
    if most == next_most:
        text = f"{joined([name(first), name(second)])} both ended with {most}."
    else:
        text = f"{name(first)} ended with {most}, {counted(most - next_most, 'point')} more than {name(second)}."
    return Story((TurningPoint(CLOSEST, text, (first, second)),), lines)
