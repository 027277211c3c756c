"""Bugs in what is stored of a match or season: locks, transactions, keys, deadlines, books."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import timedelta
from typing import Any
from unittest import mock

import msgspec
from django.db import transaction

from matches.api import endpoint
from matches.models import LedgerEntry, Match, Submission, clock
from matches.services import actions, deadlines, locking, writer
from matches.services.group import batch, queue
from matches.services.group import writer as group_writer
from matches.services.group.asks import Unusual
from matches.services.group.memory import Memory
from matches.services.storage import ledger, log, many, new_rows, recall
from seasons.services import writer as seasons
from simulation.planted.planting import both, bug, without

_NO_TRANSACTION = without(transaction, atomic=nullcontext, on_commit=lambda tell, robust=False: tell())


@bug("a lone action without lock and transaction")
def _lone_action_without_lock() -> AbstractContextManager[Any]:
    return both(
        mock.patch.object(locking, "transaction", _NO_TRANSACTION),
        mock.patch.object(locking, "hurried", nullcontext),
        mock.patch.object(writer, "transaction", _NO_TRANSACTION),
    )


@bug("a group without lock and transaction")
def _group_without_lock_transaction() -> AbstractContextManager[Any]:
    return both(
        mock.patch.object(batch, "transaction", _NO_TRANSACTION),
        mock.patch.object(writer, "transaction", _NO_TRANSACTION),
    )


def _pass_nothing(self: Any) -> int:
    return 0


@bug("a deadline passed after an action that came later")
def _deadline_after_action_came() -> AbstractContextManager[Any]:
    return mock.patch.object(group_writer.GroupedWriter, "pass_due", _pass_nothing)


@bug("an answer before the commit")
def _answer_before_commit() -> AbstractContextManager[Any]:
    real, waiting = batch.together, list[Any]()

    def lazily(asks: Sequence[Any], memory: Memory) -> Any:
        while waiting:
            real(waiting.pop(0), memory)
        with transaction.atomic():
            judged = batch._Batch(asks, memory)
            judged.judge()
            transaction.set_rollback(True)
        waiting.append(asks)
        return judged.outcomes

    return mock.patch.object(queue, "together", lazily)


@bug("a push before the commit")
def _push_before_commit() -> AbstractContextManager[Any]:
    early = without(transaction, on_commit=lambda tell, robust=False: tell())
    return mock.patch.object(writer, "transaction", early)


@bug("a match's row that was read before it was locked")
def _matchs_row_read_before() -> AbstractContextManager[Any]:
    real, known = locking.lock_row_now, dict[int, Match]()

    def stale(match_id: int, *, wait: bool = True) -> Any:
        found = known.pop(match_id, None)
        match, now = real(match_id, wait=wait)
        known[match_id] = recall.copied(match)
        return found or match, now

    return mock.patch.object(locking, "lock_row_now", stale)


@bug("a kept state that is not compared with the head of the log")
def _kept_state_not_compared() -> AbstractContextManager[Any]:
    real = Memory.positions

    def trusting(self: Any, matches: Sequence[Match]) -> Any:
        for match in matches:
            if match.pk in self._positions:
                self._positions[match.pk] = self._positions[match.pk]._replace(head=match.log_head)
        return real(self, matches)

    return mock.patch.object(Memory, "positions", trusting)


@bug("an idempotency key that is ignored")
def _idempotency_key_ignored() -> AbstractContextManager[Any]:
    def nothing(self: Any, actor: str, key: str) -> None:
        return None

    return both(
        mock.patch.object(group_writer.GroupedWriter, "known", nothing),
        mock.patch.object(writer.Writer, "known", nothing),
    )


@bug("a second try under another key")
def _second_try_under_another() -> AbstractContextManager[Any]:
    real = batch.together

    def again(asks: Sequence[Any], memory: Memory) -> Any:
        found = real(asks, memory)
        return real([ask._replace(key=ask.key and f"{ask.key}-2") for ask in asks], memory) and found

    return mock.patch.object(queue, "together", again)


@bug("a lone action that loses its key")
def _lone_action_loses_its() -> AbstractContextManager[Any]:
    def keyless(match_id: int, user_id: int, raw: Any, key: str = "") -> Any:
        return actions.submit_action(match_id, user_id, raw)

    def alone(asks: Sequence[Any], memory: Memory) -> Any:
        return [Unusual.ALONE] * len(asks)

    return both(mock.patch.object(endpoint, "submit_action", keyless), mock.patch.object(queue, "together", alone))


@bug("deadlines two seconds early")
def _deadlines_two_seconds_early() -> AbstractContextManager[Any]:
    real: Any = writer.Writer.time

    def early(self: Any) -> timedelta:
        return real.fget(self) + timedelta(seconds=2)  # type: ignore[no-any-return]

    def swept_early() -> Any:
        with mock.patch.object(writer.Writer, "time", property(early)):
            return real_sweep()

    real_sweep = deadlines.sweep
    shifted: Any = without(clock, ask=lambda: clock.ask() + timedelta(seconds=2))
    return both(mock.patch.object(deadlines, "sweep", swept_early), mock.patch.object(deadlines, "clock", shifted))


@bug("a deadline whose effects are booked twice")
def _deadline_whose_effects_are() -> AbstractContextManager[Any]:
    real = ledger.add_postings

    def twice(found: Any, cause: Any, postings: Any, *more: Any) -> None:
        real(found, cause, postings, *more)
        if cause.row.kind == Submission.Kind.DEADLINE:
            real(found, cause, postings, *more)

    return mock.patch.object(ledger, "add_postings", twice)


@bug("a ledger entry that is not written")
def _ledger_entry_not_written() -> AbstractContextManager[Any]:
    real = many.insert

    def losing(model: Any, found: Any) -> Any:
        return real(model, found[:-1] if model is LedgerEntry else found)

    return mock.patch.object(new_rows, "many", without(many, insert=losing))


@bug("a row of the log that is not chained")
def _row_log_not_chained() -> AbstractContextManager[Any]:
    real = log.append

    def unchained(match: Match, row: Submission) -> Submission:
        if match.log_count % 7 == 6:
            match.log_head = "0" * 64
        return real(match, row)

    return mock.patch.object(log, "append", unchained)


@bug("a next deadline that is not stored")
def _next_deadline_not_stored() -> AbstractContextManager[Any]:
    real = writer.Writer.next_deadline_at

    def forgetful(self: Any) -> Any:
        return self.match.next_deadline_at if self.is_open and self.match.log_count % 3 else real(self)

    return mock.patch.object(writer.Writer, "next_deadline_at", forgetful)


@bug("a match's time by the process's own clock")
def _matchs_time_by_own_clock() -> AbstractContextManager[Any]:
    own = property(lambda self: self.match.clock.time(clock.now()))
    return mock.patch.object(writer.Writer, "time", own)


@bug("a group that stores all matches but one")
def _group_stores_all_matches() -> AbstractContextManager[Any]:
    real = group_writer.store
    return mock.patch.object(batch, "store", lambda writers: real(writers[:1]))


@bug("a season that books everything twice")
def _season_books_everything_twice() -> AbstractContextManager[Any]:
    real = seasons.Writer._apply

    def twice(self: Any, row: Any, step: Any) -> None:
        doubled = {"transfers": (*step.transfers, *step.transfers)}
        real(self, row, msgspec.structs.replace(step, **doubled))

    return mock.patch.object(seasons.Writer, "_apply", twice)
