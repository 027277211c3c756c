"""Uvicorn, with the limits of `door` built into its connections. HTTP by httptools, sockets by `websockets`."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import uvicorn
from channels.routing import get_default_application
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from genius_site import door
from genius_site.probes import readiness
from matches.api.replies import ApiError, too_large

_HEADER_BYTES = 64 * 1024


class UvicornServer(uvicorn.Server):
    """Serves the site until it is told to stop."""

    def __init__(self, host: str, port: int, on_ready: Callable[[], None]) -> None:
        super().__init__(
            uvicorn.Config(
                get_default_application(),
                host=host,
                port=port,
                http=counting(door.Visitors()),
                ws=LiveConnection,
                ws_max_size=door.MESSAGE_BYTES,
                ws_per_message_deflate=False,  # costs more than the bytes it saves: a frame is the same for everybody
                lifespan="off",
                log_config=None,
                access_log=False,
                proxy_headers=False,  # the application reads what SECURE_PROXY allows it to
                server_header=False,
                date_header=False,  # the application says it, for other servers do not
                headers=[("Server", "genius")],
                timeout_keep_alive=int(door.IDLE_SECONDS),
                timeout_graceful_shutdown=int(door.GOODBYE_SECONDS),
            )
        )
        self._on_ready = on_ready

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        self._on_ready()

    def stop(self) -> None:
        readiness.stopping.set()
        self.should_exit = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal: those who ask hear of it before the connections end."""
        readiness.stopping.set()
        super().handle_exit(sig, frame)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Uvicorn's own version repeats the signal at the end, which would kill the process during its last work."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        signals = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, self.handle_exit) for number in signals}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def counting(visitors: door.Visitors) -> type[Connection]:
    """The class of connections that `visitors` counts."""
    return type("CountedConnection", (Connection,), {"visitors": visitors})


class Connection(HttpToolsProtocol):
    """A connection that accepts only what `limit_of` its path allows, within a limited time."""

    visitors: door.Visitors

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.address: str | None = None
        self.is_one_too_many = False
        self.is_refused = False
        self._ends: asyncio.TimerHandle | None = None  # the call that cuts this connection off
        self._in_headers = False
        self._is_handed_on = False  # the present request, to the application
        self._taken = 0  # bytes of the headers or the body that come in now, or of what is thrown away

    # -- from the network ------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.visitors.is_overrun:
            transport.write(door.turn_away(transport.get_extra_info("socket")))
            transport.close()
            self.is_refused = True
            return
        self.address = self.visitors.counted(self.client[0] if self.client else "")
        self.is_one_too_many = not self.visitors.enter(self.address)
        self._expect_headers()
        if self.is_one_too_many:
            self._end_after(door.FULL_SECONDS)

    def data_received(self, data: bytes) -> None:
        if self.is_refused:
            # Read on for a moment: hanging up on a client that is still sending would lose the answer.
            self._taken += len(data)
            if self._taken > door.LINGER_BYTES:
                self.transport.abort()
            return
        if self._ends is None and not self._is_answering():
            self._expect_headers()
        if self._in_headers:
            self._taken += len(data)
            if self._taken > _HEADER_BYTES + door.FORM_BYTES:  # the beginning of a body may be among it
                self._refuse(ApiError(431, "too_large", "The headers are too long."))
                return
        super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_after(None)
        self._release()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._end_after(None)
        super().handle_websocket_upgrade()
        live: Any = self.transport.get_protocol()
        live.on_lost = self._release

    def _release(self) -> None:
        if self.address is not None:
            self.visitors.release(self.address)

    # -- from the parser -------------------------------------------------------------------------

    def on_headers_complete(self) -> None:
        self._in_headers, self._is_handed_on, self._taken = False, False, 0
        length = next((value for name, value in self.headers if name == b"content-length"), b"0")
        if self.is_one_too_many:
            self._refuse(door.too_many_connections())
        elif int(length) > self._limit:
            self._refuse(too_large(self._limit))
        else:
            self._end_after(door.BODY_SECONDS)
            super().on_headers_complete()
            self._is_handed_on = True

    def on_body(self, body: bytes) -> None:
        self._taken += len(body)
        if self.is_refused:
            return
        if self._taken > self._limit:
            self._refuse(too_large(self._limit))
        else:
            super().on_body(body)

    def on_message_complete(self) -> None:
        if not self.is_refused:
            self._end_after(None)
            super().on_message_complete()

    # -- the limits ------------------------------------------------------------------------------

    @property
    def _limit(self) -> int:
        return door.limit_of(self.url)

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _expect_headers(self) -> None:
        self._in_headers, self._taken = True, 0
        self._end_after(door.HEADER_SECONDS)

    def _end_after(self, seconds: float | None) -> None:
        """Everything that comes next must have arrived within this time."""
        if self._ends is not None:
            self._ends.cancel()
        self._ends = None if seconds is None else self.loop.call_later(seconds, self._time_is_up)

    def _time_is_up(self) -> None:
        self._ends = None
        if self.is_refused:
            self.transport.abort()
        elif self._taken or not self._in_headers:
            self._refuse(door.too_slow())
        else:
            self.transport.close()  # nothing was asked

    def _refuse(self, error: ApiError) -> None:
        self.is_refused, self._taken = True, 0
        self._unset_keepalive_if_required()
        if self._is_handed_on and not self._in_headers and self.cycle.response_started:
            self.transport.close()  # a second answer would be read as part of the first, or as another request's
            return
        if self._is_answering():  # the application waits for the rest: to it the client has gone
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.flow.resume_reading()
        self.transport.write(door.answer(getattr(self, "url", b""), error))
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._end_after(door.LINGER_SECONDS)


class LiveConnection(WebSocketsSansIOProtocol):
    """What a connection becomes when it is a WebSocket. `on_lost` is called at its end."""

    on_lost: Callable[[], None] | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        if self.on_lost is not None:
            self.on_lost()
        super().connection_lost(exc)
