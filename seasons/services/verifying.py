"""Plays a season again from its log and compares: state, ledger, cast, and what its matches brought and gave back."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from matches.engine.canonical import canonical
from matches.engine.errors import ConfigError
from seasons.engine import replaying
from seasons.engine import season as rules
from seasons.engine.replaying import LogRow
from seasons.engine.settings import SeasonSettings
from seasons.engine.state import ENDED, SeasonState
from seasons.engine.turn import Step
from seasons.models import Member, Season, SeasonMatch, SeasonRow
from seasons.services import log, summing
from seasons.services.summing import opened_with
from seasons.services.verifying_people import compare_people
from seasons.services.writer import Writer

_Line = tuple[Any, ...]


def verify(season: Season) -> list[str]:
    """The differences found, one sentence each; an empty list if there are none."""
    rows = list(season.log.select_related("user").order_by("number"))
    broken = log.broken_at(season, rows)
    if broken is not None:
        return [f"The log's chain of hashes breaks at row {broken}."]
    if not season.state:
        return _compare_draft(season)
    try:
        state, steps = replaying.replay(map(log.plain, rows), season.seed)
    except Exception as error:  # whatever goes wrong in a replay is the finding
        return [f"Playing the log again fails: {type(error).__name__}: {error}."]
    is_same = rules.encode(state).decode() == season.state
    found = [] if is_same else ["The stored state is not what the log gives."]
    found += _compare_life(season, rows[0], state)
    found += _compare_described(season, rows)
    found += _compare_times(season, steps)
    found += _compare_ledger(season, steps)
    found += compare_people(season, rows, state)
    found += _compare_news(season, steps)
    if is_same:  # otherwise it may be none that can be read
        found += _compare_matches(season, rows, steps)
        found += summing.compare(season, state)
    return found


def verify_live(season: Season) -> list[str]:
    """The same for a season that may be going on: what seems wrong is looked at again while nothing can change."""
    if not (found := verify(season)):
        return found
    with transaction.atomic():
        return verify(Season.objects.select_for_update().get(pk=season.pk))


def _compare_draft(season: Season) -> list[str]:
    """What shows that a season without a state has begun."""
    if season.status != Season.Status.DRAFT:
        return ["The season has begun, and has no state."]
    moments = (season.started_at, season.ended_at, season.next_deadline_at)
    opened = season.matches.filter(opened_at__isnull=False).exists()
    if any(moments) or opened or season.cast.exclude(status=Member.Status.IN).exists():
        return ["The season has begun, and is a draft again."]
    return []


def _compare_life(season: Season, first: SeasonRow, state: SeasonState) -> list[str]:
    found = []
    if season.status != (Season.Status.ENDED if state.phase == ENDED else Season.Status.RUNNING):
        found.append(f"The season is {season.status}, but its phase is {state.phase}.")
    due = rules.next_deadline(state)
    if season.next_deadline_at != (None if due is None else season.instant(due)):
        found.append("The next deadline is not where the state has it.")
    if first.kind != replaying.BEGIN or json.loads(first.payload)["seed_hash"] != season.seed_hash:
        found.append("The seed is not the one that was promised when the season began.")
    elif first.received_at != season.started_at:
        found.append("The season did not begin when the log says.")
    if _settings_of(season) != state.settings:
        found.append("The stored settings are not those that the log gives.")
    return found


def _compare_described(season: Season, rows: list[SeasonRow]) -> list[str]:
    """What is fixed when the season begins, and which match each of its matches is. Logs of older releases do not say
    it."""
    found = []
    then, now = json.loads(rows[0].payload).get("season"), log.described(season)
    if then is not None:
        found += [f"The season's {name} is not what the log has." for name in now if now[name] != then.get(name)]
    ids = {each.key: each.match.public_id for each in season.matches.select_related("match")}
    for row in rows:
        payload = json.loads(row.payload)
        if row.kind == replaying.MATCH_OPENED and payload.get("id") not in (None, ids.get(payload["match"])):
            found.append(f"Match {payload['match']} is another one than the log says.")
    return found


def _settings_of(season: Season) -> SeasonSettings | None:
    try:
        return SeasonSettings.read(season.settings)
    except ConfigError:
        return None


def _compare_times(season: Season, steps: list[tuple[LogRow, Step]]) -> list[str]:
    """When the season ended, and what its matches went through and when, which rows of other tables repeat."""
    ended: datetime | None = None
    awaited: str | None = None
    lives: dict[str, _MatchLife] = {}
    for row, step in steps:
        now, state = season.instant(row.time), step.state
        if state.phase == ENDED and ended is None:
            ended = now
        awaited = state.growth.match if state.growth is not None and state.growth.next is None else None
        for match in state.matches:
            life = lives.setdefault(match.key, _MatchLife(is_death_match=match.is_death_match, opened=now))
            life.over = life.over or (now if match.result is not None else None)
        for key in lives.keys() - {match.key for match in state.matches}:
            lives[key].over, lives[key].settled = lives[key].over or now, lives[key].settled or now
    found = []
    if season.ended_at != ended:
        found.append("The season did not end when the log says.")
    stored = {each.key: each for each in season.matches.all()}
    waits = season.awaits_pregame_of
    if (waits.key if waits else None) != (awaited if awaited in stored else None):
        found.append("Blood garnets do not wait for the pregame that the log says.")
    wrong = [key for key, each in stored.items() if lives.get(key, _MatchLife()) != _MatchLife.of(each)]
    return [*found, *(f"Match {key} did not open, end or get settled when the log says." for key in wrong)]


@dataclass(slots=True)
class _MatchLife:
    """What became of a match of the season, and when."""

    is_death_match: bool = False
    opened: datetime | None = None
    over: datetime | None = None
    settled: datetime | None = None

    @classmethod
    def of(cls, match: SeasonMatch) -> _MatchLife:
        """The times that a match's row has."""
        return cls(match.is_death_match, match.opened_at, match.over_at, match.settled_at)


def _compare_ledger(season: Season, steps: list[tuple[LogRow, Step]]) -> list[str]:
    expected: list[_Line] = [
        (
            row.number,
            t.giver,
            t.receiver,
            t.match or None,
            t.asset,
            t.amount,
            t.reason,
            t.note,
            row.time,
            season.instant(row.time),
        )
        for row, step in steps
        for t in step.transfers
    ]
    stored: list[_Line] = [
        (row, giver, receiver, None if number is None else str(number), *rest)
        for row, giver, receiver, number, *rest in season.ledger.order_by("pk").values_list(
            "row__number", "giver__handle", "receiver__handle", "match__number", "asset", "amount", "reason", "note",
            "season_time", "at",
        )
    ]  # fmt: skip
    missing, extra = Counter(expected) - Counter(stored), Counter(stored) - Counter(expected)
    if missing or extra:
        return [f"The ledger is not what the log gives: {missing.total()} rows missing, {extra.total()} too many."]
    return _order("entries of the ledger", stored)


def _compare_news(season: Season, steps: list[tuple[LogRow, Step]]) -> list[str]:
    expected: list[_Line] = [
        (row.number, each.audience, each.kind, canonical(each.data), season.instant(row.time))
        for row, step in steps
        for each in step.announcements
    ]
    rows = season.news.order_by("pk").values_list("row__number", "audience", "kind", "data", "at")
    stored: list[_Line] = [(row, audience, kind, canonical(data), at) for row, audience, kind, data, at in rows]
    if Counter(expected) != Counter(stored):
        return ["What was told is not what the log gives."]
    return _order("news", stored)


def _order(what: str, stored: list[_Line]) -> list[str]:
    """Whether rows were written in the order of the log, in which people read them. Lines begin with the row's number;
    those of one row may have any order."""
    numbers = [line[0] for line in stored]
    return [] if numbers == sorted(numbers) else [f"The {what} are not in the order of the log."]


def _compare_matches(season: Season, rows: list[SeasonRow], steps: list[tuple[LogRow, Step]]) -> list[str]:
    """What each match's own log says its players brought, and how it ended, against the season's."""
    found = []
    writer = Writer(season, season.started_at or season.created_at)
    ended = replaying.results_in(map(log.plain, rows))
    for key, brought in replaying.brought_to(steps).items():
        if key not in writer.matches:
            found.append(f"Match {key} is missing.")
            continue
        match = writer.matches[key].match
        if brought != opened_with(match):
            found.append(f"Match {key} did not open with what its players brought.")
        if key in ended and not match.is_over:
            found.append(f"Match {key} is not over, but the season has its result.")
        elif key in ended and ended[key] != writer.peek(key):
            found.append(f"Match {key} did not end as the season has it.")
    return found
