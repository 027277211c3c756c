"""Replaying a match from its log, to compare the result with what is stored, and to find its draws."""

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import lru_cache
from typing import Any

import structlog
from django.db import DatabaseError, transaction

from matches.engine.core import BLOOD_GARNET
from matches.engine.draw import Draw, commitment
from matches.engine.settings import Entrant
from matches.engine.step import Step
from matches.games.registry import UnknownRules
from matches.models import Match, Submission
from matches.services import verification
from matches.services.draws import Drawn, Recorder, public_draws
from matches.services.storage import log

CHECKS: tuple[Callable[[verification.Replayed], list[str]], ...] = (
    verification.status,
    verification.state,
    verification.clock_is_right,
    verification.ledger,
    verification.blood_garnets,
    verification.bids,
    verification.holdings,
    verification.players,
    verification.results,
)
"""What is compared after the replay. Each check returns a sentence for each difference."""

_WITHOUT_STATE = (Match.Status.DRAFT, Match.Status.SCHEDULED, Match.Status.CANCELLED)


def verify(match: Match) -> list[str]:
    """Check a match against its log, and return the differences, one sentence each."""
    try:
        broken = log.broken_at(match)
    except Exception as error:  # a stored value that this program cannot have written
        return [f"The log cannot be read: {type(error).__name__}: {error}."]
    if broken is not None:
        return [f"The log's chain of hashes breaks at row {broken}."]
    found = _broken_promises(match)
    if not match.state:
        return found + ([] if match.status in _WITHOUT_STATE else [f"The match is {match.status}, and has no state."])
    if isinstance(match.rules, UnknownRules):
        return [*found, match.rules.problem]
    try:
        steps = [(row, step) for row, step in played(match, Draw(match.chance)) if step is not None]
        replayed = verification.Replayed(match, steps)
        return found + [sentence for check in CHECKS for sentence in check(replayed)]
    except Exception as error:  # any failure of the replay is a finding
        return [*found, f"Playing the log again fails: {type(error).__name__}: {error}."]


def _broken_promises(match: Match) -> list[str]:
    """A sentence if the seed is not the one whose hash the log promised before the start; otherwise nothing."""
    rows = match.log.filter(kind=Submission.Kind.COMMAND, player=None, payload__contains='"seed_hash"')
    promised = {json.loads(payload).get("seed_hash") for payload in rows.values_list("payload", flat=True)}
    seed = {match.seed_hash, commitment(bytes.fromhex(match.seed))}
    if promised != seed and (promised or match.state):
        return ["The seed is not the one that was promised before the start."]
    return []


def verify_live(owner: Any, check: Callable[[Any], list[str]] = verify) -> list[str]:
    """The same for a match or season (`owner`) that may be running: if something seems wrong, check it again under a
    lock, while nobody can act in it."""
    if not (found := check(owner)):
        return found
    with transaction.atomic():
        return check(type(owner)._default_manager.select_for_update().get(pk=owner.pk))


def played(match: Match, draw: Draw) -> Iterator[tuple[Submission, Step[Any] | None]]:
    """The rows of the log, oldest first, each with the step that it made, if any. Raises whatever the rules raise."""
    state: Any = None
    for row in match.log.select_related("player").order_by("number").iterator():
        step = step_of(match.rules, draw, state, row)
        state = state if step is None else step.state
        yield row, step


def step_of(game: Any, draw: Draw, state: Any, row: Submission) -> Step[Any] | None:
    """The step that a row makes from a state; None if it does not change the play. Raises whatever the rules raise."""
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
            raise ValueError(f"row {row.number} does not belong to the player that it names")
        if not row.accepted:
            return None
        handle = row.player.handle if row.player else ""
        return game.submit(state, handle, payload, row.match_time, draw)  # type: ignore[no-any-return]
    command = log.command_of(payload)
    if command == "open":
        config = game.read_config(payload["config"])
        roster = tuple(Entrant(p["handle"], p["team"], p["garnets"], p["priority"]) for p in payload["players"])
        return game.open(config, roster, draw)  # type: ignore[no-any-return]
    if command == "correct" and payload["asset"] != BLOOD_GARNET:
        return game.correct(  # type: ignore[no-any-return]
            state, payload["player"], payload["asset"], payload["amount"], row.match_time
        )
    if command == "act":
        return game.act_as_host(state, payload["action"], row.match_time, draw)  # type: ignore[no-any-return]
    if command == "amend":
        changes = {key: after for key, (_, after) in payload["changes"].items()}
        return game.amend(state, changes, row.match_time)  # type: ignore[no-any-return]
    return None


# -- draws of matches that are over ------------------------------------------------------------------------

logger = structlog.get_logger(__name__)


def draws_of(match: Match) -> tuple[Drawn, ...]:
    """Every public draw of a match that is over, in the order in which they were made. Only a replay of the whole log
    finds them, which takes 40 µs for each row."""
    if not match.is_over or not match.state:
        return ()
    try:
        return _replayed(match.pk, match.log_head)
    except DatabaseError:
        raise
    except Exception:  # `manage.py verify` says why, and the page of the result must work all the same
        logger.exception("replay_failed", match=match.pk)
        return ()


@lru_cache(maxsize=64)
def _replayed(match_id: int, _: str) -> tuple[Drawn, ...]:
    """The public draws of a match, cached by its log head."""
    match, state = Match.objects.get(pk=match_id), None
    recorder = Recorder(match.chance)
    for _row, step in played(match, recorder):
        state = state if step is None else step.state
    return public_draws(recorder.drawn, state)
