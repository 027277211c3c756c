"""What all commands of hosts share: the check of permission, the lock, and the row in the log."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction

from matches.models import Match, Player, Submission, clock
from matches.services.errors import CommandRefused, Refused
from matches.services.insiders import is_insider, note_insiders
from matches.services.locking import lock_row, locked_match
from matches.services.opening import open_due
from matches.services.storage import log
from matches.services.storage.retry import retrying
from matches.services.writer import Writer


class NotAHost(Refused):
    code = "not_a_host"
    status = 403


class AlreadyDone(CommandRefused):
    """The same command arrived a second time: a double click, a reload. Nothing more was done."""

    code = "already_done"


def is_host(match: Match, user: Any) -> bool:
    """Whether a person runs this match: its hosts and superusers, never one of its players."""
    if not (user.is_authenticated and user.is_active):
        return False
    if match.players.filter(user_id=user.pk).exists():
        return False
    return bool(user.is_superuser or match.hosts.filter(pk=user.pk).exists())


def need_host(match: Match, user: Any) -> None:
    """Raise `NotAHost` unless this person runs the match."""
    if not is_host(match, user):
        raise NotAHost("Only this match's hosts can do that, and nobody hosts a match they play in.")


@contextmanager
def command(match: Match, host: Any, *, key: str = "", settle: bool = True) -> Iterator[Writer]:
    """The match, locked and brought up to now, for a host's command.

    `key` is a one-time key of the command: if the log already has it, `AlreadyDone` is raised.
    `settle=False` does not pass due deadlines, so that a match whose rules fail can be cancelled.
    """
    need_host(match, host)
    with locked_match(match.pk) as writer:
        note_insiders(writer.match, [host], writer.now)
        if key and Submission.objects.filter(match=writer.match, actor=actor_of(host), key=key).exists():
            raise AlreadyDone("That has been done already.")
        if settle:
            open_due(writer)
            writer.pass_due()
        yield writer


@retrying
def open_console(match: Match, user: Any) -> None:
    """Note that a person opens a match's console: from now on they can never play in it. Raises `NotAHost` for a player
    of the match, even for one who became a player a moment ago."""
    if is_insider(match, user):
        return
    with transaction.atomic():
        locked = lock_row(match.pk)
        need_host(locked, user)
        note_insiders(locked, [user], clock.now())


def need_own(match: Match, player: Player) -> None:
    """Raise `CommandRefused` for somebody who plays in another match."""
    if player.match_id != match.pk:
        raise CommandRefused("That is not a player of this match.", field="player")


def actor_of(host: Any) -> str:
    """A host as the log names them."""
    return f"host:{host.username}"


def command_row(writer: Writer, host: Any, name: str, *, key: str = "", **data: Any) -> Submission:
    """The log's row of a command, not yet recorded."""
    return Submission(
        kind=Submission.Kind.COMMAND,
        actor=actor_of(host),
        user_id=host.pk,
        payload=log.canonical({"command": name, **data}),
        received_at=writer.now,
        match_time=writer.time,
        accepted=True,
        key=key,
    )


def need_status(writer: Writer, *statuses: str, otherwise: str) -> None:
    """Raise `CommandRefused` unless the match is in one of these statuses."""
    if writer.match.status not in statuses:
        label = Match.Status(writer.match.status).label.lower()
        raise CommandRefused(f"{otherwise} This match is {label}.")
