"""Rubbish on WebSockets: frames that are no JSON, too large, nested, binary, half, or against the protocol itself."""

from __future__ import annotations

import asyncio
import os
import random
from collections import Counter
from typing import Any

from benchmarks.site import Site

_UPGRADE = (
    "GET /ws/matches/{match}/?format={format} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    "Sec-WebSocket-Version: 13\r\nX-Forwarded-Proto: http\r\n\r\n"
)
_TEXT, _BINARY, _CLOSE = 1, 2, 8
_SAID = (
    *(b"", b"{", b"null", b"[]", b"1", b'"x"', b"NaN", b"[" * 4000, b'{"type":', b'{"type":null}', b'{"type":7}'),
    *(b'{"type":"bid","amount":1}', b'{"type":"' + b"r" * 4000 + b'"}', b'{"a":' * 800, b"9" * 4000, b"\x00" * 50),
    *(b"A" * 4097, b"A" * 60_000, b'{"type":"ping","type":[]}', b'{"type":"\\ud800"}', '{"type":"é²٣"}'.encode()),
)
_ENDINGS = (
    *((_TEXT, b"\xff\xfe"), (_TEXT, b"A" * 70_000), (3, b"x"), (11, b""), (9, b"A" * 200), (0, b"no beginning")),
    *((_CLOSE, b"\x00"), (_CLOSE, b"\x03\xf4"), (_CLOSE, b"\x00\x01bad"), (_CLOSE, b"\x03\xe8\xff\xff")),
)
_OF_ONE, _PATIENCE = 18, 120.0
"""Frames of one socket: beyond 20 it would be closed for their number."""


def frame(opcode: int, payload: bytes, *, first: int = 0x80) -> bytes:
    """As a client sends it, masked; `first` without 0x80 is a frame that goes on."""
    size = len(payload)
    if size < 126:
        length = bytes([0x80 | size])
    else:
        length = b"\xfe" + size.to_bytes(2, "big") if size < 2**16 else b"\xff" + size.to_bytes(8, "big")
    mask = os.urandom(4)
    body = bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload)) if size < 5000 else payload
    return bytes([first | opcode]) + length + (mask if size < 5000 else b"\0\0\0\0") + body


async def send_frames(site: Site, matches: list[str], number: int, seed: int) -> dict[str, Any]:
    """How the sockets ended, and the most memory that was used."""
    chance, ends, memory = random.Random(seed), Counter[str](), [site.resident_kib()]
    sent, answered = 0, 0
    while sent < number:
        many = [_one(site.port, chance.choice(matches), random.Random(chance.random())) for _ in range(20)]
        for frames, answers, end in await asyncio.gather(*many):
            sent, answered = sent + frames, answered + answers
            ends[end] += 1
        memory.append(site.resident_kib())
    return {
        "frames": sent,
        "sockets": ends.total(),
        "answered": answered,
        "ends": dict(ends),
        "mib_first_and_most": [memory[1] // 1024, max(memory) // 1024],
    }


async def _one(port: int, match: str, chance: random.Random) -> tuple[int, int, str]:
    """One socket: how many frames it sent, how many were answered, and how it ended."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**21)
    form = chance.choice(("json", "html", "hints"))
    writer.write(_UPGRADE.format(match=match, port=port, format=form).encode())
    head = await reader.readuntil(b"\r\n\r\n")
    if b" 101 " not in head:
        writer.transport.abort()
        return 0, 0, f"not opened: {head[9:12].decode()}"
    frames = [frame(chance.choice((_TEXT, _TEXT, _TEXT, _BINARY)), chance.choice(_SAID)) for _ in range(_OF_ONE)]
    writer.write(b"".join(frames))
    answers, end = 0, "no close frame"
    try:
        async with asyncio.timeout(_PATIENCE):
            while answers < len(frames):
                answers += not (await _read(reader))[1].startswith(b'{"version"')
            if chance.random() < 0.7:
                opcode, payload = chance.choice(_ENDINGS)
                frames.append(frame(opcode, payload, first=chance.choice((0x80, 0x80, 0xF0, 0x00))))
                writer.write(frames[-1])
            frames.append(frame(_CLOSE, b"\x03\xe8"))
            writer.write(frames[-1])
            while True:
                opcode, payload = await _read(reader)
                if opcode == _CLOSE:
                    end = str(int.from_bytes(payload[:2], "big"))
                    break
    except TimeoutError:
        end = "no answer"
    except (OSError, EOFError):
        pass  # on what is against the protocol the server hangs up
    writer.transport.abort()
    return len(frames), answers, end


async def _read(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    first, length = await reader.readexactly(2)
    size = length & 0x7F
    if size > 125:
        size = int.from_bytes(await reader.readexactly(2 if size == 126 else 8), "big")
    return first & 0xF, await reader.readexactly(size)
