"""The doors of both servers, each with connections in memory and a clock that is moved by hand."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import Callable
from typing import Any, Protocol

import daphne.server  # noqa: F401  # first of all Twisted: it brings the reactor that daphne needs
import uvicorn
from twisted.internet.address import IPv4Address
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from uvicorn.server import ServerState

from genius_site import door
from genius_site.servers import on_daphne, on_uvicorn


class Visit(Protocol):
    """A connection, seen from its other end."""

    is_one_too_many: bool

    def send(self, data: bytes) -> None: ...
    def answer(self) -> None:
        """The application answers the request that it has."""

    def hang_up(self) -> None: ...
    @property
    def got(self) -> bytes:
        """What the server has sent so far."""

    @property
    def kept(self) -> int:
        """How many bytes of the body it has taken."""

    @property
    def end(self) -> str:
        """`open`, `half` (the server sends nothing more, but reads), `closed` or `aborted`."""


class Door(Protocol):
    asked: list[str]
    """Paths of the requests that have come to the application with their whole body."""

    def knock(self, address: str = "192.0.2.1") -> Visit: ...

    def wait(self, seconds: float) -> None: ...
    def close(self) -> None: ...


# -- daphne ----------------------------------------------------------------------------------------


class _Line(StringTransport):
    half_closed = aborted = False

    def getHandle(self) -> None: ...

    def loseWriteConnection(self) -> None:
        self.half_closed = True

    def abortConnection(self) -> None:
        self.aborted = True


class _DaphneServer:
    """What of daphne's server the door and a request use."""

    websocket_max_message_size = websocket_max_frame_size = 1024 * 1024
    request_buffer_size = 8192
    proxy_forwarded_address_header = None
    root_path = server_name = ""

    def __init__(self, asked: list[str]) -> None:
        self._asked = asked

    def protocol_connected(self, protocol: Any) -> None: ...

    def protocol_disconnected(self, protocol: Any) -> None: ...

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> None:
        self._asked.append(scope["path"])


class DaphneVisit:
    def __init__(self, channel: Any, line: _Line, others: list[Visit]) -> None:
        self._channel, self._line, self._others = channel, line, others
        self.is_one_too_many = getattr(channel, "is_one_too_many", True)

    def send(self, data: bytes) -> None:
        self._channel.dataReceived(data)

    def answer(self) -> None:
        self._channel.requests[0].finish()

    def hang_up(self) -> None:
        self._others.remove(self)
        self._channel.connectionLost(None)

    @property
    def got(self) -> bytes:
        return self._line.value()

    @property
    def kept(self) -> int:
        return int(self._channel.requests[-1].content.tell())

    @property
    def end(self) -> str:
        line = self._line
        return "aborted" if line.aborted else "half" if line.half_closed else "closed" if line.disconnecting else "open"


class DaphneDoor:
    def __init__(self) -> None:
        self.asked: list[str] = []
        self._clock = Clock()
        self.server = _DaphneServer(self.asked)
        self._open: list[Visit] = []
        self._factory = on_daphne.Factory(self.server)
        self._factory.reactor = self._clock

    def knock(self, address: str = "192.0.2.1") -> Visit:
        peer = IPv4Address("TCP", address, 4711)
        channel, line = self._factory.buildProtocol(peer), _Line(peerAddress=peer)
        channel.makeConnection(line)
        self._open.append(DaphneVisit(channel, line, self._open))
        return self._open[-1]

    def wait(self, seconds: float) -> None:
        self._clock.advance(seconds)

    def close(self) -> None:
        for visit in list(self._open):
            visit.hang_up()


# -- uvicorn ---------------------------------------------------------------------------------------


class _Loop:
    """A real loop for the tasks, and timers that are moved by hand."""

    def __init__(self) -> None:
        self._tasks = asyncio.new_event_loop()
        self._now = 0.0
        self._order = itertools.count()
        self._timers: list[tuple[float, int, Callable[[], None], asyncio.TimerHandle]] = []

    def create_task(self, work: Any) -> Any:
        return self._tasks.create_task(work)

    def call_later(self, seconds: float, work: Callable[[], None]) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(self._now + seconds, work, (), self._tasks)
        heapq.heappush(self._timers, (handle.when(), next(self._order), work, handle))
        return handle

    def advance(self, seconds: float) -> None:
        self._now += seconds
        while self._timers and self._timers[0][0] <= self._now:
            *_, work, handle = heapq.heappop(self._timers)
            if not handle.cancelled():
                work()
        self.settle()

    def settle(self) -> None:
        for _ in range(10):
            self._tasks.run_until_complete(asyncio.sleep(0))

    def close(self) -> None:
        for task in asyncio.all_tasks(self._tasks):
            task.cancel()
        self.settle()
        self._tasks.close()


class _Pipe:
    """What of an asyncio transport uvicorn uses."""

    def __init__(self, address: str) -> None:
        self._address = address
        self.got = bytearray()
        self.end = "open"

    def get_extra_info(self, name: str) -> Any:
        return {"peername": (self._address, 4711), "sockname": ("127.0.0.1", 80)}.get(name)

    def write(self, data: bytes) -> None:
        self.got += data

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.end = "half"

    def close(self) -> None:
        self.end = "closed"

    def abort(self) -> None:
        self.end = "aborted"

    def is_closing(self) -> bool:
        return self.end in ("closed", "aborted")

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


class UvicornVisit:
    def __init__(self, entrance: UvicornDoor, connection: on_uvicorn.Connection, pipe: _Pipe) -> None:
        self._entrance, self._connection, self._pipe = entrance, connection, pipe
        self.is_one_too_many = connection.is_one_too_many

    def send(self, data: bytes) -> None:
        self._connection.data_received(data)
        self._entrance.loop.settle()

    def answer(self) -> None:
        self._entrance.may_answer.set()
        self._entrance.loop.settle()

    def hang_up(self) -> None:
        self._connection.connection_lost(None)
        self._entrance.loop.settle()

    @property
    def got(self) -> bytes:
        return bytes(self._pipe.got)

    @property
    def kept(self) -> int:
        return self._entrance.taken

    @property
    def end(self) -> str:
        return self._pipe.end


class UvicornDoor:
    """`reads`: whether the application reads a body before it answers."""

    def __init__(self, *, reads: bool = True) -> None:
        self._reads = reads
        self.asked: list[str] = []
        self.taken = 0
        self.loop = _Loop()
        self.may_answer = asyncio.Event()
        self._class = on_uvicorn.counting(door.Visitors())
        self._config = uvicorn.Config(
            self._application,
            interface="asgi3",
            proxy_headers=False,
            log_config=None,
            lifespan="off",
            timeout_keep_alive=60,
        )
        self._config.load()

    async def _application(self, scope: Any, receive: Any, send: Any) -> None:
        message = {"more_body": self._reads}
        while message["more_body"]:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            self.taken += len(message["body"])
        self.asked.append(scope["path"])
        await self.may_answer.wait()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body"})

    def knock(self, address: str = "192.0.2.1") -> Visit:
        pipe: Any = _Pipe(address)
        loop: Any = self.loop
        connection = self._class(self._config, ServerState(), {}, loop)
        connection.connection_made(pipe)
        return UvicornVisit(self, connection, pipe)

    def wait(self, seconds: float) -> None:
        self.loop.advance(seconds)

    def close(self) -> None:
        self.loop.close()
