"""What a match allows to those who need more time: how many graces, and bots for those who are away."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from matches.engine.match_time import seconds
from matches.engine.step import EVERYONE
from matches.models import GraceUse, Leniency, Match, Player, Submission
from matches.services.actions import find_player, refuse_while_a_bot_plays
from matches.services.by_itself import told_of_deadline
from matches.services.commands import command, command_row, need_status
from matches.services.errors import CommandRefused, KeyConflict
from matches.services.locking import locked_match
from matches.services.storage.retry import as_rule_failure, retrying
from matches.services.writer import Writer

MOST_GRACES = 9
LONGEST_GRACE = timedelta(days=7)


def leniency_of(match: Match) -> Leniency:
    """What was chosen for a match."""
    return Leniency.objects.filter(pk=match.pk).first() or Leniency(match=match)


@retrying
def choose(match: Match, host: Any, *, graces: int, grace_by: timedelta, bots_stand_in: bool, key: str = "") -> None:
    """Choose it, before the match begins: everybody plays under the same from beginning to end. Raises
    `CommandRefused`, `NotAHost`, and for the same `key` a second time `AlreadyDone`."""
    with command(match, host, key=key) as writer:
        need_status(writer, *Match.BEFORE, otherwise="This is fixed when the match begins.")
        if not 0 <= graces <= MOST_GRACES:
            raise CommandRefused(f"Each player can have 0 to {MOST_GRACES} graces.", field="graces")
        if not timedelta() < grace_by <= LONGEST_GRACE:
            raise CommandRefused(f"A grace is at most {LONGEST_GRACE.days} days long.", field="grace_by")
        chosen = {"graces": graces, "grace_by": grace_by, "bots_stand_in": bots_stand_in}
        Leniency.objects.update_or_create(match=writer.match, defaults=chosen)
        data = {**chosen, "grace_by": seconds(grace_by)}
        writer.record(command_row(writer, host, "leniency", key=key, **data))
        writer.touch_all()
        writer.save()


def on_duplicated(source: Match, draft: Match, **_: Any) -> None:
    """A receiver of `signals.match_duplicated`: the same again."""
    chosen = Leniency.objects.filter(pk=source.pk).first()
    if chosen is not None:
        chosen.pk = draft.pk
        chosen.save(force_insert=True)


def graces_left(match: Match, player_id: int) -> int:
    """How many graces a place still has."""
    return max(0, leniency_of(match).graces - GraceUse.objects.filter(player=player_id).count())


def done_before(writer: Writer, player: Player, key: str, *commands: str) -> Submission | None:
    """The row of the log at which this key of a player stands, if it is one of these commands. Raises `KeyConflict` for
    a key that was used for something else."""
    row = writer.known(player.user_id, key) if key else None
    if row is None:
        return None
    if row.kind != Submission.Kind.COMMAND or json.loads(row.payload).get("command") not in commands:
        raise KeyConflict("This Idempotency-Key was used for something else. A new request takes a new key.")
    return row


@retrying
def take_grace(match_id: int, user_id: int | None, key: str = "") -> None:
    """Move the running deadline, and with it all later ones, for everybody. The rules do not know: it is the clock that
    waits, as when a host extends. Each deadline is moved once, whoever does it.

    Raises `NotAPlayer`, `BotPlays`, and `CommandRefused` with a code: `no_grace_left`, `grace_taken` (somebody has
    moved this deadline already), `no_deadline`. The same `key` a second time does nothing more; one that stands at
    something else is a `KeyConflict`.
    """
    with locked_match(match_id) as writer:
        player = find_player(match_id, user_id, writer.match)
        if done_before(writer, player, key, "grace") is not None:
            return
        refuse_while_a_bot_plays(player)
        writer.pass_due()
        with as_rule_failure():
            due = writer.game.next_deadline(writer.state) if writer.is_open and writer.state is not None else None
        if due is None:
            raise CommandRefused("No deadline is running that could be moved.", code="no_deadline")
        if GraceUse.objects.filter(match=writer.match, due=due).exists():
            raise CommandRefused("This deadline has been moved by a grace already.", code="grace_taken")
        left = graces_left(writer.match, player.pk)
        if not left:
            raise CommandRefused("You have no grace left in this match.", code="no_grace_left")
        by = leniency_of(writer.match).grace_by
        writer.match.extend_clock(writer.now, writer.time, by)
        data = {"player": player.handle, "by": seconds(by)}
        payload = {"command": "grace", "due": due // timedelta(microseconds=1), **data}
        entry = writer.record(writer.row(payload, actor=f"player:{player.handle}", user_id=user_id, key=key))
        GraceUse.objects.create(match=writer.match, player=player, submission=entry, due=due)
        takes = {"takes": seconds(by / writer.match.speed), "left": left - 1}
        writer.announce(entry, EVERYONE, "grace_taken", **data, **takes, **told_of_deadline(writer))
        writer.touch_all()
        writer.save()
