"""The transport: frames built once, and a way out that never waits."""

import asyncio
from typing import Any

import pytest
from websockets.frames import Opcode
from websockets.protocol import CLIENT, Protocol, State

from matches.live.transport import Frame, transport_of


@pytest.mark.parametrize("length", [0, 1, 125, 126, 65_535, 65_536, 200_000])
def test_a_frame_is_read_back_by_another_implementation(length: int) -> None:
    text = "é" * (length // 2) + "x" * (length % 2)
    reader = Protocol(CLIENT, state=State.OPEN, max_size=None)
    reader.receive_data(Frame(text).octets)
    (frame,) = reader.events_received()
    assert (frame.opcode, frame.fin, frame.data.decode()) == (Opcode.TEXT, True, text)  # type: ignore[union-attr]


async def test_a_server_that_waits_for_its_peer_holds_nobody_up() -> None:
    gate, done = asyncio.Event(), []

    async def send(message: dict[str, Any]) -> None:
        await gate.wait()
        await asyncio.sleep(0)
        done.append(message["text"])

    transport = transport_of(send)
    assert transport.offer(Frame("a"))
    assert transport.offer(Frame("b" * 300_000))
    assert transport.is_behind
    assert not transport.offer(Frame("c"))
    gate.set()
    while transport.is_behind:
        await asyncio.sleep(0)
    assert [text[0] for text in done] == ["a", "b"]
