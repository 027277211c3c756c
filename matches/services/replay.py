"""Plays a match again from its log and compares: the result must equal the stored state, bids and ledger."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction

from matches.engine.core import FINISHED
from matches.engine.draw import Draw
from matches.engine.ledger import BLOOD_GARNET
from matches.engine.roster import Entrant
from matches.engine.step import Step
from matches.games.unknown_rules import UnknownRules
from matches.models import Match, Result, Submission
from matches.services.drawn import Drawn, Recorder, public_draws
from matches.services.locking import lock_row
from matches.services.storage import log

_Line = tuple[Any, ...]


def verify(match: Match) -> list[str]:
    """The differences found, one sentence each; an empty list if there are none."""
    found = []
    broken = log.broken_at(match)
    if broken is not None:
        return [f"The log's chain of hashes breaks at row {broken}."]
    if not match.state:
        return []
    if isinstance(match.rules, UnknownRules):
        return [match.rules.problem]
    try:
        recorder = Recorder(bytes.fromhex(match.seed))
        state, steps = replay(match, recorder)
    except Exception as error:  # whatever goes wrong in a replay is the finding
        return [f"Playing the log again fails: {type(error).__name__}: {error}."]
    if match.rules.encode_state(state).decode() != match.state:
        found.append("The stored state is not what the log gives.")
    found += _compare_life(match, state)
    found += _compare_settings(match, state)
    found += _compare_ledger(match, steps)
    found += _compare_bids(match, steps)
    found += _compare_announcements(match, steps)
    found += _compare_holdings(match)
    found += _compare_result(match, public_draws(recorder.drawn, state))
    return found


def verify_live(match: Match) -> list[str]:
    """The same for a match that may be going on: what seems wrong is looked at again while nobody can act in it."""
    if not (found := verify(match)):
        return found
    with transaction.atomic():
        return verify(lock_row(match.pk))


def _compare_life(match: Match, state: Any) -> list[str]:
    """Status and next deadline against the state; the seed against what was promised."""
    found = []
    is_over = state.core.phase == FINISHED
    if match.status != Match.Status.CANCELLED and is_over != (match.status == Match.Status.FINISHED):
        found.append(f"The match is {match.status}, but its phase is {state.core.phase}.")
    due = match.rules.next_deadline(state) if match.status == Match.Status.OPEN else None
    if match.next_deadline_at != (None if due is None else match.clock.instant(due)):
        found.append("The next deadline is not where the state has it.")
    opened = match.log.filter(kind=Submission.Kind.COMMAND, payload__contains='"command":"open"').first()
    if opened is None or json.loads(opened.payload)["seed_hash"] != match.seed_hash:
        found.append("The seed is not the one that was promised when the match opened.")
    return found


def _compare_settings(match: Match, state: Any) -> list[str]:
    """The settings that are stored against those that the state plays by. What was usual at the opening stays in force,
    whatever is usual by now."""
    game = match.rules
    played = state.config
    if game.read_config(_laid_over(match.config, played.write())) == played:
        return []
    return ["The stored settings are not those that the log gives."]


def _laid_over(given: Any, below: Any) -> Any:
    """What is given, and what lies below it wherever nothing is; objects key by key."""
    if not (isinstance(given, dict) and isinstance(below, dict)):
        return given
    return {**below, **{key: _laid_over(value, below.get(key)) for key, value in given.items()}}


def replay(match: Match, draw: Draw) -> tuple[Any, list[tuple[int, Step[Any]]]]:
    """The state to which the log leads, and the step that each row made. Raises whatever the rules raise."""
    game = match.rules
    state: Any = None
    steps: list[tuple[int, Step[Any]]] = []
    for row in match.log.select_related("player").order_by("number"):
        step = _step_of(game, draw, state, row)
        if step is not None:
            state = step.state
            steps.append((row.pk, step))
    return state, steps


def _step_of(game: Any, draw: Draw, state: Any, row: Submission) -> Step[Any] | None:
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
    if payload["command"] == "open":
        config = game.read_config(payload["config"])
        roster = tuple(Entrant(p["handle"], p["team"], p["garnets"], p["priority"]) for p in payload["players"])
        return game.open(config, roster, draw)  # type: ignore[no-any-return]
    if payload["command"] == "correct" and payload["asset"] != BLOOD_GARNET:
        return game.correct(  # type: ignore[no-any-return]
            state, payload["player"], payload["asset"], payload["amount"], row.match_time
        )
    if payload["command"] == "amend":
        changes = {key: after for key, (_, after) in payload["changes"].items()}
        return game.amend(state, changes, row.match_time)  # type: ignore[no-any-return]
    return None


def _compare_ledger(match: Match, steps: list[tuple[int, Step[Any]]]) -> list[str]:
    expected: Counter[_Line] = Counter(
        (row, p.giver, p.receiver, p.asset, p.amount, p.reason, step.state.core.time)
        for row, step in steps
        for p in step.postings
    )
    stored: Counter[_Line] = Counter(
        match.ledger.exclude(asset=BLOOD_GARNET).values_list(
            "submission_id", "giver__handle", "receiver__handle", "asset", "amount", "reason", "match_time"
        )
    )
    return _difference("ledger", expected, stored)


def _compare_bids(match: Match, steps: list[tuple[int, Step[Any]]]) -> list[str]:
    standing: dict[_Line, _Line] = {}
    expected: list[_Line] = []
    for row, step in steps:
        for bid in step.bids:
            slot = (bid.lot, bid.player, bid.asset)
            if bid.status != "standing" and slot in standing:
                placed_by, amount = standing.pop(slot)
                expected.append((placed_by, *slot, amount, bid.status))
            elif bid.status == "standing":
                standing[slot] = (row, bid.amount)
            else:
                expected.append((row, *slot, bid.amount, bid.status))
    expected += [(row, *slot, amount, "standing") for slot, (row, amount) in standing.items()]
    stored: Counter[_Line] = Counter(
        match.bids.values_list("placed_by_id", "lot", "player__handle", "asset", "amount", "status")
    )
    return _difference("auction book", Counter(expected), stored)


def _compare_announcements(match: Match, steps: list[tuple[int, Step[Any]]]) -> list[str]:
    """All announcements of the rules must be stored; the platform adds some of its own."""
    expected: Counter[_Line] = Counter(
        (row, item.audience, item.kind, _facts_of(item.data)) for row, step in steps for item in step.announcements
    )
    stored: Counter[_Line] = Counter(
        (row, audience, kind, _facts_of(data))
        for row, audience, kind, data in match.announcements.values_list("submission_id", "audience", "kind", "data")
    )
    missing = (expected - stored).total()
    return [f"The announcements are not what the log gives: {missing} missing or changed."] if missing else []


def _facts_of(data: Mapping[str, Any]) -> str:
    """An announcement's data without the text of a refusal: a later release may word the same code differently."""
    return log.canonical({name: value for name, value in data.items() if name != "message"})


def _compare_holdings(match: Match) -> list[str]:
    sums: Counter[_Line] = Counter()
    for giver, receiver, asset, amount in match.ledger.values_list("giver_id", "receiver_id", "asset", "amount"):
        if giver is not None:
            sums[giver, asset] -= amount
        if receiver is not None:
            sums[receiver, asset] += amount
    held = {
        (player.pk, holding.asset): holding.amount
        for player in match.players.prefetch_related("holdings")
        for holding in player.holdings.all()
    }
    wrong = [key for key in {*sums, *held} if sums.get(key, 0) != held.get(key, 0)]
    return [f"A holding of {asset} is not the sum of its entries." for _, asset in sorted(wrong)]


def _compare_result(match: Match, draws: tuple[Drawn, ...]) -> list[str]:
    """The result that is stored, if one is: nobody may have changed it, and before the end it would be a secret."""
    stored = Result.objects.filter(match=match).first()
    if stored is None or (match.is_over and stored.draws == [list(drawn) for drawn in draws]):
        return []
    return ["The stored result is not what the log gives."]


def _difference(name: str, expected: Counter[_Line], stored: Counter[_Line]) -> list[str]:
    missing, extra = expected - stored, stored - expected
    if not missing and not extra:
        return []
    return [f"The {name} is not what the log gives: {missing.total()} rows missing, {extra.total()} too many."]
