"""What hosts do to a match: every command is one transaction, and stands in the log with its host.

All raise `CommandRefused` with a sentence where the command cannot be carried out now, and
`NotAHost` where the person does not host the match.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from matches.engine.durations import seconds
from matches.engine.errors import Rejected
from matches.engine.ledger import BLOOD_GARNET
from matches.engine.step import EVERYONE
from matches.models import Match, Player, Submission
from matches.services import blood, log, opening
from matches.services.actions import Answer, submit_for
from matches.services.errors import CommandRefused, Refused
from matches.services.writer import Writer, locked_match, retrying, rules

LONGEST_EXTENSION = timedelta(days=30)


class NotAHost(Refused):
    code = "not_a_host"
    status = 403


def is_host(match: Match, user: Any) -> bool:
    """Whether a person runs this match: its hosts and superusers, never one of its players."""
    if not (user.is_authenticated and user.is_active):
        return False
    if match.players.filter(user_id=user.pk).exists():
        return False
    return bool(user.is_superuser or match.hosts.filter(pk=user.pk).exists())


@contextmanager
def _command(match: Match, host: Any) -> Iterator[Writer]:
    """The match locked and brought up to now, for a host's command."""
    if not is_host(match, host):
        raise NotAHost("Only this match's hosts can do that, and nobody hosts a match they play in.")
    with locked_match(match.pk) as writer:
        writer.pass_due()
        yield writer


def _row(writer: Writer, host: Any, command: str, **facts: Any) -> Submission:
    return Submission(
        kind=Submission.Kind.COMMAND,
        actor=f"host:{host.username}",
        user_id=host.pk,
        payload=log.canonical({"command": command, **facts}),
        received_at=writer.now,
        match_time=writer.time,
        accepted=True,
    )


def _need(writer: Writer, *statuses: str, otherwise: str) -> None:
    if writer.match.status not in statuses:
        label = Match.Status(writer.match.status).label.lower()
        raise CommandRefused(f"{otherwise} This match is {label}.")


# -- before the start ----------------------------------------------------------------------------


@retrying
def publish(match: Match, host: Any, starts_at: datetime | None = None) -> None:
    """Announce the match to everyone and start it at an instant; at once where None is given.

    Invited matches must be ready; one that anyone can join may still be short of players.
    """
    with _command(match, host) as writer:
        _need(writer, "draft", "scheduled", otherwise="Only a draft can be published.")
        row = writer.match
        start = starts_at or writer.now
        found = opening.problems(row)
        waits_for_players = row.joining == Match.Joining.OPEN and start > writer.now
        if waits_for_players:
            found = opening.setting_problems(row)
        if found:
            raise CommandRefused("Not ready. " + " ".join(found))
        if start < writer.now:
            raise CommandRefused("The start lies in the past. Choose a later instant, or now.")
        row.status, row.starts_at = Match.Status.SCHEDULED, start
        writer.record(_row(writer, host, "publish", starts_at=start.isoformat()))
        writer.touch_all()
        opening.open_due(writer)
        writer.pass_due()
        writer.save()


def start_now(match: Match, host: Any) -> None:
    """Open the match at this very moment."""
    publish(match, host, None)


@retrying
def unpublish(match: Match, host: Any) -> None:
    """Make a coming match a draft again."""
    with _command(match, host) as writer:
        _need(writer, "scheduled", otherwise="Only a coming match can go back to being a draft.")
        writer.match.status, writer.match.starts_at = Match.Status.DRAFT, None
        writer.record(_row(writer, host, "unpublish"))
        writer.touch_all()
        writer.save()


# -- the clock -------------------------------------------------------------------------------------


@retrying
def pause(match: Match, host: Any, reason: str = "") -> None:
    """Stop the match's clock; nothing is due and nothing is taken until it goes on."""
    with _command(match, host) as writer:
        _need(writer, "open", otherwise="Only a running match can be paused.")
        row = writer.match
        row.anchor_at, row.anchor_time = None, writer.time
        row.status, row.paused_at = Match.Status.PAUSED, writer.now
        entry = writer.record(_row(writer, host, "pause", reason=reason))
        writer.announce(entry, EVERYONE, "match_paused", reason=reason)
        writer.touch_all()
        writer.save()


@retrying
def resume(match: Match, host: Any) -> None:
    """Let the clock go on from where it stood."""
    with _command(match, host) as writer:
        _need(writer, "paused", otherwise="Only a paused match can go on.")
        row = writer.match
        row.status, row.anchor_at, row.paused_at = Match.Status.OPEN, writer.now, None
        entry = writer.record(_row(writer, host, "resume"))
        writer.announce(entry, EVERYONE, "match_resumed")
        writer.touch_all()
        writer.save()


@retrying
def extend(match: Match, host: Any, by: timedelta, reason: str = "") -> None:
    """Make every deadline come `by` later: the clock stands still that long, play goes on."""
    with _command(match, host) as writer:
        _need(writer, "open", otherwise="Only a running match can be extended.")
        if not timedelta() < by <= LONGEST_EXTENSION:
            raise CommandRefused("Extend by more than nothing and at most 30 days.")
        row = writer.match
        held = row.clock.held(writer.now, by)
        row.anchor_at, row.anchor_time = held.anchor_at, max(held.anchor_time, writer.time)
        entry = writer.record(_row(writer, host, "extend", by=seconds(by), reason=reason))
        writer.announce(entry, EVERYONE, "deadline_extended", by=seconds(by), reason=reason)
        writer.touch_all()
        writer.save()


@retrying
def close_deadline(match: Match, host: Any, reason: str = "") -> None:
    """Jump to the present deadline: it passes now, and everything behind it comes earlier."""
    with _command(match, host) as writer:
        _need(writer, "open", otherwise="Only a running match has a deadline to close.")
        with rules():
            due = writer.game.next_deadline(writer.state)
        if due is None:
            raise CommandRefused("There is no deadline to close.")
        row = writer.match
        jumped = row.clock.jumped(writer.now, due)
        row.anchor_at, row.anchor_time = jumped.anchor_at, jumped.anchor_time
        entry = writer.record(_row(writer, host, "close_deadline", reason=reason))
        writer.announce(entry, EVERYONE, "deadline_closed_early", reason=reason)
        writer.touch_all()
        writer.pass_due()
        writer.save()


@retrying
def cancel(match: Match, host: Any, reason: str) -> None:
    """End the match without a result. Nothing is erased."""
    with _command(match, host) as writer:
        _need(writer, "draft", "scheduled", "open", "paused", otherwise="It cannot be cancelled.")
        row = writer.match
        row.anchor_time = writer.time if row.state else row.anchor_time
        row.anchor_at = None
        row.status, row.finished_at = Match.Status.CANCELLED, writer.now
        entry = writer.record(_row(writer, host, "cancel", reason=reason))
        writer.announce(entry, EVERYONE, "match_cancelled", reason=reason)
        writer.touch_all()
        writer.save()


@retrying
def clear_fault(match: Match, host: Any) -> None:
    """Try a match again that was set aside because its rules failed."""
    with _command(match, host) as writer:
        writer.match.failures, writer.match.fault = 0, ""
        writer.match.save(update_fields=["failures", "fault"])
        writer.record(_row(writer, host, "clear_fault"))
        writer.save()


# -- balances, decisions, secrets ------------------------------------------------------------------


@retrying
def correct_balance(match: Match, host: Any, player: Player, asset: str, amount: int, reason: str) -> None:
    """Book a correction: `amount` in stored units gives, below zero takes. The reason is shown to
    the player; nothing is ever edited."""
    reason = reason.strip()
    with _command(match, host) as writer:
        if writer.state is None:
            raise CommandRefused("Before the match opens, edit the opening balances instead.")
        _need(writer, "open", "paused", "finished", otherwise="Its ledger is closed.")
        if not reason:
            raise CommandRefused("A correction needs a reason.")
        if not amount:
            raise CommandRefused("A correction of nothing is none.")
        if asset not in correctable_assets(match):
            raise CommandRefused(f"This match has no asset {asset}.")
        entry = _row(writer, host, "correct", player=player.handle, asset=asset, amount=amount, reason=reason)
        if asset == BLOOD_GARNET:
            _correct_blood(writer, entry, player, amount)
        else:
            _correct(writer, entry, player, asset, amount, reason)
        writer.announce(
            entry,
            f"player:{player.handle}",
            "balance_corrected",
            asset=asset,
            amount=str(amount),
            reason=reason,
        )
        writer.save()


def correctable_assets(match: Match) -> tuple[str, ...]:
    """What a correction may move in this match now; after the end only what is carried out."""
    series = ("garnet", "priority", BLOOD_GARNET)
    if match.status == Match.Status.FINISHED:
        return series
    return (*series, "tol", *match.rules.assets)


def _correct(writer: Writer, entry: Submission, player: Player, asset: str, amount: int, reason: str) -> None:
    try:
        with rules():
            step = writer.game.correct(writer.state, player.handle, asset, amount, writer.time)
    except Rejected as rejection:
        raise CommandRefused(rejection.message, field="amount") from rejection
    writer.record(entry, step)


def _correct_blood(writer: Writer, entry: Submission, player: Player, units: int) -> None:
    held = player.holdings.filter(asset=BLOOD_GARNET).values_list("amount", flat=True).first() or 0
    if held + units < 0:
        raise CommandRefused("That would leave fewer blood garnets than none.", field="amount")
    writer.record(entry)
    blood.post(writer, entry, player, units, "correction")


def decide_for(match: Match, host: Any, player: Player, raw: dict[str, Any]) -> Answer:
    """Make a decision that a player cannot make: naming, a vote, or gifts. The log names the host,
    and everyone is told that a host decided."""
    if not is_host(match, host):
        raise NotAHost("Only this match's hosts can do that, and nobody hosts a match they play in.")
    if raw.get("type") not in ("name_candidate", "vote", "give_tokens"):
        raise CommandRefused("A host can only make decisions for a player, never bids.")
    answer = submit_for(player, raw, by_host=host)
    if not answer.accepted:
        raise CommandRefused(answer.message, code=answer.code, field=answer.field)
    return answer


@retrying
def peek(match: Match, host: Any, player: Player, reason: str) -> Any:
    """Open a sealed submission: a deliberate act that stands in the log and that the players can
    see after the match. Returns what was submitted, JSON-able; None if nothing was."""
    with _command(match, host) as writer:
        if not reason.strip():
            raise CommandRefused("Say why you need to look; the players will see it afterwards.")
        if writer.state is None:
            raise CommandRefused("Nothing has been submitted yet.")
        with rules():
            found = writer.game.sealed_submission(writer.state, player.handle)
        writer.record(_row(writer, host, "peek", player=player.handle, reason=reason.strip()))
        writer.save()
        return found


@retrying
def switch_blood_garnets(match: Match, host: Any, on: bool) -> None:
    """Let the players' blood garnets grow from the next daily moment on, or stop it."""
    with _command(match, host) as writer:
        row = writer.match
        row.blood_garnets = on
        row.blood_grows_at = blood.next_growth(row, writer.now) if on else None
        writer.record(_row(writer, host, "blood_garnets", on=on))
        writer.save()
