"""Messages as their readers see them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet
from django.utils.safestring import SafeString

from matches.engine.step import EVERYONE
from matches.models import Announcement, Match
from matches.pages.texts import linked
from matches.queries.access import Viewer
from matches.queries.paging import Page, UnknownPlace, page_of
from talk.models import Message, Speech
from talk.queries import rights
from talk.queries.channels import ChannelView


class Shown(NamedTuple):
    """A message for one viewer. A hidden one has no text but says who hid it, when and why."""

    token: str
    pk: int
    handle: str
    name: str
    role: str
    text: str
    at: datetime
    is_mine: bool
    names_me: bool
    hidden_by: str
    hidden_reason: str
    hidden_at: datetime | None
    channel: str = ""

    @property
    def is_hidden(self) -> bool:
        return self.hidden_at is not None

    @property
    def html(self) -> SafeString:
        """The text with links."""
        return linked(self.text)


def messages_page(viewer: Viewer, channel: ChannelView, most: int, before: str = "") -> Page[Shown]:
    """The latest messages of a channel, newest first; with `before` those before the one of that token. Raises
    `UnknownPlace`."""
    if channel.pk is None:
        if before:
            raise UnknownPlace
        return Page([], "")
    rows = Message.objects.filter(channel_id=channel.pk)
    if before:
        place = rows.filter(token=before).values_list("pk", flat=True).first()
        if place is None:
            raise UnknownPlace
        rows = rows.filter(pk__lt=place)
    found = page_of(list(_all_of(rows).order_by("-pk")[: most + 1]), most, lambda row: row.token)
    return Page(shown_to(viewer, found.items), found.last)


def messages_after(viewer: Viewer, channel: ChannelView, after: str, most: int) -> list[Shown]:
    """What has come since the message of that token (empty: since the beginning), oldest first. Raises
    `UnknownPlace`."""
    rows = Message.objects.filter(channel=channel.pk)
    if after:
        place = rows.filter(token=after).values_list("pk", flat=True).first()
        if place is None:
            raise UnknownPlace
        rows = rows.filter(pk__gt=place)
    return shown_to(viewer, _all_of(rows).order_by("pk")[:most])


def search(viewer: Viewer, words: str, most: int, before: str = "") -> Page[Shown]:
    """The messages that this viewer may read and that contain all of these words, newest first. Raises
    `UnknownPlace`."""
    rows = readable_messages(viewer).filter(hidden_at=None)
    for word in words.split()[:8]:
        rows = rows.filter(Q(text__icontains=word) | Q(name__iexact=word))
    if before:
        place = readable_messages(viewer).filter(token=before).values_list("pk", flat=True).first()
        if place is None:
            raise UnknownPlace
        rows = rows.filter(pk__lt=place)
    found = page_of(list(_all_of(rows).order_by("-pk")[: most + 1]), most, lambda row: row.token)
    return Page(shown_to(viewer, found.items), found.last)


def readable_messages(viewer: Viewer) -> QuerySet[Message]:
    """All messages of a match that its viewer may read."""
    return Message.objects.filter(match=viewer.match, channel__in=rights.readable_in(viewer))


def one_message(viewer: Viewer, token: str) -> Message | None:
    """The message of that token, if this viewer may read it."""
    return _all_of(readable_messages(viewer)).filter(token=token).first()


def _all_of(rows: QuerySet[Message]) -> QuerySet[Message]:
    return rows.select_related("player", "hidden_by", "channel")


def shown_to(viewer: Viewer, rows: Iterable[Message]) -> list[Shown]:
    """Messages that a viewer may read, as this viewer sees them."""
    found = list(rows)
    named = _naming(viewer.user, found)
    return [_shown(viewer, row, row.pk in named) for row in found]


def _naming(user: Any, rows: list[Message]) -> set[int]:
    if user.pk is None or not rows:
        return set()
    mentions = Message.objects.filter(pk__in=[row.pk for row in rows], mentions__user_id=user.pk)
    return set(mentions.values_list("pk", flat=True))


def _shown(viewer: Viewer, row: Message, names_me: bool) -> Shown:
    hidden = row.hidden_at is not None
    return Shown(
        token=row.token,
        pk=row.pk,
        handle=row.player.handle if row.player is not None else "",
        name=row.name,
        role=row.role,
        text="" if hidden else row.text,
        at=row.at,
        is_mine=viewer.user.pk is not None and row.author_id == viewer.user.pk,
        names_me=names_me and not hidden,
        hidden_by=row.hidden_by.username if row.hidden_by else "",
        hidden_reason=row.hidden_reason,
        hidden_at=row.hidden_at,
        channel=row.channel.token,
    )


# -- speeches --------------------------------------------------------------------------------------------
# The words of gifts that everybody may know by now.

_GIVEN = "tokens_given"


class Said(NamedTuple):
    """What a player said with a gift; `at` is when the gift was announced."""

    token: str
    handle: str
    text: str
    at: datetime
    hidden_by: str
    hidden_reason: str
    hidden_at: datetime | None


def said_in(match: Match) -> list[Said]:
    """The words that went with gifts of this match, as far as the gifts are announced, in that order. A gift that was
    drawn, because its giver did not decide, has none."""
    speeches = {
        speech.player.handle: speech
        for speech in Speech.objects.filter(match=match).select_related("player", "hidden_by")
    }
    if not speeches:
        return []
    found = []
    for told in Announcement.objects.filter(match=match, audience=EVERYONE, kind=_GIVEN).order_by("pk"):
        speech = speeches.get(told.data.get("player", ""))
        if speech is not None and told.data.get("how") == "given":
            found.append(_said(speech, told.at))
    return found


def _said(speech: Speech, at: datetime) -> Said:
    hidden = speech.hidden_at is not None
    return Said(
        speech.token,
        speech.player.handle,
        "" if hidden else speech.text,
        at,
        speech.hidden_by.username if speech.hidden_by else "",
        speech.hidden_reason,
        speech.hidden_at,
    )


def given_words(match: Match) -> dict[str, str]:
    """The same for the match page: by giver, without those that were hidden."""
    return {said.handle: said.text for said in said_in(match) if said.text}
