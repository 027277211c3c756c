"""The WebSocket endpoints: a socket reads the database when it connects, and then only sends what the hub gives it.

These are plain ASGI applications, since a consumer of Channels costs a thread hop for each message.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import parse_qs

import msgspec
import structlog
from django.conf import settings
from django.urls import path, re_path

from matches.infra.db_threads import DatabaseThreads, Overloaded
from matches.infra.rate_limits import Buckets, counted_address
from matches.live.admission import Admission, NotAdmitted, admit_to_desk, admit_to_match, admit_to_notices
from matches.live.hub import Hub, the_hub
from matches.live.snapshots import FORMATS, Format
from matches.live.transport import Frame, Send, transport_of
from matches.live.watcher import SIGNED_OUT, Watcher

logger = structlog.get_logger(__name__)

Receive = Callable[[], Awaitable[dict[str, Any]]]
Headers = Mapping[bytes, bytes]

BAD_REQUEST = 4400
TOO_MANY = 4429
FAILED = 1011

LARGEST_FRAME = 4096
"""The most bytes that a peer may send in one frame."""
_FRAMES_A_SECOND, _FRAMES_AT_ONCE = 2.0, 20.0
_SOCKETS_A_PERSON = 30

_admission = DatabaseThreads("live-admission", 2, waiting=2000)


async def match_socket(scope: Any, receive: Receive, send: Send) -> None:
    """Serve `/ws/matches/<id>/`: a match's board and, for a player, their own view."""
    public_id = scope["url_route"]["kwargs"]["public_id"]
    await _serve(scope, receive, send, lambda headers, form: admit_to_match(headers, public_id, form), _watch_match)


async def notices_socket(scope: Any, receive: Receive, send: Send) -> None:
    """Serve `/ws/me/`: the notices of the person who connects."""
    await _serve(scope, receive, send, admit_to_notices, Hub.watch_notices)


async def desk_socket(scope: Any, receive: Receive, send: Send) -> None:
    """Serve `/ws/desk/`: hints that something has changed in the matches that the person looks after."""
    await _serve(scope, receive, send, admit_to_desk, _watch_desk)


def _watch_match(hub: Hub, match_id: int, socket: Watcher) -> None:
    if socket.waits_as is not None:
        hub.presence.enter(socket, match_id, socket.waits_as)
    hub.watch_match(match_id, socket)


def _watch_desk(hub: Hub, user_id: int, socket: Watcher) -> None:
    hub.desks.enter(socket, socket.cares_for)
    hub.watch_notices(user_id, socket)


async def unknown_socket(scope: Any, receive: Receive, send: Send) -> None:
    """Refuse a socket at any other address."""
    await receive()
    await _refuse(send, NotAdmitted(4404, "not_found", "There is no socket at this address."))


# Channels uses Django's `path`, whose type hints only know views.
websocket_urlpatterns = [
    path("ws/matches/<slug:public_id>/", match_socket),  # type: ignore[arg-type]
    path("ws/me/", notices_socket),  # type: ignore[arg-type]
    path("ws/desk/", desk_socket),  # type: ignore[arg-type]
    re_path("", unknown_socket),  # type: ignore[arg-type]
]


async def _serve(
    scope: Any,
    receive: Receive,
    send: Send,
    admit: Callable[[Headers, Format], Admission],
    watch: Callable[[Hub, int, Watcher], None],
) -> None:
    message = await receive()
    if message["type"] != "websocket.connect":
        return
    hub, address, user_id = the_hub(), _address(scope), None
    hub.addresses[address] += 1
    try:
        _limit(hub.addresses[address], settings.SOCKETS_PER_ADDRESS, "There are too many sockets from your address.")
        readmit = _admissions(scope, admit)
        with hub.arriving() as arrival:
            admission = await readmit()
            user_id = admission.user_id
            if user_id is not None:
                hub.users[user_id] += 1
                _limit(hub.users[user_id], _SOCKETS_A_PERSON, "You have too many pages open. Close some of them.")
            await send({"type": "websocket.accept"})
            socket = Watcher(admission, transport_of(send), asyncio.get_running_loop().time(), readmit)
            if arrival.is_outdated(user_id, admission.session):
                socket.close(SIGNED_OUT)
                return
            watch(hub, admission.number, socket)
        try:
            await _listen(hub, socket, receive)
        finally:
            hub.leave(socket)
    except NotAdmitted as refusal:
        await _refuse(send, refusal)
    finally:
        _less(hub.addresses, address)
        _less(hub.users, user_id)


def _admissions(scope: Any, admit: Callable[[Headers, Format], Admission]) -> Callable[[], Awaitable[Admission]]:
    """A function that reads the rights of the person behind this handshake, at the opening and again later."""
    form = parse_qs(scope["query_string"].decode("latin1"), keep_blank_values=True).get("format", ["json"])
    if len(form) != 1 or form[0] not in FORMATS:
        raise NotAdmitted(BAD_REQUEST, "bad_format", "The format is json, html or hints, as in ?format=json.")
    headers, asked = dict(scope["headers"]), form[0]

    async def read() -> Admission:
        try:
            return await _admission.run(admit, headers, asked)
        except Overloaded:
            raise NotAdmitted(
                TOO_MANY, "busy", "Too many people are connecting at once. Try again in a few seconds.", is_passing=True
            ) from None
        except NotAdmitted:
            raise
        except Exception:
            logger.exception("socket_not_opened")
            raise NotAdmitted(
                FAILED, "internal_error", "Something failed on our side. Try again.", is_passing=True
            ) from None

    return read


def _limit(count: int, most: int, message: str) -> None:
    if count > most:
        raise NotAdmitted(TOO_MANY, "too_many_sockets", message)


def _less(counter: Any, key: Any) -> None:
    if key in counter:
        counter[key] -= 1
        if not counter[key]:
            del counter[key]


def _address(scope: Any) -> str:
    forwarded = dict(scope["headers"]).get(b"x-forwarded-for", b"").decode("latin1")
    return counted_address(forwarded, str(scope["client"][0]) if scope.get("client") else "")


async def _refuse(send: Send, refusal: NotAdmitted) -> None:
    """Accept the socket and close it with the code, because browsers see codes only of sockets that were open."""
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.send", "text": _error(refusal.code, refusal.message).text})
    await send({"type": "websocket.close", "code": refusal.close})


def _error(code: str, message: str) -> Frame:
    return Frame(msgspec.json.encode({"error": {"code": code, "message": message}}).decode())


# -- what a peer may say -------------------------------------------------------------------------


class _Said(msgspec.Struct):
    type: str


async def _listen(hub: Hub, socket: Watcher, receive: Receive) -> None:
    frames = Buckets(_FRAMES_A_SECOND, _FRAMES_AT_ONCE, asyncio.get_running_loop().time)
    while True:
        message = await receive()
        if message["type"] == "websocket.disconnect":
            return
        if frames.take("said"):
            socket.offer(_error("too_many_frames", "Too many frames. Connect again, and send fewer."))
            hub.drop(socket, TOO_MANY)
            return
        _heed(hub, socket, message)


def _heed(hub: Hub, socket: Watcher, message: dict[str, Any]) -> None:
    frame = message.get("text")
    if frame is None:
        socket.offer(_error("not_text", "Send text frames, with JSON in them."))
        return
    if len(frame.encode("utf-8", "replace")) > LARGEST_FRAME:
        socket.offer(_error("too_large", f"A frame is at most {LARGEST_FRAME} bytes long."))
        return
    try:
        said = msgspec.json.decode(frame, type=_Said).type
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        said = ""
    if said == "resync":
        hub.resync(socket)
    elif said == "ping":
        socket.offer(Frame('{"type":"pong"}'))
    else:
        socket.offer(_error("bad_frame", 'Send {"type": "ping"} or {"type": "resync"}. Actions are HTTP posts.'))
