"""The API of talk. Whatever is raised becomes the same kind of answer as everywhere in the API."""

from __future__ import annotations

import re
from typing import Any

from django.http import HttpRequest

from matches.api import codes
from matches.api.actions import count_request, read_body, sent
from matches.api.codes import About
from matches.api.replies import ApiError, Reply, for_asker, known_as
from matches.api.requests import Parameter, endpoint, next_page, who, whole
from matches.api.shapes import Accepted, Text
from matches.engine.errors import MALFORMED
from matches.models import clock
from matches.queries.access import Viewer, access_match
from matches.queries.paging import UnknownPlace
from matches.services.errors import NotAPlayer
from talk.api import shapes
from talk.queries import export as exports
from talk.queries import messages, rights
from talk.queries.channels import ChannelView, NoSuchChannel, OwnChannel, channel_at, channels_of
from talk.queries.messages import MessageView, said_in
from talk.services import limits, posting, speeches
from talk.services.channels import mark_seen

_LIMIT = whole(50, 1, 200)
_TOKEN = re.compile(r"[\w-]{1,12}", re.ASCII)


def _message_id(text: str) -> str:
    if not _TOKEN.fullmatch(text):
        raise ValueError(text)
    return text


def _words(text: str) -> str:
    if not text.strip() or len(text) > 100:
        raise ValueError(text)
    return text


_PLACE = Parameter("", "the id of a message of this channel", _message_id)
_WORDS = Parameter("", "words, up to 100 characters", _words)


@endpoint(
    GET=About("The channels that you may read, and what the hosts chose", shapes.Talk, codes=codes.OF_A_MATCH),
    POST=About("Open a private channel", shapes.Opened, shapes.To, codes=shapes.WRITING, needs="act"),
)
def talk(request: HttpRequest, public_id: str) -> Reply:
    """The channels that this person may read, and what was chosen about talk; a post opens a private channel."""
    if request.method == "POST":
        return _open(request, public_id)
    viewer = _viewer(request, public_id)
    return for_asker(
        shapes.Talk(
            choices=rights.chosen_for(viewer.match),
            gifts=said_in(viewer.match),
            closes_at=rights.closes_at(viewer.match),
            channels=known_as(list[OwnChannel], channels_of(viewer)),
        )
    )


def _open(request: HttpRequest, public_id: str) -> Reply:
    wanted, viewer, _ = _posted(request, public_id, shapes.To)
    _count_writing(request, viewer)
    return for_asker(shapes.Opened(True, posting.open_private(viewer.match, viewer.user, wanted.to[:100])))


@endpoint(
    GET=About("The messages of a channel", shapes.Messages, codes=codes.OF_A_MATCH),
    POST=About("Write", shapes.Posted, Text, codes=shapes.WRITING, needs="act", has_key=True),
    limit=_LIMIT,
    before=_PLACE,
    after=_PLACE,
)
def channel(request: HttpRequest, public_id: str, channel: str, limit: int, before: str, after: str) -> Reply:
    """The messages of a channel, newest first; with `after`, those since that message, oldest first. A post writes."""
    if request.method == "POST":
        return _write(request, public_id, channel)
    viewer = _viewer(request, public_id)
    found = _channel_for(viewer, channel)
    if before and after:
        raise ApiError(400, MALFORMED, "after: not together with “before”.")
    try:
        if after:
            page = messages.messages_after(viewer, found, after, limit)
        else:
            page = messages.messages_page(viewer, found, limit, before)
    except UnknownPlace:
        raise _no_such_place("after" if after else "before") from None
    following = next_page(request, **{"after" if after else "before": page.last})
    shown = known_as(list[MessageView], page.items)
    return for_asker(shapes.Messages(known_as(OwnChannel, found), shown, following))


def _write(request: HttpRequest, public_id: str, channel: str) -> Reply:
    wanted, viewer, key = _posted(request, public_id, Text)
    _channel_for(viewer, channel)
    _count_writing(request, viewer)
    (shown,) = messages.shown_to(viewer, [posting.post(viewer.match, viewer.user, channel, wanted.text, key)])
    return for_asker(shapes.Posted(True, known_as(MessageView, shown)))


@endpoint(POST=About("You have read up to this message", Accepted, shapes.Last, codes=shapes.WRITING, needs="act"))
def seen(request: HttpRequest, public_id: str, channel: str) -> Reply:
    """Note that this person has read a channel up to a message."""
    wanted, viewer, _ = _posted(request, public_id, shapes.Last)
    found = _channel_for(viewer, channel)
    message = messages.one_message(viewer, wanted.message) if _TOKEN.fullmatch(wanted.message) else None
    if message is None or message.channel_id != found.pk:
        raise ApiError(404, "not_found", "This channel has no such message.")
    _count_writing(request, viewer)
    mark_seen(message.channel_id, viewer.user, message.pk)
    return for_asker(Accepted(True))


@endpoint(
    POST=About(
        "What you want to say with the gift that you are asked for", Accepted, Text, codes=shapes.GIVING, needs="act"
    )
)
def gift_words(request: HttpRequest, public_id: str) -> Reply:
    """Keep what a player wants to say with the gift that they are asked for, before they make it."""
    wanted, viewer, _ = _posted(request, public_id, Text)
    if viewer.player is None:
        raise NotAPlayer("Only this match's players can give something.")
    _count_writing(request, viewer)
    speeches.keep(viewer.match, viewer.user, wanted.text)
    return for_asker(Accepted(True))


@endpoint(
    GET=About("The messages that contain all of these words", shapes.Found, codes=shapes.READING_MUCH),
    q=_WORDS,
    limit=_LIMIT,
    after=_PLACE._replace(former="before"),
)
def search(request: HttpRequest, public_id: str, q: str, limit: int, after: str) -> Reply:
    """The messages that contain all of these words, of all channels that this person may read, newest first."""
    viewer = _viewer(request, public_id)
    if not q:
        raise ApiError(400, MALFORMED, "q: expected words, up to 100 characters.")
    count_request(request, viewer.user.pk)
    try:
        page = messages.search(viewer, q, limit, after)
    except UnknownPlace:
        raise _no_such_place("after") from None
    return for_asker(shapes.Found(known_as(list[MessageView], page.items), next_page(request, after=page.last)))


@endpoint(GET=About("Everything that you may read, oldest first", exports.Export, codes=shapes.READING_MUCH))
def export(request: HttpRequest, public_id: str) -> Reply:
    """Everything that this person may read, oldest first."""
    viewer = _viewer(request, public_id)
    count_request(request, viewer.user.pk)
    return for_asker(exports.exported(viewer, clock.now()))


# -- what several of them need ---------------------------------------------------------------------


def _viewer(request: HttpRequest, public_id: str) -> Viewer:
    return access_match(public_id, who(request, public_id), everybody=True)


def _posted(request: HttpRequest, public_id: str, kind: type[Any]) -> tuple[Any, Viewer, str]:
    """The body of a post as this type, who sends it, and its key. Raises `ApiError`."""
    user, body, key = sent(request, public_id)
    return read_body(body, kind), access_match(public_id, user, everybody=True), key


def _channel_for(viewer: Viewer, address: str) -> ChannelView:
    try:
        return channel_at(viewer, address)
    except NoSuchChannel:
        raise ApiError(404, "not_found", "There is no such channel for you in this match.") from None


def _count_writing(request: HttpRequest, viewer: Viewer) -> None:
    """Count a message; the answer says how many are left. Raises `TooMuch`."""
    request.rates = "talk", limits.talk_rates(), limits.key_of(viewer.user)  # type: ignore[attr-defined]
    limits.count_one(viewer.user)


def _no_such_place(name: str) -> ApiError:
    return ApiError(400, MALFORMED, f"{name}: this channel has no such message.")
