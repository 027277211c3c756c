"""What a finished match is remembered for, from the rounds and the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from matches.engine.sentences import Name, counted, joined
from matches.engine.step import Announcement
from matches.engine.story import CLOSEST, SWING, Story, TurningPoint
from matches.engine.views import Outcome
from matches.games.the_mvp.config import TEAMS
from matches.games.the_mvp.public_view import MvpPublic
from matches.games.the_mvp.result_views import ResultView
from matches.games.the_mvp.scoring import combinations


def story(view: MvpPublic, outcome: Outcome, told: Sequence[Announcement], name: Name) -> Story:
    """The round that moved the teams most, how near it was, which card was wanted by both, what a run or set made."""
    result = view.result
    if result is None:
        return Story()
    found = (_swing(view), _closest(result, name), _wanted(view), _made(result))
    lines = {
        rank.handle: f"{counted(rank.score, 'point')} of their own for {rank.team}, "
        + (f"with {joined(rank.controlled)}" if rank.controlled else "without a card")
        for rank in result.ranks
    }
    return Story(tuple(moment for moment in found if moment), lines)


def _swing(view: MvpPublic) -> TurningPoint | None:
    """The round after which the difference between the teams had changed most."""
    held: dict[str, frozenset[str]] = {team: frozenset() for team in TEAMS}
    before, best = 0, None
    for each in view.history:
        for mark in each.claimed:
            held[mark.team] |= {mark.card}
        points = [sum(made.points for made in combinations(held[team])) for team in TEAMS]
        ahead = points[0] - points[1]
        size = abs(ahead - before)
        if size and (best is None or size > best[0]):
            score = " to ".join(map(str, points))
            gainer = TEAMS[0] if ahead > before else TEAMS[1]
            text = f"Round {each.round} moved the match by {counted(size, 'point')} towards {gainer}: {score} "
            best = size, TurningPoint(SWING, f"{text}(red to green).")
        before = ahead
    return best[1] if best else None


def _closest(result: ResultView, name: Name) -> TurningPoint | None:
    """By how much the winners were ahead in their team, and the teams of each other."""
    red, green = (result.scores[team] for team in TEAMS)
    teams = f"{counted(abs(red - green), 'point')} between the teams" if red != green else "The teams were level"
    won, rest = [rank for rank in result.ranks if rank.won], [rank for rank in result.ranks if not rank.won]
    among = [rank for rank in rest if result.team in (None, rank.team)]
    second = max(among, key=lambda rank: rank.score, default=None)
    if not won:
        return None
    text = f"{teams}; {joined(name(rank.handle) for rank in won)} had {counted(won[0].score, 'point')} of "
    text += "their own"
    if second is not None:
        text += f", {won[0].score - second.score} more than {name(second.handle)}"
    return TurningPoint(CLOSEST, f"{text}.", tuple(rank.handle for rank in won))


def _wanted(view: MvpPublic) -> TurningPoint | None:
    """The card that was flagged in most rounds before a team claimed it."""
    flags = Counter(mark.place for each in view.history for mark in each.flagged)
    if not flags:
        return None
    place, count = flags.most_common(1)[0]
    claim = next(((each, mark) for each in view.history for mark in each.claimed if mark.place == place), None)
    text = f"{place} carried a flag at the close of {counted(count, 'round')}; "
    if claim is None:
        return TurningPoint("Wanted", f"{text}nobody ever claimed it.")
    each, mark = claim
    return TurningPoint("Wanted", f"{text}{mark.team} claimed it in round {each.round} with {mark.total}.")


def _made(result: ResultView) -> TurningPoint | None:
    best = max(result.combinations, key=lambda made: made.points, default=None)
    if best is None:
        return None
    text = f"{best.team.capitalize()}'s {best.kind} of {len(best.cards)} cards made {counted(best.points, 'point')}."
    return TurningPoint(f"Best {best.kind}", text)
