"""What is told of a match: each announcement in a sentence, and of a finished one its story."""

from __future__ import annotations

from collections.abc import Sequence

from matches.engine import notice_events as events
from matches.engine.sentences import Data, Name, Told, counted
from matches.engine.step import Announcement
from matches.engine.story import CLOSEST, Story, TurningPoint, most_of
from matches.engine.views import Outcome
from matches.games.black_and_white.public_view import DuelPublic, RoundView

# -- sentences -----------------------------------------------------------------------------------------


def _placed(data: Data, name: Name) -> str:
    return f"{name(data['player'])} places a {data['colour']} number and has {counted(data['lamps'], 'lamp')} left."


def _placed_late(data: Data, name: Name) -> str:
    who = name(data["player"])
    return f"{who} has not placed a number in time, so 0 is placed. {who} has {counted(data['lamps'], 'lamp')} left."


_ENDINGS = {
    "wins": "That decides the match.",
    "last_round": "That was the last round.",
    "no_points": "Nobody has points left, so no more rounds are played.",
}


def _match_won(data: Data, name: Name) -> str:
    who, wins = name(data["player"]), data["wins"]
    own, others = wins[data["player"]], min(wins.values())
    if data["how"] == "points":
        text = f"{who} wins: both have won {counted(own, 'round')}, and {who} has more points left."
    else:
        text = f"{who} wins with {counted(own, 'round')} to {others}."
    return f"{text} That brings a Token of Life." if data["tokens"] else text


TOLD: dict[str, Told] = {
    "first_drawn": Told(
        events.ROUTINE, lambda data, name: f"{name(data['player'])} leads round 1: that was drawn by chance."
    ),
    "round_opened": Told(
        events.ROUTINE,
        lambda data, name: f"Round {data['round']} of at most {data['rounds']}: {name(data['player'])} leads.",
    ),
    "your_turn": Told(
        events.DECISION_ASKED, lambda data, name: f"It is your turn: place your number in round {data['round']}."
    ),
    "placed": Told(events.ROUTINE, _placed),
    "placed_late": Told(events.LOST, _placed_late, "player"),
    "round_won": Told(events.WON, lambda data, name: f"{name(data['player'])} wins round {data['round']}.", "player"),
    "round_equal": Told(
        events.ROUTINE, lambda data, name: f"The numbers of round {data['round']} are equal: nobody wins it."
    ),
    "play_over": Told(events.ROUTINE, lambda data, name: _ENDINGS[data["how"]]),
    "match_won": Told(events.ROUTINE, _match_won),
    "nobody_won": Told(
        events.ROUTINE, lambda data, name: "Both have won as many rounds and have as many points left: nobody wins."
    ),
}


# -- story ---------------------------------------------------------------------------------------------


def story(view: DuelPublic, outcome: Outcome, told: Sequence[Announcement], name: Name) -> Story:
    """The nearest round, the dearest number that won nothing, and the smallest that won."""
    found = (_nearest(view, name), _wasted(view, name), _cheapest(view, name))
    lines = {
        seat.handle: f"{counted(seat.wins, 'round')} won, {counted(seat.left or 0, 'point')} left"
        for seat in view.seats
    }
    return Story(tuple(each for each in found if each), lines)


def _numbers(each: RoundView) -> dict[str, int]:
    """Of a round that is over, player -> number."""
    return {stone.player: stone.points or 0 for stone in each.stones}


def _won(view: DuelPublic) -> list[tuple[RoundView, str, int, int]]:
    """The rounds that were won, with winner, higher and lower number."""
    return [
        (each, each.winner, max(_numbers(each).values()), min(_numbers(each).values()))
        for each in view.rounds
        if each.winner is not None
    ]


def _nearest(view: DuelPublic, name: Name) -> TurningPoint | None:
    return most_of(
        (
            (low - high, high),
            TurningPoint(
                CLOSEST,
                f"{name(winner)} won round {each.round} with {high} against {low}.",
                (winner,),
                None,
                each.round,
            ),
        )
        for each, winner, high, low in _won(view)
        if high - low <= view.lamp // 2
    )


def _wasted(view: DuelPublic, name: Name) -> TurningPoint | None:
    found = []
    for each, winner, high, low in _won(view):
        loser = view.other(winner).handle
        text = (
            f"{name(loser)} spent {counted(low, 'point')} on round {each.round}, which {name(winner)} won with {high}."
        )
        found.append((low, TurningPoint("Dearest loss", text, (loser,), None, each.round)))
    best = most_of(found)
    return best if best and max(low for low, _ in found) >= view.white_from else None


def _cheapest(view: DuelPublic, name: Name) -> TurningPoint | None:
    return most_of(
        (
            -high,
            TurningPoint(
                "Cheapest win",
                f"{name(winner)} won round {each.round} with {counted(high, 'point')}.",
                (winner,),
                None,
                each.round,
            ),
        )
        for each, winner, high, _ in _won(view)
    )
