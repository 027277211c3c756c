"""Channels: what hosts choose about them, closing rooms, how far people have read, and the export of messages."""

from collections.abc import Collection
from datetime import timedelta
from functools import partial
from typing import Any

import structlog
from django.db import OperationalError, transaction
from django.dispatch import Signal
from msgspec.structs import asdict

from matches.engine.notice_events import ANSWERED, ASKED
from matches.engine.sentences import joined
from matches.infra.text import moment_in_words
from matches.models import Match
from matches.services.commands import command, command_row, need_status
from matches.services.errors import CommandRefused, retrying
from matches.services.opening import start_has_come
from notices import retention
from notices.events import MENTIONED, MESSAGE
from notices.models import Delivery, Notice
from seasons.models import Season
from seasons.services.drafts import draft
from seasons.services.running import commanded
from seasons.services.writer import Kind
from talk.models import Channel, Message, Quiet, Report, SeasonTalkChoices, Seen, Speech, TalkChoices
from talk.queries import rights
from talk.queries.rights import Choices, SeasonChoices, chosen_for, chosen_in
from talk.services import limits

# -- signals, sent after the commit ----------------------------------------------------------------------

# Sent with sender=Message, message_id (int), channel_id (int), match_id (int), mentioned (frozenset of the ids of users
# who were mentioned and can read the message). Receivers must be quick and must not raise.
message_posted = Signal()

# Somebody has read a channel: sent with sender=Seen, channel_id, user. Receivers must be quick and must not raise.
channel_read = Signal()

# A message was hidden, so pages show its channel again. Sent with sender=Message, message_id, channel_id, match_id.
message_hidden = Signal()


CLOSABLE = (rights.LOUNGE, rights.TEAM, rights.PRIVATE, rights.SPECTATORS)
"""The kinds of a season's rooms that hosts can close; questions to them and confessionals stay open."""

MOST_HOURS = 24 * 14
"""The most hours for which they can be closed at a time."""

# -- what hosts choose about talk, before the match begins -----------------------------------------------

COMMAND = "choose_talk"
_BEGUN = "Nobody can change these choices about talk once the match has begun."


def in_words(chosen: Choices) -> str:
    """Return the choices as “public talk, private talk between players, and hosts cannot read what is private”."""
    kinds = [
        ("public", "public talk for spectators too" if chosen.spectators else "public talk"),
        ("team", "teams' rooms"),
        ("private", "private talk between players"),
        ("speeches", "messages with gifts"),
        ("rests", "the season's rooms closed"),
    ]
    named = ", ".join(words for name, words in kinds if getattr(chosen, name)) or "not at all"
    return f"{named}, and hosts {'can' if chosen.hosts_read else 'cannot'} read what is private"


@retrying
def choose(match: Match, host: Any, chosen: Choices) -> None:
    """Set which kinds of talk a match has and whether its hosts read what is private. Logged, and fixed when the match
    begins. Raises `CommandRefused`, `NotAHost`."""
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


@retrying
def choose_in(season: Season, host: Any, chosen: SeasonChoices) -> None:
    """Set the choices of a season before it begins; recorded with the other changes of its draft."""
    with draft(season, host) as row:
        SeasonTalkChoices.objects.update_or_create(season=row, defaults=asdict(chosen))


def facts_of(season: Season) -> dict[str, Any]:
    """Return what the log says about the talk of a season's draft."""
    return {"talk": asdict(chosen_in(season))}


@retrying
def close(season: Season, host: Any, kinds: Collection[str], hours: int, why: str = "", *, key: str = "") -> str:
    """Close rooms of these kinds for writing, for so many hours; logged. Return what the log says. Raises `NotAHost`,
    `CommandRefused`, `BadText`, and `AlreadyDone` if the `key` was used before."""
    why = limits.cleaned(why, longest=limits.LONGEST_REASON, field="why") if why.strip() else ""
    if not kinds or not set(kinds) <= set(CLOSABLE):
        raise CommandRefused("Choose which rooms to close.", code="malformed", field="kinds")
    if not 0 < hours <= MOST_HOURS:
        raise CommandRefused(f"Enter a whole number of hours, from 1 to {MOST_HOURS}.", code="malformed", field="hours")
    with commanded(season, host, key) as writer:
        if writer.season.status != Season.Status.RUNNING:
            raise CommandRefused("You can close rooms only while a season runs.", code="wrong_phase")
        until = writer.now + timedelta(hours=hours)
        Quiet.objects.create(
            season=writer.season, kinds=sorted(kinds), until=until, why=why, by_id=host.pk, at=writer.now
        )
        closed = joined([Channel.Kind(kind).label for kind in sorted(kinds)])
        said = f"closed rooms ({closed}) until {moment_in_words(until)}"
        payload = {"command": "close_rooms", "said": said, "reason": why}
        writer.record(Kind.TALK, payload, user=host, key=key)
    return said


@retrying
def reopen(season: Season, host: Any) -> None:
    """Open the rooms that hosts have closed; logged. Raises `NotAHost`."""
    with commanded(season, host) as writer:
        if Quiet.objects.filter(season=writer.season, until__gt=writer.now).update(until=writer.now):
            payload = {"command": "reopen_rooms", "said": "opened the rooms again"}
            writer.record(Kind.TALK, payload, user=host)


def copy_choices(source: Match, draft: Match, host: Any, **kwargs: Any) -> None:
    """Receive `match_duplicated`: copy the choices of the source to the new draft."""
    choose(draft, host, chosen_for(source))


def copy_choices_in(source: Season, draft: Season, host: Any, **kwargs: Any) -> None:
    """Receive `season_duplicated`: copy the choices of the source to the new draft."""
    choose_in(draft, host, chosen_in(source))


# -- how far somebody has read ---------------------------------------------------------------------------

logger = structlog.get_logger(__name__)


def mark_seen(channel_id: int, user: Any, last: int) -> None:
    """Record that a person has read a channel up to this message; never moves back. Skipped if the database is busy, as
    the next visit records it."""
    try:
        with transaction.atomic():
            seen, _ = Seen.objects.get_or_create(channel_id=channel_id, user_id=user.pk, defaults={"last": last})
            Seen.objects.filter(pk=seen.pk, last__lt=last).update(last=last)
    except OperationalError as error:
        logger.warning("talk_not_marked_seen", error=repr(error))
        return
    transaction.on_commit(partial(channel_read.send_robust, Seen, channel_id=channel_id, user=user), robust=True)


@retrying
def mute_room(channel_id: int, user: Any, *, muted: bool) -> None:
    """Switch notices of a channel's unread messages off or on for somebody."""
    Seen.objects.update_or_create(channel_id=channel_id, user_id=user.pk, defaults={"muted": muted})


# -- deleted accounts: their messages stay, under a neutral name -----------------------------------------


def leave(user: Any, name: str) -> None:
    """Show `name` as the author of all that this person has written, also in other people's notices of it."""
    mine = Message.objects.filter(author=user)
    told = Notice.objects.filter(event__in=(MENTIONED, MESSAGE, ASKED, ANSWERED)).exclude(user=user)
    homes: list[Match | Season] = [*Match.objects.filter(pk__in=mine.values("match"))]
    homes += Season.objects.filter(pk__in=mine.values("season"))
    for home in homes:
        names = set(home.messages.filter(author=user).values_list("name", flat=True))
        names -= set(home.messages.exclude(author=user).values_list("name", flat=True))
        retention.rename(names, name, told.filter(url__startswith=home.get_absolute_url()), Delivery.objects.none())
    mine.update(name=name)


def export(user: Any) -> dict[str, Any]:
    """Return what somebody has written, including what was hidden since."""
    where = ("match__public_id", "season__public_id", "channel__kind")
    wrote = Message.objects.filter(author=user).order_by("pk")
    reports = Report.objects.filter(by=user).order_by("pk")
    return {
        "wrote": list(wrote.values(*where, "role", "text", "at", "published", "hidden_at")),
        "reports": list(reports.values(*(f"message__{each}" for each in where), "reason", "at")),
        "gifts": list(Speech.objects.filter(author=user).order_by("pk").values("match__public_id", "text", "at")),
    }
