"""The sentences of Black and White's announcements, and the story of a finished match."""

from collections.abc import Sequence
from typing import NamedTuple

from matches.engine import notice_events as events
from matches.engine.sentences import Data, Name, Told, counted
from matches.engine.step import Announcement
from matches.engine.story import CLOSEST, Story, TurningPoint
from matches.engine.views import Outcome
from matches.games.black_and_white.views import DuelPublic, RoundView

# -- sentences -----------------------------------------------------------------------------------------


def _placed_late(data: Data, name: Name) -> str:
    who = name(data["player"])
    return f"{who} did not place a number in time, which counts as 0. {who} has {counted(data['lamps'], 'lamp')} left."


_ENDINGS = {
    "wins": "That decides the match.",
    "last_round": "That was the last round.",
    "no_points": "Nobody has points left, so play is over.",
}


def _match_won(data: Data, name: Name) -> str:
    who, wins = name(data["player"]), data["wins"]
    own, others = wins[data["player"]], min(wins.values())
    if data["how"] == "points":
        text = f"{who} wins: both have won {counted(own, 'round')}, and {who} has more points left."
    else:
        text = f"{who} wins by {counted(own, 'round')} to {others}."
    return f"{text} That brings a Token of Life." if data["tokens"] else text


TOLD: dict[str, Told] = {
    "first_drawn": Told(events.ROUTINE, "The site drew {player:name} to lead round 1."),
    "round_opened": Told(
        events.ROUTINE,
        "Round {round} of at most {rounds}: {player:name} leads.",
    ),
    "your_turn": Told(events.DECISION_ASKED, "It is your turn to place a number in round {round}."),
    "placed": Told(events.ROUTINE, "{player:name} places a {colour} number and has {lamps:lamp} left."),
    "placed_late": Told(events.LOST, _placed_late, "player"),
    "round_won": Told(events.WON, "{player:name} wins round {round}.", "player"),
    "round_equal": Told(events.ROUTINE, "The numbers of round {round} are equal, so nobody wins it."),
    "play_over": Told(events.ROUTINE, lambda data, name: _ENDINGS[data["how"]]),
    "match_won": Told(events.ROUTINE, _match_won),
    "nobody_won": Told(
        events.ROUTINE,
        "Both have won the same number of rounds and have the same number of points left, so nobody wins.",
    ),
}


# -- story ---------------------------------------------------------------------------------------------


class Won(NamedTuple):
    """A round that somebody won, with the higher and the lower number."""

    round: int
    winner: str
    loser: str
    high: int
    low: int


def _numbers(each: RoundView) -> tuple[int, int]:
    first, second = (stone.points or 0 for stone in each.stones)
    return first, second


def story(view: DuelPublic, outcome: Outcome, told: Sequence[Announcement], name: Name) -> Story:
    """The story: the closest round, the highest number that lost, and the lowest number that won."""
    won = [
        Won(each.round, each.winner, view.other(each.winner).handle, *sorted(_numbers(each), reverse=True))
        for each in view.rounds
        if each.winner is not None
    ]
    near = [each for each in won if each.high - each.low <= view.lamp // 2]
    dear = [each for each in won if each.low >= view.white_from]
    found = []
    if near:
        each = min(near, key=lambda each: (each.high - each.low, -each.high))
        text = f"{name(each.winner)} won round {each.round} with {each.high} against {each.low}."
        found.append(TurningPoint(CLOSEST, text, (each.winner,), round=each.round))
    if dear:
        each = max(dear, key=lambda each: each.low)
        text = f"{name(each.loser)} spent {each.low} on round {each.round} and lost it to {each.high}."
        found.append(TurningPoint("Costliest loss", text, (each.loser,), round=each.round))
    if won:
        each = min(won, key=lambda each: each.high)
        text = f"{name(each.winner)} won round {each.round} with {counted(each.high, 'point')}."
        found.append(TurningPoint("Cheapest win", text, (each.winner,), round=each.round))
    lines = {
        seat.handle: f"{counted(seat.wins, 'round')} won, {counted(seat.left or 0, 'point')} left"
        for seat in view.seats
    }
    return Story(tuple(found), lines)
