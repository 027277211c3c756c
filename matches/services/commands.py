"""What all commands of hosts share: the check of permission, the lock, and the row in the log."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.db import transaction

from matches.engine.sentences import SAY_WHY, Name
from matches.models import Match, Player, Role, Submission
from matches.services import blood
from matches.services.errors import CommandRefused, Refused, retrying
from matches.services.locking import lock_row_now, locked_match
from matches.services.opening import open_due
from matches.services.roles import is_insider, named_role, note_insiders
from matches.services.writer import Writer

Payload = Mapping[str, Any]
Told = Callable[[Match, Payload, Name], str]
"""A function that says for everybody what a host did, in words that follow the host's name: “paused the match”."""

HISTORY: dict[str, Told] = {}
"""Name of a command in the log -> what everybody reads of it. The declarations in `admin.commands` fill it."""


class NotAHost(Refused):
    code = "not_a_host"
    status = 403


class AlreadyDone(CommandRefused):
    """The same command arrived a second time, by a double click or a reload. The second did nothing."""

    code = "already_done"
    usual = "You have already done that."


ONLY_OBSERVES = "You are only observing: you see what hosts see but cannot change anything. Ask a host to do it."


class OnlyObserves(NotAHost):
    """An observer, who sees what hosts see, gave a command."""

    code = "only_observes"


class NotTheOwner(NotAHost):
    code = "not_the_owner"


def role_of(subject: Any, user: Any) -> Role | None:
    """A person's role in this match or season; None for who plays in it and for everybody who has none. Superusers
    count as its owner."""
    if not (user.is_authenticated and user.is_active) or _plays(subject, user):
        return None
    return Role.OWNER if user.is_superuser else named_role(subject, user)


def is_host(match: Match, user: Any) -> bool:
    """Whether a person may give commands in this match, as its hosts and superusers may, but no player or observer."""
    role = role_of(match, user)
    return role is not None and role.acts


def _plays(subject: Any, user: Any) -> bool:
    if "players" in getattr(subject, "_prefetched_objects_cache", ()):
        return any(player.user_id == user.pk for player in subject.players.all())
    return bool(subject.seats.filter(user_id=user.pk).exists())


def need_role(subject: Any, user: Any) -> Role:
    """The person's role, for what hosts and observers may see. Raises `NotAHost` if they have none."""
    role = role_of(subject, user)
    if role is None:
        raise NotAHost("Only hosts of this match or season can do that, and nobody can host what they play in.")
    return role


def need_host(subject: Any, user: Any) -> Role:
    """The person's role. Raises `OnlyObserves` if they observe the match or season, `NotAHost` unless they host it."""
    role = need_role(subject, user)
    if not role.acts:
        raise OnlyObserves(ONLY_OBSERVES)
    return role


def need_owner(subject: Any, user: Any) -> None:
    """Raise as `need_host`, and `NotTheOwner` for a host who does not own the match or season."""
    if not need_host(subject, user).owns:
        raise NotTheOwner("Only the owner can name hosts and observers, hand this over, or delete a draft.")


def need_new(owner: Any, user: Any, key: str) -> None:
    """Raise `AlreadyDone` if the log of a match or season (`owner`) has this one-time key of the user's."""
    if key and owner.log.filter(user_id=user.pk, key=key).exists():
        raise AlreadyDone


Need = Callable[[Match, Any], object]


@contextmanager
def command(
    match: Match, host: Any, *, key: str = "", settle: bool = True, words: bool = False, need: Need = need_host
) -> Iterator[Writer]:
    """Lock the match and bring it up to date for a host's command; store it afterwards, if anything was recorded.

    `need` raises `NotAHost` for people who may not; it is asked again under the lock, because roles may have changed.
    `key` is a one-time key of the command: if the log already has it, `AlreadyDone` is raised.
    `settle=False` passes no due deadlines and lets nothing grow, so that a match whose rules fail can be cancelled.
    `words`: the command does not touch the play, see `Writer.save_words`.
    """
    need(match, host)
    with locked_match(match.pk) as writer:
        need(writer.match, host)
        note_insiders(writer.match, [host], writer.now)
        need_new(writer.match, host, key)
        if settle:
            open_due(writer)
            writer.pass_due()
            blood.grow_due(writer)
        yield writer
        if writer.is_unsaved:
            (writer.save_words if words else writer.save)()


@retrying
def open_console(match: Match, user: Any) -> None:
    """Note that a person opens a match's console, as host or observer: from now on they can never play in it. Raises
    `NotAHost` for a player of the match, even for one who has only just become a player."""
    if is_insider(match, user):
        return
    with transaction.atomic():
        locked, now = lock_row_now(match.pk)
        need_role(locked, user)
        note_insiders(locked, [user], now)


def need_own(match: Match, player: Player) -> None:
    """Raise `CommandRefused` for a player of another match."""
    if player.match_id != match.pk:
        raise CommandRefused("There is no such player in this match.", field="player")


def need_reason(reason: str) -> str:
    """The reason without blanks around it. Raises `CommandRefused` if nothing is left."""
    if not reason.strip():
        raise CommandRefused(SAY_WHY, field="reason")
    return reason.strip()


def actor_of(host: Any) -> str:
    """The name of a host in the log's column `actor`."""
    return f"host:{host.username}"


def command_row(writer: Writer, host: Any, name: str, *, key: str = "", **data: Any) -> Submission:
    """The log's row of a command, not yet recorded."""
    return writer.row({"command": name, **data}, actor=actor_of(host), user_id=host.pk, key=key)


def need_status(writer: Writer, *statuses: str, otherwise: str) -> None:
    """Raise `CommandRefused` unless the match is in one of these statuses."""
    if writer.match.status not in statuses:
        label = Match.Status(writer.match.status).label.lower()
        raise CommandRefused(f"{otherwise} This match is {label}.")
