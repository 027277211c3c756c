"""Plays a match again from its log and compares: the result must equal everything that is stored of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from typing import Any

from django.db import transaction

from matches.engine.draw import Draw
from matches.engine.ledger import BLOOD_GARNET
from matches.engine.roster import Entrant
from matches.engine.step import Step
from matches.games.unknown_rules import UnknownRules
from matches.models import Match, Player, Submission
from matches.services import chance, records, summing
from matches.services.draws import Recorder
from matches.services.locking import lock_row
from matches.services.storage import log, sql
from matches.services.verification import deadlines, holders, leniency, status, stored, told, undone, voice

WITHOUT_RULES: tuple[Callable[[Match], list[str]], ...] = (
    records.compare,
    told.compare,
    told.compare_outbox,
    voice.compare,
    holders.compare,
    undone.compare,
    leniency.compare,
    chance.compare,
    status.compare_before,
    deadlines.compare,
)
"""What is compared by the log alone, of every match. Each gives a sentence for each difference."""

AFTER_A_REPLAY: tuple[Callable[[stored.Replayed], list[str]], ...] = (
    stored.state,
    status.compare,
    stored.settings,
    stored.ledger,
    stored.bids,
    stored.announcements,
    stored.holdings,
    stored.players,
    stored.draws,
    stored.results,
)
"""What is compared once the match has been played again."""

LAST: tuple[Callable[[Match], list[str]], ...] = (summing.compare,)
"""What says less of a difference than all of these."""


def verify(match: Match) -> list[str]:
    """The differences found, one sentence each; an empty list if there are none."""
    return list(differences(match))


def differences(match: Match) -> Iterator[str]:
    """The same, one after another: who wants to know only whether there is any asks for the first."""
    try:
        broken = log.broken_at(match)
    except Exception as error:  # a column that holds what no program of ours wrote there
        yield f"The log cannot be read: {type(error).__name__}: {error}."
        return
    if broken is not None:
        yield f"The log's chain of hashes breaks at row {broken}."
        return
    yield from _all(WITHOUT_RULES, match)
    if match.state:
        yield from _by_the_rules(match)
    yield from _all(LAST, match)


def _by_the_rules(match: Match) -> Iterator[str]:
    if isinstance(match.rules, UnknownRules):
        yield match.rules.problem
        return
    try:
        recorder = Recorder(match.chance)
        steps = [(row, step) for row, step in played(match, recorder) if step is not None]
        replayed = stored.Replayed.of(match, steps, recorder.drawn)
    except Exception as error:  # whatever goes wrong in a replay is the finding
        yield f"Playing the log again fails: {type(error).__name__}: {error}."
        return
    yield from _all(AFTER_A_REPLAY, replayed)


def _all(checks: Iterable[Callable[[Any], list[str]]], of: Any) -> Iterator[str]:
    """What they find. One that what is stored makes impossible has found something, too."""
    for check in checks:
        try:
            found = check(of)
        except Exception as error:
            what = f"{check.__module__.rpartition('.')[2]}.{check.__name__}"
            found = [f"Something that is stored cannot be compared ({what}): {type(error).__name__}: {error}."]
        yield from found


def verify_live(match: Match) -> list[str]:
    """The same for a match that may be going on: what seems wrong is looked at again while nobody can act in it."""
    if not (found := verify(match)):
        return found
    with transaction.atomic():
        return verify(lock_row(match.pk))


def replay(match: Match, draw: Draw) -> tuple[Any, list[tuple[int, Step[Any]]]]:
    """The state to which the log leads, and the step that each row made. Raises whatever the rules raise."""
    steps = [(row.pk, step) for row, step in played(match, draw) if step is not None]
    return steps[-1][1].state if steps else None, steps


def played(match: Match, draw: Draw) -> Iterator[tuple[Submission, Step[Any] | None]]:
    """The rows of the log, oldest first, each with the step that it made, if any. Raises whatever the rules raise."""
    state: Any = None
    for row in _rows(match):
        step = step_of(match.rules, draw, state, row)
        state = state if step is None else step.state
        yield row, step


def _rows(match: Match) -> list[Submission]:
    """The rows of the log, oldest first, with their players."""
    players: dict[int | None, Player] = {each.pk: each for each in sql.fetch(Player, "match_id = %s", match.pk)}
    rows = sql.fetch(Submission, "match_id = %s ORDER BY number", match.pk)
    for row in rows:
        # Somebody of another match, whom only tampering names, is read when asked for.
        if (player := players.get(row.player_id)) is not None:
            row._state.fields_cache["player"] = player
    return rows


def step_of(game: Any, draw: Draw, state: Any, row: Submission) -> Step[Any] | None:
    """What a row does to a state; None if it does nothing to the play. Raises whatever the rules raise."""
    payload = json.loads(row.payload)
    if row.kind == Submission.Kind.COMMAND and not row.accepted:
        return None
    if row.kind == Submission.Kind.DEADLINE:
        due = game.next_deadline(state)
        if due is None or due // timedelta(microseconds=1) != payload["deadline"]:
            raise ValueError(f"row {row.number} passes a deadline that is not there")
        return game.pass_deadline(state, draw)  # type: ignore[no-any-return]
    if row.kind == Submission.Kind.ACTION:
        if row.actor.startswith("player:") and (row.player is None or row.actor != f"player:{row.player.handle}"):
            raise ValueError(f"row {row.number} is not of the player that it names")
        if not row.accepted:
            return None
        handle = row.player.handle if row.player else ""
        return game.submit(state, handle, payload, row.match_time, draw)  # type: ignore[no-any-return]
    command = undone.command_of(payload)
    if command == "open":
        config = game.read_config(payload["config"])
        roster = tuple(Entrant(p["handle"], p["team"], p["garnets"], p["priority"]) for p in payload["players"])
        return game.open(config, roster, draw)  # type: ignore[no-any-return]
    if command == "correct" and payload["asset"] != BLOOD_GARNET:
        return game.correct(  # type: ignore[no-any-return]
            state, payload["player"], payload["asset"], payload["amount"], row.match_time
        )
    if command == "amend":
        changes = {key: after for key, (_, after) in payload["changes"].items()}
        return game.amend(state, changes, row.match_time)  # type: ignore[no-any-return]
    return None
