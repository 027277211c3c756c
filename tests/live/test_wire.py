"""The wire: frames built once, and a way out that never waits."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from websockets.frames import Opcode
from websockets.protocol import CLIENT, Protocol, State

from matches.live.wire import DaphneWire, Frame, Wire, wire_of


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

    wire, tasks = wire_of(send), len(asyncio.all_tasks())
    wire.send(Frame("a"))
    wire.close(4401)
    assert sent == [{"type": "websocket.send", "text": "a"}, {"type": "websocket.close", "code": 4401}]
    assert type(wire) is Wire
    assert not wire.is_behind
    assert len(asyncio.all_tasks()) == tasks


async def test_a_server_that_waits_for_its_peer_holds_nobody_up() -> None:
    gate, done = asyncio.Event(), []

    async def send(message: dict[str, Any]) -> None:
        await gate.wait()
        await asyncio.sleep(0)
        done.append(message["text"])

    wire = wire_of(send)
    wire.send(Frame("a"))
    assert wire.is_behind
    gate.set()
    while wire.is_behind:
        await asyncio.sleep(0)
    assert done == ["a"]


@pytest.mark.parametrize("late", [False, True])
async def test_a_peer_that_is_gone_is_no_error(late: bool) -> None:
    async def send(message: dict[str, Any]) -> None:
        if late:
            await asyncio.sleep(0)
        raise ConnectionError("gone")

    wire = wire_of(send)
    wire.send(Frame("a"))
    while wire.is_behind:
        await asyncio.sleep(0)


class Transport:
    """What of a Twisted transport is used."""

    def __init__(self, takes: Any) -> None:
        self.takes = takes
        self.dataBuffer, self.offset, self._tempDataLen, self.connected = b"", 0, 0, True
        self.written: list[bytes] = []

    def writeSomeData(self, data: bytes) -> Any:
        return self.takes

    def write(self, data: bytes) -> None:
        self.written.append(data)
        self._tempDataLen += len(data)


class Daphne:
    """What of daphne's protocol is used."""

    def __init__(self, takes: Any) -> None:
        self.transport, self.state, self.send_queue = Transport(takes), 3, []
        self.through_asgi: list[dict[str, Any]] = []

    async def send(self, message: dict[str, Any]) -> None:
        self.through_asgi.append(message)

    def wire(self) -> DaphneWire:
        return DaphneWire(self.send, self)


def test_what_the_system_does_not_take_at_once_is_left_to_twisted_in_order() -> None:
    daphne = Daphne(takes=3)
    wire, first, second = daphne.wire(), Frame("first"), Frame("second")
    wire.send(first)
    wire.send(second)
    assert daphne.transport.written == [first.octets[3:], second.octets]
    assert not wire.is_behind
    daphne.transport._tempDataLen = 300_000
    assert wire.is_behind


def test_a_lost_connection_gets_nothing_more() -> None:
    daphne = Daphne(takes=ConnectionError("lost"))
    daphne.wire().send(Frame("a"))
    assert daphne.transport.written == []


@pytest.mark.parametrize("state", [0, 1, 2])
def test_a_socket_that_is_not_open_is_daphnes_own_affair(state: int) -> None:
    daphne = Daphne(takes=3)
    daphne.state = state
    daphne.wire().send(Frame("a"))
    assert daphne.through_asgi == [{"type": "websocket.send", "text": "a"}]
