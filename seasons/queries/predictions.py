"""What people have predicted of a season, as far as it is closed, and their points."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from seasons.engine.state import SeasonState
from seasons.models import Prediction, Season
from seasons.services.predictions import WINNER, deadline_of, exits_so_far, is_open

POINTS_NEXT, POINTS_WINNER = 1, 3
_MOST_NAMES = 12


class Said(NamedTuple):
    """How many named one member; `names`: the usernames of the first of them."""

    handle: str
    times: int
    names: tuple[str, ...]
    more: int
    is_right: bool


class Question(NamedTuple):
    """A question. `mine`: whom the viewer named; `said`: what all said, once it is closed; `right`: the answer, once
    it is known; `until`: the moment that a host has set."""

    number: int
    is_open: bool
    until: datetime | None
    mine: str
    said: tuple[Said, ...]
    right: tuple[str, ...]

    @property
    def is_winner(self) -> bool:
        """Whether it asks who wins."""
        return self.number == WINNER


class Points(NamedTuple):
    """What somebody has by now."""

    username: str
    points: int
    right: int


class Predictions(NamedTuple):
    """All of a season: the question who wins, the one who goes out next, those that are answered (the latest first),
    and the table of points."""

    winner: Question
    next: Question
    answered: tuple[Question, ...]
    table: tuple[Points, ...]


def predictions_of(
    season: Season, state: SeasonState | None, winners: Iterable[str], user: Any, now: datetime
) -> Predictions:
    """As this viewer may know them now. `winners`: who has won, once the season has ended."""
    exits = exits_so_far(season)
    right = {WINNER: tuple(winners), **dict(enumerate(exits, 1))}
    said: defaultdict[int, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    mine: dict[int, str] = {}
    points: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    made = Prediction.objects.filter(season=season).select_related("user").order_by("pk")
    for each in made:
        said[each.question][each.handle].append(each.user.username)
        if each.user_id == user.pk:
            mine[each.question] = each.handle
        is_right = each.handle in right.get(each.question, ())
        hits[each.user.username] += is_right
        points[each.user.username] += is_right * (POINTS_WINNER if each.question == WINNER else POINTS_NEXT)

    def question(number: int) -> Question:
        is_now_open = number not in range(1, len(exits) + 1) and is_open(season, state, number, len(exits) + 1, now)
        answer = right.get(number, ())
        told = (
            ()
            if is_now_open
            else sorted(
                (
                    Said(handle, len(by), tuple(by[:_MOST_NAMES]), max(len(by) - _MOST_NAMES, 0), handle in answer)
                    for handle, by in said[number].items()
                ),
                key=lambda each: -each.times,
            )
        )
        return Question(number, is_now_open, deadline_of(season, number), mine.get(number, ""), tuple(told), answer)

    table = sorted((Points(name, total, hits[name]) for name, total in points.items()), key=lambda each: -each.points)
    answered = tuple(question(number) for number in range(len(exits), 0, -1))
    return Predictions(question(WINNER), question(len(exits) + 1), answered, tuple(table))
