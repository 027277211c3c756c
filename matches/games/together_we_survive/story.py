"""The sentences of Together We Survive's announcements, and the story of a finished match."""

from collections.abc import Iterator, Sequence

from matches.engine import notice_events as events
from matches.engine.sentences import Data, Name, Told, counted, joined
from matches.engine.step import Announcement
from matches.engine.story import CLOSEST, SWING, Story, TurningPoint, most_of
from matches.engine.views import Outcome
from matches.games.together_we_survive.public_view import SurvivePublic

# -- sentences -----------------------------------------------------------------------------------------

KINDS = {"A": "for players on stage", "B": "for players of group B", "both": "of both kinds"}
"""The words for what a player submitted."""


def _kicked_out(data: Data, name: Name) -> str:
    who, many = joined(map(name, data["players"])), len(data["players"]) > 1
    leave = f"{who} {'leave' if many else 'leaves'} the stage"
    if data["automatic"]:
        return f"Round {data['round']} closes at once, because only {who} was on stage. {leave} last."
    votes = counted(data["votes"], "vote") if data["votes"] else "no votes"
    return f"Round {data['round']}: {leave}, with {votes}{' each' if many else ''}, the fewest."


def _votes_shared(data: Data, name: Name) -> str:
    gained = [f"{name(player)} gains {counted(tokens, 'token')}" for player, tokens in data["gained"].items()]
    text = joined(gained) if gained else "nobody gains tokens"
    most = data["most"]
    if not most:
        return f"Round {data['round']}, group B: there were no votes, so nobody gains tokens."
    each = " each" if len(most) > 1 else ""
    greedy = f"{joined(map(name, most))} had the most votes, {data['votes']}{each}, and {_get(most)} nothing"
    return f"Round {data['round']}, group B: {text}; {greedy}."


def _get(players: list[str]) -> str:
    return "get" if len(players) > 1 else "gets"


def _votes_counted(data: Data, name: Name) -> str:
    cost = [counted(data["tokens"], "token")] if data["tokens"] else []
    cost += [counted(data["garnets"], "garnet")] if data["garnets"] else []
    price = f"They cost {joined(cost)}." if cost else "They cost nothing."
    return f"Round {data['round']}: your votes {KINDS[data['kind']]} were counted. {price}"


def _group_decided(data: Data, name: Name) -> str:
    winners, losers, group = data["winners"], data["losers"], f"Group {data['group']}"
    if winners == losers:
        text = f"{group}: everybody is tied, so everybody has both won and lost."
    else:
        lost = "have lost" if len(losers) > 1 else "has lost"
        has = "have won" if len(winners) > 1 else "has won"
        text = f"{group}: {joined(map(name, winners))} {has}, and {joined(map(name, losers))} {lost}."
    return f"{text} {_tokens(len(winners), data['tokens'])}"


def _tokens(winners: int, tokens: int) -> str:
    if not tokens:
        return "So many have won that nobody gets a Token of Life."
    if tokens > 1:
        return f"That brings {tokens} Tokens of Life. The winner must give away all but one."
    return "That brings a Token of Life each." if winners > 1 else "That brings a Token of Life."


TOLD: dict[str, Told] = {
    "round_opened": Told(
        events.ROUND_OPENED,
        lambda data, name: f"Round {data['round']} is open, with {counted(len(data['on_stage']), 'player')} on stage.",
    ),
    "kicked_out": Told(events.ROUND_CLOSED, _kicked_out),
    "votes_shared": Told(events.ROUND_CLOSED, _votes_shared),
    "votes_counted": Told(events.ROUND_CLOSED, _votes_counted),
    "group_decided": Told(events.ROUND_CLOSED, _group_decided),
    "garnets_earned": Told(events.ROUTINE, "You earn {garnets:garnet}."),
}


# -- story ---------------------------------------------------------------------------------------------

_MOST_NAMES = 4


def story(view: SurvivePublic, outcome: Outcome, told: Sequence[Announcement], name: Name) -> Story:
    """Who nearly stayed on stage, the round in which the most left, the greatest gain, and the most votes for
    nothing."""
    found = (most_of(_near_stays(view, name)), _exodus(view, name), _gain(view, name), _too_many(view, name))
    return Story(tuple(moment for moment in found if moment), _lines(view))


def _named(handles: Sequence[str], name: Name) -> str:
    if len(handles) > _MOST_NAMES:
        return f"{', '.join(map(name, handles[: _MOST_NAMES - 1]))} and {len(handles) - _MOST_NAMES + 1} others"
    return joined(map(name, handles))


def _near_stays(view: SurvivePublic, name: Name) -> Iterator[tuple[tuple[int, int], TurningPoint]]:
    """For each round, those who left the stage, weighted by how few votes they lacked, then by how late it was."""
    for each in view.history:
        stayed = [votes for handle, votes in each.votes_a.items() if handle not in each.kicked_out]
        if not stayed or not each.kicked_out:
            continue
        short = min(stayed) - each.fewest
        who = _named(each.kicked_out, name)
        text = f"With {counted(short, 'more vote')}, {who} would have stayed on stage in round {each.round}."
        yield (-short, each.round), TurningPoint(CLOSEST, text, each.kicked_out, round=each.round)


def _exodus(view: SurvivePublic, name: Name) -> TurningPoint | None:
    """The round in which the most players left the stage."""
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
    text = f"{name(handle)} gained {counted(count, 'token')} in round {number}, the most in any round."
    return TurningPoint("Most tokens", text, (handle,), round=number)


def _too_many(view: SurvivePublic, name: Name) -> TurningPoint | None:
    """The most votes in group B for which players got nothing."""
    found = [each for each in view.history if each.most]
    if not found:
        return None
    each = max(found, key=lambda each: each.highest)
    votes = f"{counted(each.highest, 'vote')} in round {each.round}"
    text = f"{_named(each.most, name)} got nothing for {votes}, the most in that round."
    return TurningPoint("Too popular", text, each.most, round=each.round)


def _lines(view: SurvivePublic) -> dict[str, str]:
    last = max((each.left or 0 for each in view.group_a), default=0)
    lines = {
        each.handle: "last on stage" if each.left in (None, last) else f"left the stage in round {each.left}"
        for each in sorted(view.group_a, key=lambda each: each.left or last + 1, reverse=True)
    }
    for each in sorted(view.group_b, key=lambda each: each.tokens or 0, reverse=True):
        lines[each.handle] = f"{counted(each.tokens or 0, 'token')} at the end, {each.gained_in_all} gained"
    return lines
