"""The writer of a match: everything that changes a match goes through it, in one transaction under the match's lock.

`locked_match` opens the transaction, locks the row, reads the clock once and gives a `Writer`. The writer passes due
deadlines, applies steps, and keeps log, bids, ledger and announcements consistent with the state; `save` stores the
match. After the commit it sends `match_changed` to whoever shows the changed views.
"""

from datetime import datetime, timedelta
from functools import partial
from typing import Any

import structlog
from django.db import transaction
from django.db.models import F

from matches.engine.core import FINISHED, PREGAME
from matches.engine.draw import Draw
from matches.engine.step import Step
from matches.engine.strict_json import canonical
from matches.models import Match, Player, Submission
from matches.services import outages, refusal_quota, signals
from matches.services.errors import MatchFault, RuleFailure, as_rule_failure
from matches.services.storage import log, new_rows
from matches.services.storage.new_rows import NewRows

logger = structlog.get_logger(__name__)

_MOST_DEADLINES = 10_000


class Writer:
    """A locked match inside its transaction.

    `now` is the instant read once under the lock, `time` the match time at that instant.
    """

    def __init__(self, match: Match, now: datetime) -> None:
        self.match = match
        self.now = now
        self.game = match.rules
        self.draw = Draw(match.chance)
        self.rows = NewRows()
        self._loaded = dict(vars(match))
        self._state: Any = None
        self._due_of: tuple[Any, timedelta | None] | None = None
        self._moved = False
        self.is_unsaved = False
        """Whether something was recorded since the last `save`."""
        self._public = False
        self.touched: set[int] = set()
        self.closing: timedelta | None = None
        """The deadline that a host lets pass now, which no outage delays."""
        self._ids: dict[str, int] | None = None

    # -- reading ---------------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        """The state of the rules; None before the opening. Decoded when first needed, so that whatever needs no rules
        works even if they fail or are unknown."""
        if self._state is None and self.match.state:
            with as_rule_failure():
                self._state = self.game.decode_state(self.match.state)
        return self._state

    @state.setter
    def state(self, state: Any) -> None:
        self._state = state

    @property
    def time(self) -> timedelta:
        """The match time at `now`, but never before the last event, whatever the system's clock does."""
        time = self.match.clock.time(self.now)
        try:
            state = self.state
        except (RuleFailure, MatchFault):  # nothing can be played then, so the clock alone is enough
            return time
        return time if state is None else max(time, state.core.time)

    @property
    def is_open(self) -> bool:
        """Whether the match's clock runs and play goes on."""
        return self.match.status == Match.Status.OPEN

    @property
    def player_ids(self) -> dict[str, int]:
        """Handle -> id of all players."""
        if self._ids is None:
            self._ids = dict(Player.objects.filter(match_id=self.match.pk).values_list("handle", "pk"))
        return self._ids

    def forget_players(self) -> None:
        """Forget the cached `player_ids`, because players have been added or removed."""
        self._ids = None

    def known(self, user_id: int | None, key: str) -> Submission | None:
        """The log's row with this user's key, if it has been used. Keys belong to users, not to places."""
        with_it = Submission.objects.filter(match_id=self.match.pk, user=user_id, key=key)
        return with_it.exclude(key="").first()  # the exclusion lets the database use the partial index

    def refuse_beyond_quota(self, player: Player) -> None:
        """Raise `TooManyRefused` if the log takes no more refused actions of this player for now."""
        refusal_quota.refuse_beyond_quota(player, self.now)

    # -- deadlines -------------------------------------------------------------------------------

    def pass_due(self, *, ahead: bool = False) -> int:
        """Do what is due by now, in order, each at its own time: end a pause, pass deadlines, extend deadlines that
        fell into an outage. Returns how many things it did. `ahead`: see `outages.extend`."""
        with as_rule_failure():
            return outages.resume_due(self) + self._pass_due(ahead)

    def clock_moves(self) -> None:
        """Called before an outage moves the match's clock; a subclass may raise."""

    def _pass_due(self, ahead: bool) -> int:
        passed = 0
        while self.is_open and self.state is not None:
            due = self._due()
            passed += 1
            if passed > _MOST_DEADLINES:
                raise RuleFailure("one deadline after another, without end")
            if due != self.closing and outages.extend(self, due, ahead=ahead):
                continue
            if due is None or due > self.time:
                return passed - 1
            row = self.row({"deadline": due // timedelta(microseconds=1)}, kind=Submission.Kind.DEADLINE, time=due)
            self.record(row, self.game.pass_deadline(self.state, self.draw))
        return passed

    # -- writing ---------------------------------------------------------------------------------

    def row(
        self,
        payload: dict[str, Any],
        *,
        kind: str = Submission.Kind.COMMAND,
        actor: str = "clock",
        user_id: int | None = None,
        key: str = "",
        time: timedelta | None = None,
        at: datetime | None = None,
    ) -> Submission:
        """A row for `record`; by default a command of the site itself, at the present instant and match time."""
        return log.new_row(
            kind=kind,
            actor=actor,
            user_id=user_id,
            payload=canonical(payload),
            received_at=self.now if at is None else at,
            match_time=self.time if time is None else time,
            accepted=True,
            key=key,
        )

    def record(self, row: Submission, step: Step[Any] | None = None, *, note: str = "") -> Submission:
        """Append a row to the log, and apply its step, if it has one. `note` goes to the ledger entries."""
        self.is_unsaved = True
        with as_rule_failure():
            self.rows.log.append(log.append(self.match, row))
            was_over = self.match.is_over
            if step is not None:
                self._apply(row, step, note)
            self._write()
        if self.match.is_over and not was_over:
            ended_at = self.match.closed_at
            self.record(self.row({"command": log.ENDED}))
            self.match.closed_at = ended_at
        elif self.match.is_over and row.kind == Submission.Kind.COMMAND and not log.is_private_command(row):
            # The log is public by now, so its head may be shown after each row that everybody can read.
            self.match.closed_head, self.match.closed_at = row.hash, self.now
        return row

    def _write(self) -> None:
        """Write the rows at once, because a command may read them next."""
        self.rows.write()

    def _apply(self, row: Submission, step: Step[Any], note: str) -> None:
        before, self.state, self._moved = self.state, step.state, True
        cause = new_rows.Cause(self.match, row, self._instant(row.match_time), row.match_time)
        new_rows.add_bids(self.rows, cause, step.bids, self.player_ids)
        new_rows.add_postings(self.rows, cause, step.postings, self.player_ids, step.state.core, note)
        new_rows.add_announcements(self.rows, cause, step.announcements, self.player_ids)
        self.touch(public=step.public, players={self.player_ids[h] for h in step.touched})
        if step.state.core.phase != PREGAME and (before is None or before.core.phase == PREGAME):
            self.match.pregame_ended_at = cause.at
        ends = step.state.core.phase == FINISHED and (before is None or before.core.phase != FINISHED)
        if ends or closes(row, step):
            self.match.closed_head, self.match.closed_at = row.hash, cause.at
        if ends:
            self.match.status = Match.Status.FINISHED
            self.match.finished_at = cause.at
            self.rows.results += new_rows.results_of(step.state.core, self.player_ids)

    def _instant(self, time: timedelta) -> datetime:
        """The instant of a match time, so that a late machine dates a deadline at its own time; never after `now`."""
        instant = self.match.clock.instant(time)
        return self.now if instant is None else min(instant, self.now)

    def announce(self, row: Submission, audience: str, kind: str, /, **data: Any) -> None:
        """Store an announcement of the platform (those of the rules come with a step)."""
        cause = new_rows.Cause(self.match, row, self.now, row.match_time)
        item = new_rows.RulesAnnouncement(audience, kind, data)
        new_rows.add_announcements(self.rows, cause, (item,), self.player_ids)
        self._write()

    def touch(self, *, public: bool = False, players: set[int] | frozenset[int] = frozenset()) -> None:
        """Note that the public view, or the private views of players (ids), have changed."""
        self._public = self._public or public
        self.touched |= players

    def touch_all(self) -> None:
        """Note that every view has changed."""
        self.touch(public=True, players=set(self.player_ids.values()))

    def finish_action(self, acted: Player | None = None) -> None:
        """Store the match after a player's action. `acted` is the player if it was accepted."""
        self.save(acted=acted)

    def save(self, *, acted: Player | None = None) -> None:
        """Store the match and the versions of views. `acted` is a player whose action was accepted."""
        self._take_position()
        self._store(acted)

    def _take_position(self) -> None:
        """Write the state and the next deadline to the match's fields. Raises `RuleFailure`."""
        with as_rule_failure():
            if self._moved:
                self.match.state = self.game.encode_state(self.state).decode()
            self.match.next_deadline_at = self.next_deadline_at()

    def save_words(self) -> None:
        """Store a command that only says something. It works even if the rules fail, because nothing has happened in
        the play then. Otherwise a start, a deadline or the end of a pause may have come just before, or an outage may
        have moved one; then it does the same as `save`."""
        is_due = self._moved or bool(set(self.changed()) - {"log_count", "log_head"})
        self.match.announcements_version += 1
        if is_due:
            self.save()
        else:
            self._store(None)

    def _store(self, acted: Player | None) -> None:
        self.is_unsaved = False
        self.match.public_version += self._public
        self.match.save(update_fields=self.changed())
        self._save_players(acted)
        self._tell_after_commit()

    def changed(self) -> list[str]:
        """Names of the match's fields that have changed since it was locked."""
        present = (field.attname for field in self.match._meta.concrete_fields)
        return [each for each in present if each in self._loaded and getattr(self.match, each) != self._loaded[each]]

    def next_deadline_at(self) -> datetime | None:
        """The start of a coming match, or the next deadline of an open one; None if there is none."""
        match = self.match
        if match.status == Match.Status.SCHEDULED:
            return None if match.start_problem else match.starts_at
        if not self.is_open or self.state is None:
            return None
        due = self._due()
        return None if due is None else match.clock.instant(due)

    def _due(self) -> timedelta | None:
        """The state's next deadline, computed once for each state."""
        state = self.state
        if self._due_of is None or self._due_of[0] is not state:
            self._due_of = (state, self.game.next_deadline(state))
        return self._due_of[1]

    def _save_players(self, acted: Player | None) -> None:
        others = self.touched - ({acted.pk} if acted else set())
        if acted is not None:
            acted.version += 1
            acted.action_count += 1
            acted.save(update_fields=("version", "action_count"))
        if others:
            Player.objects.filter(pk__in=others).update(version=F("version") + 1)

    def _tell_after_commit(self) -> None:
        if not (self._public or self.touched):
            return
        tell = partial(
            _tell,
            match_id=self.match.pk,
            head=self.match.log_count,
            public=self._public,
            players=frozenset(self.touched),
        )
        transaction.on_commit(tell, robust=True)  # a failing receiver must not make a stored command look refused


def closes(row: Submission, step: Step[Any]) -> bool:
    """Whether everybody sees that a row closed something. Only then is the head of the log published, so that nobody
    can tell from a new head that somebody has sealed something. Nobody can guess a row's content from its hash, because
    each row has its own salt."""
    return row.kind == Submission.Kind.DEADLINE and step.public


def _tell(**changes: Any) -> None:
    for receiver, response in signals.match_changed.send_robust(sender=Match, **changes):
        if isinstance(response, Exception):
            # A lost push does no harm, and must not make a stored action look refused.
            logger.error("push_failed", receiver=str(receiver), error=repr(response))
