"""The endpoints of the API of talk. `endpoint` turns exceptions into the usual answers."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from django.http import HttpRequest

from matches.api import codes
from matches.api.actions import count_request, read_body, sent
from matches.api.codes import About
from matches.api.replies import ApiError, Reply, for_asker, known_as
from matches.api.requests import Parameter, endpoint, matching, next_page, placed, who, whole
from matches.api.shapes import Accepted, Text
from matches.engine.errors import MALFORMED
from matches.models import clock
from matches.queries.access import access_match
from matches.services.errors import NotAPlayer
from seasons.queries.access import SeasonHidden, access_season
from seasons.services.running import advance_if_due
from talk.api import shapes
from talk.queries import export as exports
from talk.queries import messages
from talk.queries.channels import ChannelView, NoSuchChannel, OwnChannel, channel_at, channels_of, rooms_page, talk_page
from talk.queries.home import Home
from talk.queries.match_home import MatchHome
from talk.queries.messages import MessageView, said_in
from talk.queries.season_home import SeasonHome
from talk.services import limits, posting
from talk.services.channels import mark_seen

# -- where people talk -----------------------------------------------------------------------------


class Opener(NamedTuple):
    """Opens the talk of matches, or of seasons, for somebody; raises if they have no access."""

    open: Callable[[str, Any], Home]
    is_of_matches: bool

    def token_for(self, public_id: str) -> str:
        """Return the match for which a token must be valid, as tokens can be limited to one; empty in seasons."""
        return public_id if self.is_of_matches else ""


def _in_season(public_id: str, user: Any) -> Home:
    try:
        viewer = access_season(public_id, user)
    except SeasonHidden as hidden:
        raise ApiError(404, "not_found", hidden.message) from None
    advance_if_due(viewer.season)
    return SeasonHome(viewer)


IN_MATCHES = Opener(lambda public_id, user: MatchHome(access_match(public_id, user, everybody=True)), True)
IN_SEASONS = Opener(_in_season, False)


# -- addresses -------------------------------------------------------------------------------------

_LIMIT = whole(50, 1, 200)
_TOKEN = re.compile(r"[\w-]{1,12}", re.ASCII)


def _words(text: str) -> str:
    if not text.strip() or len(text) > 100:
        raise ValueError(text)
    return text


_PLACE = matching(_TOKEN.pattern, "the id of a message of this channel")
_NO_MESSAGE = "{}: this channel has no such message."
_NO_ROOM = "after: there is no such room."
_ROOM = matching(_TOKEN.pattern, "the name of a room, as in addresses")
_WORDS = Parameter("", "words, up to 100 characters", _words)


_OPENING = About("Open a private channel", shapes.Opened, shapes.To, codes=shapes.WRITING, needs="act")


@endpoint(
    GET=About("The channels that you may read, and what the hosts chose", shapes.Talk, codes=codes.OF_A_MATCH),
    POST=_OPENING,
)
def talk(request: HttpRequest, opener: Opener, public_id: str) -> Reply:
    """The channels that you may read, and what the hosts chose. A POST opens a private channel."""
    if request.method == "POST":
        return _open(request, opener, public_id)
    home = _home(request, opener, public_id)
    match: Any = home.row
    channels = known_as(list[OwnChannel], channels_of(home))
    chosen: Any = home.chosen
    return for_asker(shapes.Talk(chosen, said_in(match), home.closes_at, channels))


@endpoint(
    GET=About("The rooms that you may read, and what the hosts chose", shapes.SeasonTalk),
    POST=_OPENING,
    limit=_LIMIT,
    after=_ROOM,
)
def season_talk(request: HttpRequest, opener: Opener, public_id: str, limit: int, after: str) -> Reply:
    """The rooms of a season: first those that everybody has, then the others, those with the latest messages first. A
    POST opens a private room."""
    if request.method == "POST":
        return _open(request, opener, public_id)
    home = _home(request, opener, public_id)
    chosen: Any = home.chosen
    with placed(_NO_ROOM):
        page = talk_page(home, limit, after)
    shown = known_as(list[OwnChannel], page.items)
    return for_asker(shapes.SeasonTalk(chosen, home.closes_at, shown, next_page(request, after=page.last)))


@endpoint(GET=About("All rooms that somebody has opened and you may read", shapes.Rooms), limit=_LIMIT, after=_ROOM)
def rooms(request: HttpRequest, opener: Opener, public_id: str, limit: int, after: str) -> Reply:
    """All rooms that somebody has opened and you may read, the newest first."""
    home = _home(request, opener, public_id)
    with placed(_NO_ROOM):
        page = rooms_page(home, limit, after)
    return for_asker(shapes.Rooms(known_as(list[OwnChannel], page.items), next_page(request, after=page.last)))


def _open(request: HttpRequest, opener: Opener, public_id: str) -> Reply:
    wanted, home, _ = _posted(request, opener, public_id, shapes.To)
    _count_writing(request, home)
    return for_asker(shapes.Opened(True, posting.open_private(home.row, home.user, wanted.to[:100], wanted.title)))


@endpoint(
    GET=About("The messages of a channel", shapes.Messages, codes=codes.OF_A_MATCH),
    POST=About("Write a message", shapes.Posted, shapes.Written, codes=shapes.WRITING, needs="act", has_key=True),
    limit=_LIMIT,
    before=_PLACE,
    after=_PLACE,
)
def channel(request: HttpRequest, opener: Opener, public_id: str, channel: str, **place: Any) -> Reply:
    """The messages of a channel, newest first; with `after`, those since that message, oldest first. POST writes."""
    if request.method == "POST":
        return _write(request, opener, public_id, channel)
    limit, before, after = place["limit"], place["before"], place["after"]
    home = _home(request, opener, public_id)
    found = _channel_for(home, channel)
    if before and after:
        raise ApiError(400, MALFORMED, "after: you cannot use it together with “before”.")
    to = "after" if after else "before"
    with placed(_NO_MESSAGE.format(to)):
        if after:
            page = messages.messages_after(home, found, after, limit)
        else:
            page = messages.messages_page(home, found, limit, before)
    following = next_page(request, **{to: page.last})
    shown = known_as(list[MessageView], page.items)
    return for_asker(shapes.Messages(known_as(OwnChannel, found), shown, following))


def _write(request: HttpRequest, opener: Opener, public_id: str, channel: str) -> Reply:
    wanted, home, key = _posted(request, opener, public_id, shapes.Written)
    _channel_for(home, channel)
    _count_writing(request, home)
    sent = posting.post(home.row, home.user, channel, wanted.text, key, publish=wanted.publish)
    (shown,) = messages.shown_to(home, [sent])
    return for_asker(shapes.Posted(True, known_as(MessageView, shown)))


@endpoint(POST=About("Mark as read up to this message", Accepted, shapes.Last, codes=shapes.WRITING, needs="act"))
def seen(request: HttpRequest, opener: Opener, public_id: str, channel: str) -> Reply:
    """Mark a channel as read up to a message."""
    wanted, home, _ = _posted(request, opener, public_id, shapes.Last)
    found = _channel_for(home, channel)
    message = messages.one_message(home, wanted.message) if _TOKEN.fullmatch(wanted.message) else None
    if message is None or message.channel_id != found.pk:
        raise ApiError(404, "not_found", "This channel has no such message.")
    _count_writing(request, home)
    mark_seen(message.channel_id, home.user, message.pk)
    return for_asker(Accepted(True))


@endpoint(POST=About("The message with a gift that you have to give", Accepted, Text, codes=shapes.GIVING, needs="act"))
def gift_words(request: HttpRequest, opener: Opener, public_id: str) -> Reply:
    """Store a player's message for a gift that they have yet to give."""
    wanted, home, _ = _posted(request, opener, public_id, Text)
    if not home.handle:
        raise NotAPlayer("Only this match's players can give something.")
    _count_writing(request, home)
    match: Any = home.row
    posting.keep_speech(match, home.user, wanted.text)
    return for_asker(Accepted(True))


@endpoint(
    GET=About("The messages that contain all of these words", shapes.Found, codes=shapes.READING_MUCH),
    q=_WORDS,
    limit=_LIMIT,
    after=_PLACE,
)
def search(request: HttpRequest, opener: Opener, public_id: str, q: str, limit: int, after: str) -> Reply:
    """The messages that contain all of these words, in all channels that you may read, newest first."""
    home = _home(request, opener, public_id)
    if not q:
        raise ApiError(400, MALFORMED, "q: expected words, up to 100 characters.")
    count_request(request, home.user.pk)
    with placed(_NO_MESSAGE.format("after")):
        page = messages.search(home, q, limit, after)
    return for_asker(shapes.Found(known_as(list[MessageView], page.items), next_page(request, after=page.last)))


@endpoint(
    GET=About("What members have released from their confessionals, once the season has ended", shapes.Found),
    limit=_LIMIT,
    after=_PLACE,
)
def confessionals(request: HttpRequest, opener: Opener, public_id: str, limit: int, after: str) -> Reply:
    """What members have released from their confessionals, newest first."""
    home = _home(request, opener, public_id)
    with placed(_NO_MESSAGE.format("after")):
        page = messages.released(home, limit, after)
    return for_asker(shapes.Found(known_as(list[MessageView], page.items), next_page(request, after=page.last)))


@endpoint(GET=About("Everything that you may read, oldest first", exports.Export, codes=shapes.READING_MUCH))
def export(request: HttpRequest, opener: Opener, public_id: str) -> Reply:
    """Everything that you may read, oldest first."""
    home = _home(request, opener, public_id)
    count_request(request, home.user.pk)
    return for_asker(exports.exported(home, clock.now()))


# -- helpers ---------------------------------------------------------------------------------------


def _home(request: HttpRequest, opener: Opener, public_id: str) -> Home:
    return opener.open(public_id, who(request, opener.token_for(public_id)))


def _posted(request: HttpRequest, opener: Opener, public_id: str, kind: type[Any]) -> tuple[Any, Home, str]:
    """Return the body of a POST as this type, the sender's view of the talk, and its key. Raises `ApiError`."""
    user, body, key = sent(request, opener.token_for(public_id))
    return read_body(body, kind), opener.open(public_id, user), key


def _channel_for(home: Home, address: str) -> ChannelView:
    try:
        return channel_at(home, address)
    except NoSuchChannel:
        raise ApiError(404, "not_found", f"There is no such channel for you in this {home.of}.") from None


def _count_writing(request: HttpRequest, home: Home) -> None:
    """Count a message; the answer's headers say how many are left. Raises `TooMuch`."""
    request.rates = "talk", limits.talk_rates(), limits.key_of(home.user)  # type: ignore[attr-defined]
    limits.count_one(home.user)
