"""The transport: frames built once, and a way out that never waits."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from websockets.frames import Opcode
from websockets.protocol import CLIENT, Protocol, State

from matches.live.transport import DaphneTransport, Frame, Transport, transport_of


@pytest.mark.parametrize("length", [0, 1, 125, 126, 65_535, 65_536, 200_000])
def test_a_frame_is_read_back_by_another_implementation(length: int) -> None:
    text = "é" * (length // 2) + "x" * (length % 2)
    reader = Protocol(CLIENT, state=State.OPEN, max_size=None)
    reader.receive_data(Frame(text).octets)
    (frame,) = reader.events_received()
    assert (frame.opcode, frame.fin, frame.data.decode()) == (Opcode.TEXT, True, text)  # type: ignore[union-attr]


async def test_a_server_that_takes_it_at_once_costs_no_task() -> None:
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    transport, tasks = transport_of(send), len(asyncio.all_tasks())
    transport.offer(Frame("a"))
    transport.close(4401)
    assert sent == [{"type": "websocket.send", "text": "a"}, {"type": "websocket.close", "code": 4401}]
    assert type(transport) is Transport
    assert not transport.is_behind
    assert len(asyncio.all_tasks()) == tasks


async def test_a_server_that_waits_for_its_peer_holds_nobody_up() -> None:
    gate, done = asyncio.Event(), []

    async def send(message: dict[str, Any]) -> None:
        await gate.wait()
        await asyncio.sleep(0)
        done.append(message["text"])

    transport = transport_of(send)
    transport.offer(Frame("a"))
    assert transport.is_behind
    gate.set()
    while transport.is_behind:
        await asyncio.sleep(0)
    assert done == ["a"]


@pytest.mark.parametrize("late", [False, True])
async def test_a_peer_that_is_gone_is_no_error(late: bool) -> None:
    async def send(message: dict[str, Any]) -> None:
        if late:
            await asyncio.sleep(0)
        raise ConnectionError("gone")

    transport = transport_of(send)
    transport.offer(Frame("a"))
    while transport.is_behind:
        await asyncio.sleep(0)


class TwistedTransport:
    """What of a Twisted transport is used."""

    def __init__(self, takes: Any) -> None:
        self.takes = takes
        self.dataBuffer, self.offset, self._tempDataLen, self.connected = b"", 0, 0, True
        self.written: list[bytes] = []

    @property
    def socket(self) -> TwistedTransport:
        """The operating system's own."""
        return self

    def send(self, data: bytes) -> int:
        if isinstance(self.takes, Exception):
            raise self.takes
        return int(self.takes)

    def write(self, data: bytes) -> None:
        self.written.append(data)
        self._tempDataLen += len(data)


class Daphne:
    """What of daphne's protocol is used."""

    def __init__(self, takes: Any) -> None:
        self.transport, self.state, self.send_queue = TwistedTransport(takes), 3, []
        self.through_asgi: list[dict[str, Any]] = []

    async def send(self, message: dict[str, Any]) -> None:
        self.through_asgi.append(message)

    def opened(self) -> DaphneTransport:
        return DaphneTransport(self.send, self)


def test_what_the_system_does_not_take_at_once_is_left_to_twisted_in_order() -> None:
    daphne = Daphne(takes=3)
    transport, first, second = daphne.opened(), Frame("first"), Frame("second")
    transport.offer(first)
    transport.offer(second)
    assert daphne.transport.written == [first.octets[3:], second.octets]
    assert not transport.is_behind
    daphne.transport._tempDataLen = 300_000
    assert transport.is_behind
    assert not transport.offer(Frame("third"))
    assert len(daphne.transport.written) == 2


def test_a_system_that_takes_nothing_now_gets_it_from_twisted_later() -> None:
    daphne, frame = Daphne(takes=BlockingIOError()), Frame("a")
    assert daphne.opened().offer(frame)
    assert daphne.transport.written == [frame.octets]


def test_a_lost_connection_gets_nothing_more() -> None:
    daphne = Daphne(takes=ConnectionError("lost"))
    daphne.opened().offer(Frame("a"))
    assert daphne.transport.written == []


@pytest.mark.parametrize("state", [0, 1, 2])
def test_a_socket_that_is_not_open_is_daphnes_own_affair(state: int) -> None:
    daphne = Daphne(takes=3)
    daphne.state = state
    daphne.opened().offer(Frame("a"))
    assert daphne.through_asgi == [{"type": "websocket.send", "text": "a"}]
