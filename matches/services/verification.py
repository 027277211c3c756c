"""The checks of `replay.verify`: each compares what a replay gives with what is stored, and returns sentences."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from matches.engine.chain import differences
from matches.engine.core import BLOOD_GARNET, FINISHED, GARNET
from matches.engine.step import Step
from matches.models import LedgerEntry, Match, PlayerResult, Submission
from matches.models.clock import MatchClock
from matches.services import blood
from matches.services.storage import log
from matches.services.storage.log import command_of
from matches.services.storage.new_rows import results_of

# -- clock replay ----------------------------------------------------------------------------------------
# Replaying a match's clock from its log, which has every pause and extension.

_MICROSECOND = timedelta(microseconds=1)
_MOVES = {
    "open",
    "pause",
    "resume",
    "resume_at",
    "extend",
    "close_deadline",
    "outage",
    "cancel",
}
BY_HAND = "scenario"
"""The command of a row after which a program sets the clock, so that no instants follow from the log."""

_TAKEN_BACK = {"pause", "extend"}


@dataclass(frozen=True, slots=True)
class ClockThen:
    """A match's clock at some point of the log, and if it is paused, since when and when it resumes by itself."""

    clock: MatchClock
    paused_at: datetime | None = None
    resumes_at: datetime | None = None


def clock_is_right(replayed: Replayed) -> list[str]:
    """Compare the stored clock with that to which the pauses, extensions and changes in the log lead."""
    match = replayed.match
    found = last(match)
    if found is None:
        return []
    stored = ClockThen(match.clock, match.paused_at, match.resumes_at)
    return [] if found == stored else ["The match's clock does not match the log."]


def last(match: Match) -> ClockThen | None:
    """The clock at the end of the log; None before the opening, or if a program sets the clock."""
    found = _all(match)
    return found[-1][1] if found and not _is_by_hand(match) else None


def _is_by_hand(match: Match) -> bool:
    """Whether a program sets the clock, as for scenarios."""
    rows = match.log.filter(kind=Submission.Kind.COMMAND, actor="site")
    return rows.filter(payload__startswith=f'{{"command":"{BY_HAND}"').exists()


def _all(match: Match) -> list[tuple[int, ClockThen]]:
    found: ClockThen | None = None
    kept = []
    for row, payload, following in _rows(match):
        found = _after(found, match, row, payload, following)
        kept.append((row.number, found))
    return kept


def clocks(match: Match) -> list[tuple[int, ClockThen]]:
    """Pairs of a row's number and the clock from then on, in order, beginning with the opening."""
    kept = _all(match)
    if len(kept) < 2:  # nothing has moved the clock since the opening, except perhaps a program
        return [(0, ClockThen(match.clock))]
    return kept


def _rows(match: Match) -> Iterator[tuple[Submission, Any, Submission | None]]:
    """The rows that move the clock, each with its payload and the row after it."""
    for row, following in pairwise([*match.log.exclude(kind=Submission.Kind.ACTION).order_by("number"), None]):
        if row is not None and row.kind == Submission.Kind.COMMAND and row.accepted:
            payload = json.loads(row.payload)
            if payload.get("command") in _MOVES or log.command_of(payload) in _TAKEN_BACK:
                yield row, payload, following


def _after(
    found: ClockThen | None, match: Match, row: Submission, payload: Any, following: Submission | None
) -> ClockThen:
    """The clock after a row."""
    time, now = row.match_time, row.received_at
    if found is None or payload["command"] == "open":
        return ClockThen(MatchClock(match.opened_at, timedelta(), match.speed))
    clock = found.clock
    match payload["command"]:
        case "pause":
            return ClockThen(clock.stopped(now).showing(time), now, _instant(payload.get("until")))
        case "resume_at":
            return ClockThen(clock, found.paused_at, _instant(payload["at"]))
        case "resume":
            return ClockThen(clock.started(_instant(payload.get("at")) or now))
        case "extend":
            return ClockThen(clock.held(now, timedelta(seconds=payload["by"])).showing(time))
        case "close_deadline" if following is not None and following.kind == Submission.Kind.DEADLINE:
            return ClockThen(clock.jumped(now, json.loads(following.payload)["deadline"] * _MICROSECOND))
        case log.UNDO if payload["what"] == "extend":
            return replace(found, clock=clock.released(timedelta(seconds=payload["by"])))
        case log.UNDO if found.paused_at is not None:
            return ClockThen(clock.started(found.paused_at))
        case "outage":
            by, held = timedelta(seconds=payload["by"]), datetime.fromisoformat(payload["from"])
            return ClockThen(clock.held(held, by).showing(time))
        case "cancel":
            return ClockThen(MatchClock(None, time, match.speed))
    return found


def _instant(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


# -- what is stored -----------------------------------------------------------------------------------

_Line = tuple[Any, ...]
_COMMAND = Submission.Kind.COMMAND


@dataclass(frozen=True, slots=True)
class Replayed:
    """A replayed match: the rows of its log that changed the play, each with its step."""

    match: Match
    steps: Sequence[tuple[Submission, Step[Any]]]

    @property
    def state(self) -> Any:
        """The last state."""
        return self.steps[-1][1].state


def status(replayed: Replayed) -> list[str]:
    """Check that the match is finished exactly if its play is, unless a host has cancelled it."""
    match, phase = replayed.match, replayed.state.core.phase
    if match.status == Match.Status.CANCELLED:
        is_so = match.log.filter(kind=_COMMAND, accepted=True, payload__startswith='{"command":"cancel"').exists()
    else:
        statuses = (Match.Status.FINISHED,) if phase == FINISHED else Match.RUNNING
        is_so = match.status in statuses
    return [] if is_so else [f"The match is {match.status}, but its log says that its phase is {phase}."]


def state(replayed: Replayed) -> list[str]:
    """Compare the stored state with the last one of the replay."""
    match = replayed.match
    same = match.rules.encode_state(replayed.state).decode() == match.state
    return [] if same else ["The stored state does not match the log."]


# -- tables --------------------------------------------------------------------------------------------


def ledger(replayed: Replayed) -> list[str]:
    """Compare the entries that the rules made."""
    expected: list[_Line] = [
        (row.pk, p.giver, p.receiver, p.asset, p.amount, p.reason, row.match_time)
        for row, step in replayed.steps
        for p in step.postings
    ]
    rows = replayed.match.ledger.exclude(asset=BLOOD_GARNET, submission__kind=_COMMAND).values_list(
        "submission_id", "giver__handle", "receiver__handle", "asset", "amount", "reason", "match_time"
    )
    return differences("ledger", Counter(expected), Counter(rows))


def blood_garnets(replayed: Replayed) -> list[str]:
    """Compare the entries of blood garnets, which the rules do not know: opening balances, corrections and growth."""
    match, held = replayed.match, Counter[int]()
    expected, stored = Counter[_Line](), Counter[_Line]()
    for entry in LedgerEntry.objects.filter(match=match, asset=BLOOD_GARNET, submission__kind=_COMMAND):
        if entry.giver_id is not None:
            stored[entry.submission_id, entry.giver_id, -entry.amount] += 1
        if entry.receiver_id is not None:
            stored[entry.submission_id, entry.receiver_id, entry.amount] += 1
    players = {player.handle: player for player in match.players.all()}
    for row in match.log.filter(kind=_COMMAND, player=None, accepted=True).order_by("number"):
        payload, moved = json.loads(row.payload), Counter[int]()
        match command_of(payload):
            case "open":
                moved.update({each.pk: blood.units_of(each.blood_garnets) for each in players.values()})
            case "correct" if payload["asset"] == BLOOD_GARNET:
                moved[players[payload["player"]].pk] = payload["amount"]
            case "grow_blood_garnets":
                moved.update({pk: blood.grown(units) - units for pk, units in held.items() if units > 0})
        held.update(moved)
        expected.update({(row.pk, pk, units): 1 for pk, units in moved.items() if units})
    return differences("ledger of blood garnets", expected, stored)


def bids(replayed: Replayed) -> list[str]:
    """Compare every bid and its result."""
    standing: dict[_Line, _Line] = {}
    expected: list[_Line] = []
    for row, step in replayed.steps:
        for bid in step.bids:
            slot = (bid.lot, bid.player, bid.asset)
            if bid.status != "standing" and slot in standing:
                expected.append((*standing.pop(slot), bid.status, row.match_time))
            elif bid.status == "standing":
                standing[slot] = (row.pk, *slot, bid.amount, bid.public, row.match_time)
            else:
                expected.append((row.pk, *slot, bid.amount, bid.public, row.match_time, bid.status, row.match_time))
    expected += [(*placed, "standing", None) for placed in standing.values()]
    stored = replayed.match.bids.values_list(
        "placed_by_id", "lot", "player__handle", "asset", "amount", "public", "placed_time", "status", "settled_time"
    )
    return differences("auction book", Counter(expected), Counter(stored))


def holdings(replayed: Replayed) -> list[str]:
    """Check that every holding is the sum of its entries."""
    match, sums = replayed.match, Counter[_Line]()
    for giver, receiver, asset, amount in match.ledger.values_list("giver_id", "receiver_id", "asset", "amount"):
        if giver is not None:
            sums[giver, asset] -= amount
        if receiver is not None:
            sums[receiver, asset] += amount
    stored = [each for player in match.players.prefetch_related("holdings") for each in player.holdings.all()]
    held = {(each.player_id, each.asset): each.amount for each in stored}
    wrong = [key for key in {*sums, *held} if sums.get(key, 0) != held.get(key)]
    found = [f"A balance of {asset} is not the sum of its entries." for _, asset in sorted(wrong)]
    credit = replayed.state.core.garnet_credit
    if any(each.on_credit and not (each.asset == GARNET and credit) for each in stored):
        found.append("A player may spend on credit, and the log does not say so.")
    return found


def players(replayed: Replayed) -> list[str]:
    """Compare the players and what they brought with the log's row of the opening; and their counts of accepted
    actions, which number their receipts."""
    opening = next(json.loads(row.payload) for row, _ in replayed.steps)
    began = {(each["handle"], each["team"], each["garnets"], each["priority"]) for each in opening["players"]}
    stored = {(each.handle, each.team or None, each.garnets, each.priority) for each in replayed.match.players.all()}
    found = [f"{handle} does not match the log's opening." for handle, *_ in sorted(began ^ stored, key=str)]
    counted: Counter[int | None] = Counter()
    accepted = replayed.match.log.filter(own_number__isnull=False)
    for player, own_number in accepted.values_list("player_id", "own_number"):
        counted[player] = max(counted[player], own_number or 0)
    wrong = [each.handle for each in replayed.match.players.all() if each.action_count != counted[each.pk]]
    return list(dict.fromkeys(found)) + [f"The log has a different number of actions by {handle}." for handle in wrong]


def results(replayed: Replayed) -> list[str]:
    """Compare each player's stored result; before the end there must be none."""
    match, core = replayed.match, replayed.state.core
    ids = dict(match.players.values_list("handle", "pk"))
    expected = results_of(core, ids) if core.phase == FINISHED else []
    given = [(each.player_id, each.won, each.tokens, each.candidate) for each in expected]
    stored = PlayerResult.objects.filter(player__match=match).values_list("player", "won", "tokens", "candidate")
    return differences("result of the players", Counter(given), Counter(stored))
