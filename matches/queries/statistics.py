"""What is counted over the finished matches of a type: only of what everybody may know by then."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from operator import attrgetter

import msgspec
import structlog

from matches.engine.story import Figures
from matches.infra.kept import Kept
from matches.models import Match
from matches.models.match import of_known_rules, shown_to_all
from matches.queries.access import legible

logger = structlog.get_logger(__name__)

MOST_MATCHES = 200
_AT_ONCE = 50
_MOST_ROWS = 12
_BUCKETS = 8


class TableRow(msgspec.Struct, frozen=True):
    """A line of a table: what was counted, how often, and of 100 how many."""

    label: str
    count: int
    percent: int


class Table(msgspec.Struct, frozen=True):
    """What was counted under one title. `average`: of numbers, None of words."""

    title: str
    rows: tuple[TableRow, ...]
    total: int
    average: float | None = None


class Group(msgspec.Struct, frozen=True):
    """The tables of one variant (empty where there is one only), and from how many matches they are."""

    variant: str
    matches: int
    tables: tuple[Table, ...]


_figures: Kept[tuple[str, str], Figures] = Kept(2000)


def of_game(game: str) -> tuple[Group, ...]:
    """The statistics of a match type, from its latest finished matches; the variant that was played most comes first.

    Of each match the numbers are found once by a process: two statements are asked where nothing has ended since, and
    a bounded number of positions is read at first.
    """
    found = Match.objects.filter(of_known_rules(), shown_to_all(), game=game, status=Match.Status.FINISHED)
    keys = found.order_by("-finished_at", "-pk").values_list("public_id", "log_head")[:MOST_MATCHES]
    by_variant: dict[str, list[Figures]] = defaultdict(list)
    for each in _known(list(keys)):
        by_variant[each.variant].append(each)
    groups = [Group(variant, len(some), tuple(_tables(some))) for variant, some in by_variant.items()]
    return tuple(sorted(groups, key=lambda group: (-group.matches, group.variant)))


def _known(keys: Sequence[tuple[str, str]]) -> list[Figures]:
    missing = [public_id for public_id, head in keys if (public_id, head) not in _figures]
    read: dict[tuple[str, str], Figures] = {}
    for start in range(0, len(missing), _AT_ONCE):
        for match in Match.objects.filter(public_id__in=missing[start : start + _AT_ONCE]):
            key = match.public_id, match.log_head
            read[key] = _of_match(match)
            _figures.keep(key, read[key])
    known = [_figures.get(key) or read.get(key) for key in keys]
    return [each for each in known if each is not None and each.values]


def _of_match(match: Match) -> Figures:
    view, outcome = legible(match, attrgetter("public", "outcome"))
    if view is None or outcome is None:
        return Figures()
    try:
        return match.rules.figures(view, outcome)
    except Exception:
        logger.exception("figures_failed", match=match.public_id)
        return Figures()


def _tables(some: Iterable[Figures]) -> Iterable[Table]:
    values: dict[str, list[int | str]] = defaultdict(list)
    for each in some:
        for title, counted in each.values.items():
            values[title] += counted
    return (table_of(title, counted) for title, counted in values.items() if counted)


def table_of(title: str, values: Sequence[int | str]) -> Table:
    """Values as a table: numbers in their order, in steps where there are many different ones; words by how often."""
    numbers = [value for value in values if isinstance(value, int)]
    words = Counter(value for value in values if isinstance(value, str)).most_common(_MOST_ROWS)
    rows = [*_of_numbers(numbers), *words]
    total = len(values)
    return Table(
        title=title,
        rows=tuple(TableRow(label, count, round(100 * count / total)) for label, count in rows),
        total=total,
        average=round(sum(numbers) / len(numbers), 1) if numbers else None,
    )


def _of_numbers(numbers: Sequence[int]) -> list[tuple[str, int]]:
    """Every number from the lowest to the highest, or steps of as many numbers each, with those that never came."""
    if not numbers:
        return []
    counts, low, high = Counter(numbers), min(numbers), max(numbers)
    if high - low < _MOST_ROWS:
        return [(str(number), counts[number]) for number in range(low, high + 1)]
    step = -(-(high - low + 1) // _BUCKETS)
    found = Counter((number - low) // step for number in numbers)
    starts = range(low, high + 1, step)
    return [(f"{start} to {start + step - 1}", found[place]) for place, start in enumerate(starts)]
