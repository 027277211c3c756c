"""What hosts do to a match: every command is one transaction, and stands in the log with its host.

All raise `CommandRefused` with a sentence where the command cannot be carried out now, and
`NotAHost` where the person does not host the match.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from matches.engine.durations import seconds
from matches.engine.errors import Rejected
from matches.engine.ledger import BLOOD_GARNET, GARNET, PRIORITY, TOL
from matches.engine.step import EVERYONE, to_player
from matches.models import Match, Player, Submission
from matches.models.ledger import shown_amount
from matches.services import blood, opening
from matches.services.actions import Answer, submit_for
from matches.services.commands import command, command_row, need_host, need_own, need_status
from matches.services.errors import CommandRefused
from matches.services.guards import retrying, rules
from matches.services.writer import Writer

LONGEST_EXTENSION = timedelta(days=30)


# -- before the start ----------------------------------------------------------------------------


@retrying
def publish(match: Match, host: Any, starts_at: datetime | None = None) -> None:
    """Announce the match to everyone and start it at an instant; at once where None is given.

    Invited matches must be ready; one that anyone can join may still be short of players.
    """
    with command(match, host) as writer:
        need_status(writer, "draft", "scheduled", otherwise="Only a draft can be published.")
        row = writer.match
        start = starts_at or writer.now
        if start < writer.now:
            raise CommandRefused("The start lies in the past. Choose a later instant, or now.")
        opens_now = start == writer.now
        if opens_now:
            opening.fill_places(writer)
        may_wait = not opens_now and row.joining == Match.Joining.OPEN
        found = opening.setting_problems(row) if may_wait else opening.problems(row)
        if found:
            raise CommandRefused("Not ready. " + " ".join(found))
        row.status, row.starts_at = Match.Status.SCHEDULED, start
        writer.record(command_row(writer, host, "publish", starts_at=start.isoformat()))
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
    with command(match, host) as writer:
        need_status(writer, "scheduled", otherwise="Only a coming match can go back to being a draft.")
        writer.match.status, writer.match.starts_at = Match.Status.DRAFT, None
        writer.record(command_row(writer, host, "unpublish"))
        writer.touch_all()
        writer.save()


# -- the clock -------------------------------------------------------------------------------------


@retrying
def pause(match: Match, host: Any, reason: str = "") -> None:
    """Stop the match's clock; nothing is due and nothing is taken until it goes on."""
    with command(match, host, settle=not _is_at_fault(match)) as writer:
        need_status(writer, "open", otherwise="Only a running match can be paused.")
        row = writer.match
        if row.anchor_at is not None:  # what is left of an extension is not lost by pausing in it
            row.hold_left = max(row.anchor_at - writer.now, timedelta())
        row.anchor_at, row.anchor_time = None, writer.time
        row.status, row.paused_at = Match.Status.PAUSED, writer.now
        entry = writer.record(command_row(writer, host, "pause", reason=reason))
        writer.announce(entry, EVERYONE, "match_paused", reason=reason)
        writer.touch_all()
        writer.save()


@retrying
def resume(match: Match, host: Any) -> None:
    """Let the clock go on from where it stood."""
    with command(match, host) as writer:
        need_status(writer, "paused", otherwise="Only a paused match can go on.")
        row = writer.match
        row.status, row.anchor_at, row.paused_at = Match.Status.OPEN, writer.now + row.hold_left, None
        row.hold_left = timedelta()
        entry = writer.record(command_row(writer, host, "resume"))
        writer.announce(entry, EVERYONE, "match_resumed")
        writer.touch_all()
        writer.save()


@retrying
def extend(match: Match, host: Any, by: timedelta, reason: str = "", *, key: str = "") -> None:
    """Make every deadline come `by` later: the clock stands still that long, play goes on.

    The same `key` a second time raises `AlreadyDone`: two clicks must not extend twice.
    """
    with command(match, host, key=key) as writer:
        need_status(writer, "open", otherwise="Only a running match can be extended.")
        if not timedelta() < by <= LONGEST_EXTENSION:
            raise CommandRefused("Extend by more than nothing and at most 30 days.")
        row = writer.match
        held = row.clock.held(writer.now, by)
        row.anchor_at, row.anchor_time = held.anchor_at, max(held.anchor_time, writer.time)
        entry = writer.record(command_row(writer, host, "extend", by=seconds(by), reason=reason, key=key))
        writer.announce(entry, EVERYONE, "deadline_extended", by=seconds(by), reason=reason)
        writer.touch_all()
        writer.save()


@retrying
def close_deadline(match: Match, host: Any, reason: str = "", *, expected: timedelta | None = None) -> None:
    """Jump to the present deadline: it passes now, and everything behind it comes earlier.

    `expected` is the match time of the deadline that the host means: if another one is the next by
    now, nothing is closed.
    """
    with command(match, host) as writer:
        need_status(writer, "open", otherwise="Only a running match has a deadline to close.")
        with rules():
            due = writer.game.next_deadline(writer.state)
        if due is None:
            raise CommandRefused("There is no deadline to close.")
        if expected is not None and expected != due:
            raise CommandRefused("That deadline has moved or passed meanwhile. Look at the present one first.")
        row = writer.match
        jumped = row.clock.jumped(writer.now, due)
        row.anchor_at, row.anchor_time = jumped.anchor_at, jumped.anchor_time
        entry = writer.record(command_row(writer, host, "close_deadline", reason=reason))
        writer.announce(entry, EVERYONE, "deadline_closed_early", reason=reason)
        writer.touch_all()
        writer.pass_due()
        writer.save()


@retrying
def cancel(match: Match, host: Any, reason: str) -> None:
    """End the match without a result. Nothing is erased."""
    # A match whose rules fail must not need them to be ended.
    with command(match, host, settle=not _is_at_fault(match)) as writer:
        need_status(writer, "draft", "scheduled", "open", "paused", otherwise="It cannot be cancelled.")
        if not reason.strip():
            raise CommandRefused("Say why the match is cancelled; everybody will read it.", field="reason")
        row = writer.match
        if row.status == Match.Status.DRAFT:
            row.starts_at = None  # nobody was ever told of it, and nobody is now
        row.anchor_time = writer.time if row.state else row.anchor_time
        row.anchor_at = None
        row.status, row.finished_at = Match.Status.CANCELLED, writer.now
        entry = writer.record(command_row(writer, host, "cancel", reason=reason))
        writer.announce(entry, EVERYONE, "match_cancelled", reason=reason)
        writer.touch_all()
        writer.save()


def _is_at_fault(match: Match) -> bool:
    return Match.objects.filter(pk=match.pk).exclude(fault="").exists()


@retrying
def clear_fault(match: Match, host: Any) -> None:
    """Try a match again that was set aside because its rules failed."""
    with command(match, host, settle=False) as writer:
        writer.match.failures, writer.match.fault = 0, ""
        writer.match.save(update_fields=["failures", "fault"])
        writer.record(command_row(writer, host, "clear_fault"))
        writer.save()


# -- balances, decisions, secrets ------------------------------------------------------------------


@retrying
def correct_balance(
    match: Match, host: Any, player: Player, asset: str, amount: int, reason: str, *, key: str = ""
) -> None:
    """Book a correction: `amount` in stored units gives, below zero takes. The reason is shown to
    the player; nothing is ever edited. The same `key` a second time raises `AlreadyDone`.

    What the rules refuse is in the log, too: how much cannot be taken tells something of what is sealed."""
    reason = reason.strip()
    need_own(match, player)
    with command(match, host, key=key) as writer:
        if writer.state is None:
            raise CommandRefused("Before the match opens, edit the opening balances instead.")
        need_status(writer, "open", "paused", "finished", otherwise="Its ledger is closed.")
        if not reason:
            raise CommandRefused("A correction needs a reason.")
        if not amount:
            raise CommandRefused("A correction of nothing is none.")
        if asset not in correctable_assets(writer.match):
            raise CommandRefused(f"This match has no asset {asset}.")
        facts = {"player": player.handle, "asset": asset, "amount": amount, "reason": reason}
        entry = command_row(writer, host, "correct", key=key, **facts)
        if asset == BLOOD_GARNET:
            _correct_blood(writer, entry, player, amount, reason)
            refusal = None
        else:
            refusal = _correct(writer, entry, player, asset, amount, reason)
        if refusal is None:
            writer.announce(
                entry,
                to_player(player.handle),
                "balance_corrected",
                asset=asset,
                player=player.handle,
                amount=str(shown_amount(asset, amount)),
                reason=reason,
            )
        writer.save()
    if refusal is not None:
        raise CommandRefused(refusal.message, field="amount") from refusal


def correctable_assets(match: Match) -> tuple[str, ...]:
    """What a correction may move in this match now; after the end only what is carried out."""
    series = (GARNET, PRIORITY, BLOOD_GARNET)
    if match.status == Match.Status.FINISHED:
        return series
    return (*series, TOL, *match.rules.assets)


def _correct(
    writer: Writer, entry: Submission, player: Player, asset: str, amount: int, reason: str
) -> Rejected | None:
    """Record a correction, or its refusal, which comes back; without its key, so that it can be tried again."""
    try:
        with rules():
            step = writer.game.correct(writer.state, player.handle, asset, amount, writer.time)
    except Rejected as rejection:
        entry.accepted, entry.code, entry.message, entry.key = False, rejection.code, rejection.message, ""
        writer.record(entry)
        return rejection
    writer.record(entry, step, note=reason[:300])
    return None


def _correct_blood(writer: Writer, entry: Submission, player: Player, units: int, reason: str) -> None:
    held = player.holdings.filter(asset=BLOOD_GARNET).values_list("amount", flat=True).first() or 0
    if held + units < 0:
        raise CommandRefused("That would leave fewer blood garnets than none.", field="amount")
    writer.record(entry)
    blood.post(writer, entry, player, units, "correction", note=reason[:300])


def decide_for(match: Match, host: Any, player: Player, raw: dict[str, Any]) -> Answer:
    """Make a decision that a player cannot make: naming, a vote, or gifts. The log names the host,
    and everyone is told that a host decided."""
    need_host(match, host)
    need_own(match, player)
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
    with command(match, host) as writer:
        need_own(match, player)
        if not reason.strip():
            raise CommandRefused("Say why you need to look; the players will see it afterwards.")
        if writer.state is None:
            raise CommandRefused("Nothing has been submitted yet.")
        with rules():
            found = writer.game.sealed_submission(writer.state, player.handle)
        writer.record(command_row(writer, host, "peek", player=player.handle, reason=reason.strip()))
        writer.save()
        return found


@retrying
def switch_blood_garnets(match: Match, host: Any, on: bool, *, key: str = "") -> None:
    """Let the players' blood garnets grow from the next daily moment on, or stop it. The same `key` a second time
    raises `AlreadyDone`: the console's switch would undo at the second click what the first has done."""
    with command(match, host, key=key) as writer:
        row = writer.match
        row.blood_garnets = on
        row.blood_grows_at = blood.next_growth(row, writer.now) if on else None
        writer.record(command_row(writer, host, "blood_garnets", on=on, key=key))
        writer.touch(players=set(writer.player_ids.values()))  # their own pages say whether it grows
        writer.save()
