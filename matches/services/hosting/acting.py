"""What hosts do inside the rules: a row of the log with the host's name, which is played again like an action."""

from typing import Any

from matches.engine.errors import Rejected
from matches.models import Match, Submission, clock
from matches.services.actions import read, refuse_unless_open
from matches.services.commands import command, command_row, need_status
from matches.services.errors import CommandRefused, as_rule_failure, retrying
from matches.services.writer import Writer

ACT = "act"


@retrying
def act_as_host(match: Match, host: Any, action: dict[str, Any], *, key: str = "") -> None:
    """Do what the rules let hosts do. Raises `CommandRefused` with the rules' code where they refuse it, which the log
    keeps: a refusal can tell what is private; `TooLarge`, `NotAHost`, and for the same `key` a second time
    `AlreadyDone`."""
    read(action, key)
    with command(match, host, key=key) as writer:
        need_status(writer, "open", otherwise="Hosts can act only in a running match.")
        refusal = judge_act(writer, command_row(writer, host, ACT, key=key, action=action), action)
    if refusal is not None:
        raise CommandRefused(refusal.message, code=refusal.code, field=refusal.field) from refusal


def judge_act(writer: Writer, entry: Submission, action: object) -> Rejected | None:
    """Record what a host does, or its refusal, which comes back; without its key, so that it can be tried again."""
    try:
        refuse_unless_open(writer.match)
        with as_rule_failure():
            step = writer.game.act_as_host(writer.state, action, writer.time, writer.draw)
    except Rejected as rejection:
        entry.accepted, entry.code, entry.message, entry.key = False, rejection.code, rejection.message, ""
        if not writer.match.is_over:
            writer.record(entry)
        return rejection
    writer.record(entry, step)
    writer.pass_due()
    return None


def would_refuse(match: Match, action: object) -> Rejected | None:
    """Why the rules would refuse this of a host now, or None; nothing is stored."""
    writer = Writer(match, clock.now())
    try:
        with as_rule_failure():
            writer.game.act_as_host(writer.state, action, writer.time, writer.draw)
    except Rejected as rejection:
        return rejection
    return None
