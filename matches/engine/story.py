"""The story of a finished match: its turning points, and a line about each player."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from matches.engine.sentences import Name, counted, joined
from matches.engine.views import Outcome

# A story is made only from what everybody may know by then (the public view, the outcome, and the announcements to
# everyone), so it cannot reveal a secret.

SWING = "Biggest swing"
CLOSEST = "Closest call"


class TurningPoint(msgspec.Struct, frozen=True):
    """A turning point: in two or three words (`what`), in a sentence or two (`text`), and whom it is about (`players`).

    `announcement` is the index of the announcement that it is about, if any. Otherwise `round` is the round in which it
    happened, None for the end of the match."""

    what: str
    text: str
    players: tuple[str, ...] = ()
    announcement: int | None = None
    round: int | None = None


class Story(msgspec.Struct, frozen=True):
    """`turning_points` in the order in which they are told; `lines`: handle -> how the match went for that
    player, in a few words."""

    turning_points: tuple[TurningPoint, ...] = ()
    lines: Mapping[str, str] = {}


def most_of(found: Iterable[tuple[Any, TurningPoint]]) -> TurningPoint | None:
    """The turning point with the greatest weight (the first of each pair), the first among equals; None if empty."""
    return max(found, key=lambda each: each[0], default=(0, None))[1]


def by_scores(outcome: Outcome, name: Name) -> Story:
    """The story that the scores alone tell, for games without a story of their own."""
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
