"""What a replay of a match gives, against what is stored: state, settings, ledger, auction book, news and results."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

import msgspec
from django.db.models import QuerySet

from matches.engine.core import FINISHED
from matches.engine.ledger import BLOOD_GARNET, GARNET
from matches.engine.step import Step
from matches.models import Match, PlayerResult, Result, Submission
from matches.services.draws import Drawn, public_draws
from matches.services.storage import log
from matches.services.storage.ledger import results_of
from matches.services.verification import clock_replay

_Line = tuple[Any, ...]
_COMMAND = Submission.Kind.COMMAND


@dataclass(frozen=True, slots=True)
class Replayed:
    """A match, the rows of its log that did something in the play, each with its step, and all that was drawn. `at`:
    when what a row did has happened; None for all rows where a program has moved the clock by hand."""

    match: Match
    steps: Sequence[tuple[Submission, Step[Any]]]
    drawn: Sequence[Drawn]
    at: Callable[[Submission], datetime | None]

    @classmethod
    def of(cls, match: Match, steps: Sequence[tuple[Submission, Step[Any]]], drawn: Sequence[Drawn]) -> Replayed:
        """The same with `at` as the match's clock has it."""
        return cls(match, steps, drawn, clock_replay.instants(match))

    @property
    def state(self) -> Any:
        """The last state."""
        return self.steps[-1][1].state

    @property
    def is_by_hand(self) -> bool:
        """Whether a program has moved the clock, so that no instants follow from the log."""
        return all(self.at(row) is None for row, _ in self.steps)


def state(replayed: Replayed) -> list[str]:
    """Whether the stored state is the last one of the replay."""
    match = replayed.match
    same = match.rules.encode_state(replayed.state).decode() == match.state
    return [] if same else ["The stored state is not what the log gives."]


def settings(replayed: Replayed) -> list[str]:
    """The settings that are stored against those that the state plays by. What was usual at the opening stays in force,
    whatever is usual by now."""
    match, used = replayed.match, replayed.state.config
    if match.rules.read_config(_laid_over(match.config, used.write())) == used:
        return []
    return ["The stored settings are not those that the log gives."]


def _laid_over(given: Any, below: Any) -> Any:
    """What is given, and what lies below it wherever nothing is; objects key by key."""
    if not (isinstance(given, dict) and isinstance(below, dict)):
        return given
    return {**below, **{key: _laid_over(value, below.get(key)) for key, value in given.items()}}


# -- tables --------------------------------------------------------------------------------------------


def ledger(replayed: Replayed) -> list[str]:
    """Entries of the rules. Blood garnets are not a part of the rules, and notes are the hosts' words: the records
    cover both where a command wrote them."""
    expected: list[_Line] = [
        (
            row.pk,
            p.giver,
            p.receiver,
            p.asset,
            p.amount,
            p.reason,
            _note(row.kind, ""),
            row.match_time,
            replayed.at(row),
        )
        for row, step in replayed.steps
        for p in step.postings
    ]
    ordered = replayed.match.ledger.order_by("pk")
    rows = ordered.exclude(asset=BLOOD_GARNET, submission__kind=_COMMAND).values_list(
        "submission_id", "giver__handle", "receiver__handle", "asset", "amount", "reason", "submission__kind", "note",
        "match_time", "at",
    )  # fmt: skip
    stored: list[_Line] = [
        (*facts, _note(kind, note), time, _seen(replayed, at)) for *facts, kind, note, time, at in rows
    ]
    return _difference("ledger", Counter(expected), Counter(stored)) or _order(
        "entries of the ledger", ordered, expected, stored
    )


def _note(kind: str, note: str) -> str | None:
    return None if kind == _COMMAND else note


def _seen(replayed: Replayed, at: datetime | None) -> datetime | None:
    """A stored instant, if it can be compared."""
    return None if replayed.is_by_hand else at


def bids(replayed: Replayed) -> list[str]:
    standing: dict[_Line, _Line] = {}
    expected: list[_Line] = []
    for row, step in replayed.steps:
        moment = (row.match_time, replayed.at(row))
        for bid in step.bids:
            slot = (bid.lot, bid.player, bid.asset)
            if bid.status != "standing" and slot in standing:
                expected.append((*standing.pop(slot), bid.status, *moment))
            elif bid.status == "standing":
                standing[slot] = (row.pk, *slot, bid.amount, bid.public, *moment)
            else:
                expected.append((row.pk, *slot, bid.amount, bid.public, *moment, bid.status, *moment))
    expected += [(*placed, "standing", None, None) for placed in standing.values()]
    stored: Counter[_Line] = Counter(
        (*facts, placed_time, _seen(replayed, placed_at), status, settled_time, _seen(replayed, settled_at))
        for *facts, placed_time, placed_at, status, settled_time, settled_at in replayed.match.bids.values_list(
            "placed_by_id", "lot", "player__handle", "asset", "amount", "public", "placed_time", "placed_at", "status",
            "settled_time", "settled_at",
        )
    )  # fmt: skip
    return _difference("auction book", Counter(expected), stored)


def announcements(replayed: Replayed) -> list[str]:
    """All announcements of the rules must be stored. Commands tell more than that, which the records cover; actions and
    deadlines tell nothing else."""
    match = replayed.match
    expected: list[_Line] = [
        (row.pk, item.audience, item.kind, _facts_of(item.data), row.match_time, replayed.at(row))
        for row, step in replayed.steps
        for item in step.announcements
    ]
    stored: list[_Line] = []
    more: list[_Line] = []
    for pk, audience, kind, data, time, at, row_kind in match.announcements.order_by("pk").values_list(
        "submission_id", "audience", "kind", "data", "match_time", "at", "submission__kind"
    ):
        line = (pk, audience, kind, _facts_of(data), time, _seen(replayed, at))
        stored.append(line)
        if row_kind != _COMMAND:
            more.append(line)
    found = []
    if missing := (Counter(expected) - Counter(stored)).total():
        found.append(f"The announcements are not what the log gives: {missing} missing or changed.")
    if extra := (Counter(more) - Counter(expected)).total():
        found.append(f"The announcements are not what the log gives: {extra} too many.")
    return found or _order("announcements", match.announcements.order_by("pk"), expected, stored)


def _facts_of(data: Mapping[str, Any]) -> str:
    """An announcement's data without the text of a refusal: a later release may word the same code differently."""
    return log.canonical({name: value for name, value in data.items() if name != "message"})


def holdings(replayed: Replayed) -> list[str]:
    match, sums = replayed.match, Counter[_Line]()
    for giver, receiver, asset, amount in match.ledger.values_list("giver_id", "receiver_id", "asset", "amount"):
        if giver is not None:
            sums[giver, asset] -= amount
        if receiver is not None:
            sums[receiver, asset] += amount
    stored = [each for player in match.players.prefetch_related("holdings") for each in player.holdings.all()]
    held = {(each.player_id, each.asset): each.amount for each in stored}
    wrong = [key for key in {*sums, *held} if sums.get(key, 0) != held.get(key, 0)]
    found = [f"A holding of {asset} is not the sum of its entries." for _, asset in sorted(wrong)]
    credit = replayed.state.core.garnet_credit
    if any(each.on_credit and not (each.asset == GARNET and credit) for each in stored):
        found.append("A player may spend on credit, and the log does not say so.")
    return found


def players(replayed: Replayed) -> list[str]:
    """That those play who stand in the log's opening, with what they brought; and how many actions of each were
    accepted, which numbers their receipts."""
    opening = next(json.loads(row.payload) for row, _ in replayed.steps)
    began = {(each["handle"], each["team"], each["garnets"], each["priority"]) for each in opening["players"]}
    stored = {(each.handle, each.team or None, each.garnets, each.priority) for each in replayed.match.players.all()}
    found = [f"{handle} is not the player of the log's opening." for handle, *_ in sorted(began ^ stored, key=str)]
    counted: Counter[int | None] = Counter()
    accepted = replayed.match.log.filter(own_number__isnull=False)
    for player, own_number in accepted.values_list("player_id", "own_number"):
        counted[player] = max(counted[player], own_number or 0)
    wrong = [each.handle for each in replayed.match.players.all() if each.action_count != counted[each.pk]]
    return list(dict.fromkeys(found)) + [f"The log has another number of actions of {handle}." for handle in wrong]


# -- results -------------------------------------------------------------------------------------------


def draws(replayed: Replayed) -> list[str]:
    """The result that is stored, if one is: nobody may have changed it, and before the end it would be a secret."""
    match = replayed.match
    stored = Result.objects.filter(match=match).first()
    given = [list(drawn) for drawn in public_draws(replayed.drawn, replayed.state)]
    if stored is None or (match.is_over and json.loads(log.canonical(given)) == stored.draws):
        return []
    return ["The stored result is not what the log gives."]


def results(replayed: Replayed) -> list[str]:
    """What is stored of each player's result: exactly what the log gives, and nothing before the end."""
    match, core = replayed.match, replayed.state.core
    ids = dict(match.players.values_list("handle", "pk"))
    expected = results_of(core, ids) if core.phase == FINISHED else []
    stored = PlayerResult.objects.filter(player__match=match).values_list("player", "won", "tokens", "candidate")
    return _difference("result of the players", Counter(map(msgspec.structs.astuple, expected)), Counter(stored))


def _order(what: str, rows: QuerySet[Any], expected: Sequence[_Line], stored: Sequence[_Line]) -> list[str]:
    """Whether rows that are all there (perhaps among others) were written in the order of the log, in which people read
    them. What one command wrote, in several rows of the log perhaps, may have any order."""
    rest, causes = iter(stored), list(rows.values_list("submission__number", "submission__received_at"))
    in_order = all(first <= second or at == then for (first, at), (second, then) in pairwise(causes))
    if in_order and all(line in rest for line in expected):
        return []
    return [f"The {what} are not in the order of the log."]


def _difference(name: str, expected: Counter[_Line], stored: Counter[_Line]) -> list[str]:
    missing, extra = expected - stored, stored - expected
    if not missing and not extra:
        return []
    return [f"The {name} is not what the log gives: {missing.total()} rows missing, {extra.total()} too many."]
