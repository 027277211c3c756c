"""Predictions by spectators and members who are out: who goes out next, and who wins. Points are never stored."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from matches.models import Match
from matches.services.errors import CommandRefused, retrying
from seasons.engine.state import ENDED, RUNNING, SeasonState
from seasons.models import Member, Prediction, Season, SeasonNews
from seasons.services.roles import why_no_member
from seasons.services.running import commanded
from seasons.services.writer import Kind, locked_season

WINNER = 0
"""The number of the question who wins; n asks who goes out as the n-th."""
WINNER_UNTIL = 3
"""The question who wins closes when this many matches have begun."""


def exits_so_far(season: Season) -> list[tuple[str, ...]]:
    """Return who went out, by moment: those who went out together are in one tuple."""
    found: dict[int, list[str]] = {}
    told = SeasonNews.objects.filter(season=season, audience="everyone", kind__in=("went_out", "booking_taken_back"))
    for row, kind, data in told.order_by("pk").values_list("row", "kind", "data"):
        if kind == "went_out":
            found.setdefault(row, []).append(data["player"])
        else:
            found.popitem()
    return [tuple(each) for each in found.values()]


def deadline_of(season: Season, question: int) -> datetime | None:
    """Return the closing time that a host has set for a question, or None."""
    text = season.prediction_deadlines.get(str(question))
    return datetime.fromisoformat(text) if text else None


def is_open(season: Season, state: SeasonState | None, question: int, next_one: int, now: datetime) -> bool:
    """Whether a question can be answered now; `next_one` is the number of who goes out next. A match that has begun, or
    is due to, closes that one; it opens again if nobody goes out by the match."""
    if state is None or state.phase == ENDED:
        return False
    deadline = deadline_of(season, question)
    if deadline is not None and now >= deadline:
        return False
    due = season.matches.filter(match__status=Match.Status.SCHEDULED, match__starts_at__lte=now).count()
    if question == WINNER:
        return season.matches.filter(opened_at__isnull=False, is_death_match=False).count() + due < WINNER_UNTIL
    return question == next_one and state.phase == RUNNING and not state.matches and not due


def why_not_predict(season: Season, user: Any) -> str:
    """Say why somebody's predictions do not count; empty if they do."""
    if season.cast.filter(user_id=user.pk, status=Member.Status.IN).exists():
        return "Only spectators and members who are out can predict."
    return "Hosts and trusted viewers cannot predict." if why_no_member(season, user) else ""


@retrying
def predict(season: Season, user: Any, question: int, handle: str) -> None:
    """Answer a question, or change the answer, until it closes. Raises `CommandRefused`."""
    with locked_season(season.pk) as writer:
        if why_not := why_not_predict(writer.season, user):
            raise CommandRefused(why_not, code="cannot_predict")
        next_one = len(exits_so_far(writer.season)) + 1
        if not is_open(writer.season, writer.state, question, next_one, writer.now):
            raise CommandRefused(
                "This question is closed, so your prediction stays as it was.", code="predictions_closed"
            )
        if handle not in writer.begun.handles_in():
            raise CommandRefused("Choose a member who is in.", code="not_in", field="handle")
        values = {"handle": handle, "at": writer.now}
        Prediction.objects.update_or_create(season=writer.season, user=user, question=question, defaults=values)


@retrying
def close_at(season: Season, host: Any, question: int, at: datetime | None, *, key: str = "") -> None:
    """Set the latest closing time of a question; None: as usual. A time in the past closes it now."""
    with commanded(season, host, key) as writer:
        if writer.state is None or question not in (WINNER, len(exits_so_far(writer.season)) + 1):
            raise CommandRefused("That question is no longer there. Reload the page.", field="question")
        text = None if at is None else at.isoformat()
        writer.season.prediction_deadlines |= {str(question): text}
        writer.season.save(update_fields=["prediction_deadlines"])
        payload = {"question": question, "until": text}
        writer.record(Kind.PREDICTIONS, payload, user=host, key=key)


# -- answers and points --------------------------------------------------------------------------------------

POINTS_NEXT, POINTS_WINNER = 1, 3
_MOST_NAMES = 12


class Said(NamedTuple):
    """How many people named one member; `names`: the usernames of the first of them."""

    handle: str
    times: int
    names: tuple[str, ...]
    more: int
    is_right: bool


class Question(NamedTuple):
    """A question. `mine`: whom the viewer named; `said`: all answers, once it is closed; `right`: the correct answers,
    once known; `until`: the closing time that a host has set."""

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
    """A person's points so far."""

    username: str
    points: int
    right: int


class Predictions(NamedTuple):
    """A season's predictions: who wins, who goes out next, decided questions (latest first), and the points."""

    winner: Question
    next: Question
    answered: tuple[Question, ...]
    table: tuple[Points, ...]


def predictions_of(
    season: Season, state: SeasonState | None, winners: Iterable[str], user: Any, now: datetime
) -> Predictions:
    """Return the predictions as this viewer may see them. `winners`: who has won, once the season has ended."""
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
