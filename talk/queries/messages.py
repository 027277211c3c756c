"""Messages as their readers see them: pages of a channel, search, and the messages with gifts."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import Any, Literal, cast

from django.db.models import F, Q, QuerySet, Subquery, Window
from django.db.models.functions import RowNumber
from django.utils.html import format_html
from django.utils.safestring import SafeString
from msgspec import Struct

from matches.engine.step import EVERYONE
from matches.models import Announcement, Match
from matches.pages.texts import linked
from matches.queries.match_info import Instant
from matches.queries.paging import Page, page_of, place_of
from talk.models import Mention, Message, Speech
from talk.queries.channels import ChannelView
from talk.queries.home import Home
from talk.queries.rights import CONFESSIONAL

QUOTES = "> "
MENTION = re.compile(r"(?<![\w@.])@([A-Za-z0-9][A-Za-z0-9_.-]{0,29})")
_TAG = re.compile(r"(<[^>]*>)")


class Hidden(Struct, frozen=True):
    """Which host has hidden a message, why, and when."""

    by: str
    reason: str
    at: Instant


class MessageView(Struct, frozen=True, kw_only=True):
    """A message. A hidden one has no text. `names_me`: it mentions you. `player`, or in a season `member`: the handle
    of the author, or null."""

    id: str
    at: Instant
    player: str | None
    member: str | None
    name: str
    role: Literal["player", "member", "host", "spectator"]
    text: str
    mine: bool
    names_me: bool
    hidden: Hidden | None


class Shown(MessageView, frozen=True, kw_only=True):
    """A message for pages. `channel`: the token of its channel; `released`: whether its author releases it, None
    outside confessionals; `named`: the names by which it mentions people, in lower case."""

    pk: int
    channel: str
    released: bool | None = None
    named: frozenset[str] = frozenset()

    @property
    def html(self) -> SafeString:
        """The text as HTML with links and mentions; lines that begin with “> ” become quotations."""
        parts = []
        for is_quoted, lines in groupby(self.text.split("\n"), key=lambda line: line.startswith(QUOTES)):
            text = linked("\n".join(line.removeprefix(QUOTES) for line in lines))
            parts.append(format_html("<blockquote>{}</blockquote>", text) if is_quoted else text)
        return wrapped(SafeString("".join(parts)), MENTION, self._mention)

    def _mention(self, found: re.Match[str]) -> str:
        name = next((each for each in names_in(found[1]) if each.lower() in self.named), "")
        return f'<b class="talk__mention">@{name}</b>{found[1][len(name) :]}' if name else found[0]


def without_quotes(text: str) -> str:
    """Return a text without its quotations, in one line."""
    return " ".join(" ".join(line for line in text.split("\n") if not line.startswith(QUOTES)).split())


def names_in(mention: str) -> tuple[str, str]:
    """Return the names that a mention may mean: for “ann.” both “ann.” and “ann”."""
    return mention, mention.rstrip(".-_")


def wrapped(html: SafeString, what: re.Pattern[str], wrap: Callable[[re.Match[str]], str]) -> SafeString:
    """Return the HTML with each match of `what` in its text, outside tags, replaced by what `wrap` returns."""
    parts = _TAG.split(html)
    parts[::2] = [what.sub(wrap, text) for text in parts[::2]]
    return SafeString("".join(parts))


def messages_page(home: Home, channel: ChannelView, most: int, before: str = "") -> Page[Shown]:
    """Return a page of a channel's messages, newest first; `before`: only earlier ones. Raises `UnknownPlace`."""
    rows = Message.objects.filter(home.legible, channel=channel.pk)
    return _latest(home, rows, rows, most, before)


def _latest(home: Home, rows: QuerySet[Message], known: QuerySet[Message], most: int, before: str) -> Page[Shown]:
    """A page of these rows, newest first; `before` is the token of one of the rows `known`."""
    if before:
        (place,) = place_of(known.filter(token=before).values_list("pk"))
        rows = rows.filter(pk__lt=place)
    found = page_of(list(_all_of(rows).order_by("-pk")[: most + 1]), most, lambda row: row.token)
    return Page(shown_to(home, found.items), found.last)


def messages_after(home: Home, channel: ChannelView, after: str, most: int) -> Page[Shown]:
    """Return the messages after that token (empty: from the beginning), oldest first. Raises `UnknownPlace`."""
    rows = Message.objects.filter(home.legible, channel=channel.pk)
    if after:
        (place,) = place_of(rows.filter(token=after).values_list("pk"))
        rows = rows.filter(pk__gt=place)
    found = page_of(list(_all_of(rows).order_by("pk")[: most + 1]), most, lambda row: row.token)
    return Page(shown_to(home, found.items), found.last)


def page_with(home: Home, channel: ChannelView, token: str, later: int) -> str:
    """Return the `before` of the page with the message `token` and so many later ones; empty for the latest page."""
    rows = Message.objects.filter(home.legible, channel=channel.pk)
    newer = rows.filter(pk__gt=Subquery(rows.filter(token=token).values("pk")[:1])).order_by("pk")
    return next(iter(newer.values_list("token", flat=True)[later : later + 1]), "")


def search(home: Home, words: str, most: int, before: str = "") -> Page[Shown]:
    """Return a page of the readable messages that contain all of these words, newest first. Raises `UnknownPlace`."""
    rows = readable_messages(home).filter(hidden_at=None)
    for word in words.split()[:8]:
        rows = rows.filter(Q(text__icontains=word) | Q(name__iexact=word))
    return _latest(home, rows, readable_messages(home), most, before)


def messages_by_channel(home: Home, most: int) -> dict[str, list[Shown]]:
    """Return all that the viewer may read, oldest first, at most so many of each channel, by the channels' tokens."""
    place = Window(RowNumber(), partition_by=[F("channel")], order_by="pk")
    rows = readable_messages(home).annotate(place=place).filter(place__lte=most)
    found: dict[str, list[Shown]] = defaultdict(list)
    for line in shown_to(home, _all_of(rows).order_by("pk")):
        found[line.channel].append(line)
    return found


def readable_messages(home: Home) -> QuerySet[Message]:
    """Return all messages that the viewer may read: of their rooms, and those released from confessionals."""
    return Message.objects.filter(Q(home.legible, channel__in=home.rooms()) | home.released, **home.rows)


def released(home: Home, most: int, before: str = "") -> Page[Shown]:
    """Return a page of what members have released from their confessionals, newest first. Raises `UnknownPlace`."""
    rows = Message.objects.filter(home.released, **home.rows)
    return _latest(home, rows, rows, most, before)


def one_message(home: Home, token: str) -> Message | None:
    """Return the message with that token if this viewer may read it, or None."""
    return _all_of(readable_messages(home)).filter(token=token).first()


def _all_of(rows: QuerySet[Message]) -> QuerySet[Message]:
    return rows.select_related("player", "member", "hidden_by", "channel")


def shown_to(home: Home, rows: Iterable[Message]) -> list[Shown]:
    """Return messages as this viewer sees them; the caller has checked that they may read them."""
    found = list(rows)
    named = _named_in(found)
    return [_shown(home, row, named[row.pk]) for row in found]


def _named_in(rows: list[Message]) -> Mapping[int, Mapping[int, str]]:
    """For each message, the ids and usernames of the people whom it mentions and who could read it."""
    found: defaultdict[int, dict[int, str]] = defaultdict(dict)
    mentioning = [row.pk for row in rows if "@" in row.text]
    if mentioning:
        mentions = Mention.objects.filter(message__in=mentioning)
        for message, user, username in mentions.values_list("message_id", "user_id", "user__username"):
            found[message][user] = username
    return found


def _shown(home: Home, row: Message, named: Mapping[int, str]) -> Shown:
    hidden = _hidden(row)
    handles = [handle for handle, each in home.people.items() if each.user_id in named] if named else []
    return Shown(
        id=row.token,
        pk=row.pk,
        player=row.player.handle if row.player is not None else None,
        member=row.member.handle if row.member is not None else None,
        name=row.name,
        role=cast(Any, row.role),
        text="" if hidden else row.text,
        at=row.at,
        mine=home.user.pk is not None and row.author_id == home.user.pk,
        names_me=home.user.pk in named and not hidden,
        hidden=hidden,
        channel=row.channel.token,
        released=row.published if row.channel.kind == CONFESSIONAL else None,
        named=frozenset(name.lower() for name in (*handles, *named.values())),
    )


def _hidden(row: Message | Speech) -> Hidden | None:
    if row.hidden_at is None:
        return None
    return Hidden(row.hidden_by.username if row.hidden_by else "", row.hidden_reason, row.hidden_at)


# -- messages with gifts that were announced -------------------------------------------------------------

_GIVEN = "tokens_given"


class Said(Struct, frozen=True, kw_only=True):
    """What a player said with a gift. `at`: when the gift was announced."""

    id: str
    player: str
    text: str
    at: Instant
    hidden: Hidden | None


def said_at(home: Home) -> list[Said]:
    """Return the messages with gifts where the viewer is; a season has none."""
    return said_in(home.row) if isinstance(home.row, Match) else []


def said_in(match: Match) -> list[Said]:
    """Return the messages with a match's announced gifts, in that order; none for gifts that were drawn by lot."""
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
            hidden = _hidden(speech)
            text = "" if hidden else speech.text
            found.append(Said(id=speech.token, player=speech.player.handle, text=text, at=told.at, hidden=hidden))
    return found


def given_words(match: Match) -> dict[str, str]:
    """Return these messages by giver for the match page, without hidden ones."""
    return {said.player: said.text for said in said_in(match) if said.text}
