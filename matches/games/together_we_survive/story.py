"""What a finished match is remembered for, from the rounds that everybody has seen. Who voted for whom, and with how
many tokens, is in none of them and stays private."""

from __future__ import annotations

from collections.abc import Sequence

from matches.engine.sentences import Name, counted, joined
from matches.engine.step import Announcement
from matches.engine.story import CLOSEST, SWING, Story, TurningPoint
from matches.engine.views import Outcome
from matches.games.together_we_survive.public_view import SurvivePublic

_MOST_NAMES = 4


def story(view: SurvivePublic, outcome: Outcome, told: Sequence[Announcement], name: Name) -> Story:
    """Who left the stage by least, when most left, who gained most, and the most votes that got nothing."""
    found = (_closest(view, name), _exodus(view, name), _gain(view, name), _too_many(view, name))
    return Story(tuple(moment for moment in found if moment), _lines(view))


def _named(handles: Sequence[str], name: Name) -> str:
    if len(handles) > _MOST_NAMES:
        return f"{', '.join(map(name, handles[: _MOST_NAMES - 1]))} and {len(handles) - _MOST_NAMES + 1} others"
    return joined(map(name, handles))


def _closest(view: SurvivePublic, name: Name) -> TurningPoint | None:
    """Those who left the stage by the fewest votes too few; of several the last."""
    best: tuple[int, TurningPoint] | None = None
    for each in view.history:
        stayed = [votes for handle, votes in each.votes_a.items() if handle not in each.kicked_out]
        if not stayed or not each.kicked_out:
            continue
        short = min(stayed) - each.fewest
        if best is None or short <= best[0]:
            who = _named(each.kicked_out, name)
            text = f"With {counted(short, 'vote')} more, {who} would have stayed on stage in round {each.round}."
            best = short, TurningPoint(CLOSEST, text, each.kicked_out, round=each.round)
    return best[1] if best else None


def _exodus(view: SurvivePublic, name: Name) -> TurningPoint | None:
    """The round in which most left the stage at once."""
    each = max(view.history, key=lambda each: len(each.kicked_out), default=None)
    if each is None or len(each.kicked_out) < 2:
        return None
    text = f"{_named(each.kicked_out, name)} left the stage together in round {each.round}."
    return TurningPoint(SWING, text, each.kicked_out, round=each.round)


def _gain(view: SurvivePublic, name: Name) -> TurningPoint | None:
    gains = [(count, each.round, handle) for each in view.history for handle, count in each.gained.items() if count]
    if not gains:
        return None
    count, number, handle = max(gains, key=lambda gain: gain[0])
    text = f"{name(handle)} gained {counted(count, 'token')} in round {number}, the most at once."
    return TurningPoint("Most tokens", text, (handle,), round=number)


def _too_many(view: SurvivePublic, name: Name) -> TurningPoint | None:
    """The most votes in group B for which their players got nothing."""
    found = [each for each in view.history if each.most]
    if not found:
        return None
    each = max(found, key=lambda each: each.highest)
    text = (
        f"With {counted(each.highest, 'vote')} in round {each.round}, the most, {_named(each.most, name)} got nothing."
    )
    return TurningPoint("Too popular", text, each.most, round=each.round)


def _lines(view: SurvivePublic) -> dict[str, str]:
    last = max((each.left or 0 for each in view.group_a), default=0)
    lines = {
        each.handle: "last on stage" if each.left in (None, last) else f"left the stage in round {each.left}"
        for each in sorted(view.group_a, key=lambda each: each.left or last + 1, reverse=True)
    }
    for each in sorted(view.group_b, key=lambda each: each.tokens or 0, reverse=True):
        lines[each.handle] = f"{counted(each.tokens or 0, 'token')} in the end, {each.gained_in_all} gained"
    return lines
