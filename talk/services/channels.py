"""Channels: what hosts choose about them, what somebody has read, and what becomes of a place's messages."""

from __future__ import annotations

from functools import partial
from typing import Any

import structlog
from django.db import IntegrityError, OperationalError, transaction
from django.dispatch import Signal
from msgspec.structs import asdict

from matches.models import Match
from matches.services.commands import command, command_row, need_status
from matches.services.errors import CommandRefused
from matches.services.opening import start_has_come
from matches.services.storage.retry import retrying
from talk.models import Message, Seen, TalkChoices
from talk.queries.rights import Choices, chosen_for

# -- signals ---------------------------------------------------------------------------------------------
# The signals of talk, sent after the commit.

# Sent with sender=Message, message_id (int), channel_id (int), match_id (int), mentioned (frozenset of user ids who
# were named and can read the message). Receivers must be quick and must not raise.
message_posted = Signal()

# Somebody has read a channel: sent with sender=Seen, channel_id, user. Receivers must be quick and must not raise.
channel_read = Signal()

# A message was hidden, so its channel is shown again. Sent with sender=Message, message_id, channel_id, match_id.
message_hidden = Signal()


# -- choosing --------------------------------------------------------------------------------------------
# What hosts choose about talk, before the match begins.

COMMAND = "choose_talk"
_BEGUN = "Nobody can change these choices about talk once the match has begun."


def in_words(chosen: Choices) -> str:
    """“public talk, private talk between players; hosts read what is private”."""
    kinds = [
        ("public", "public talk"),
        ("spectators", "spectators write too"),
        ("team", "channels of teams"),
        ("private", "private talk between players"),
        ("speeches", "words with gifts"),
    ]
    named = ", ".join(words for name, words in kinds if getattr(chosen, name)) or "not at all"
    return f"{named}; hosts {'can' if chosen.hosts_read else 'cannot'} read what is private"


@retrying
def choose(match: Match, host: Any, chosen: Choices) -> None:
    """Choose which kinds of talk a match has and whether its hosts read what is private. Logged, and fixed when the
    match begins. Raises `CommandRefused`, `NotAHost`."""
    with command(match, host) as writer:
        need_status(writer, *Match.BEFORE, otherwise=_BEGUN)
        if start_has_come(writer.match, writer.now):
            raise CommandRefused(_BEGUN)
        if chosen == chosen_for(writer.match):
            return
        TalkChoices.objects.update_or_create(match=writer.match, defaults=asdict(chosen))
        said = f"chose how people can talk: {in_words(chosen)}"
        writer.record(command_row(writer, host, COMMAND, said=said, **asdict(chosen)))
        writer.touch(public=True)
        writer.save()


def copy_choices(source: Match, draft: Match, host: Any, **kwargs: Any) -> None:
    """A receiver of `match_duplicated`: the new draft has the choices of the match that it is like."""
    choose(draft, host, chosen_for(source))


# -- seen ------------------------------------------------------------------------------------------------
# How far somebody has read.

logger = structlog.get_logger(__name__)


def mark_seen(channel_id: int, user: Any, last: int) -> None:
    """Note that a person has read a channel up to this message; never back. Where the database is busy it is left: the
    next look notes it."""
    try:
        with transaction.atomic():
            seen = Seen.objects.filter(channel_id=channel_id, user_id=user.pk)
            if not seen.filter(last__lt=last).update(last=last) and not seen.exists():
                Seen.objects.create(channel_id=channel_id, user_id=user.pk, last=last)
    except IntegrityError:  # another page of the same person was faster
        Seen.objects.filter(channel_id=channel_id, user_id=user.pk, last__lt=last).update(last=last)
    except OperationalError as error:
        logger.warning("talk_not_marked_seen", error=repr(error))
        return
    transaction.on_commit(partial(channel_read.send_robust, Seen, channel_id=channel_id, user=user), robust=True)


# -- accounts that are deleted ---------------------------------------------------------------------------
# What becomes of what somebody has written when their account is deleted: it stays, under a neutral name.


def leave(user: Any, name: str) -> None:
    """Show `name` above all that this person has written."""
    Message.objects.filter(author=user).update(name=name)


def export(user: Any) -> list[dict[str, Any]]:
    """What somebody has written, also what was hidden since."""
    fields = ("match__public_id", "role", "text", "at", "hidden_at")
    return [dict(each) for each in Message.objects.filter(author=user).order_by("pk").values(*fields)]
