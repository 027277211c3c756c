"""What comes in by the door of the web process: how much, how slowly, and how many at once."""

from __future__ import annotations

import json
import queue
import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import daphne.server  # noqa: F401  # first of all Twisted: it brings the reactor that daphne needs
import pytest
from django.test import override_settings
from twisted.internet.address import IPv4Address
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from websockets import Origin
from websockets.sync.client import connect

from genius_site import door
from tests.fixtures.site import Site
from tests.ops.test_serve import served

API = "/api/v1/matches/nothing/actions/"
PAGE = "/accounts/login/"


class Line(StringTransport):
    """A connection in memory."""

    half_closed = aborted = False

    def loseWriteConnection(self) -> None:
        self.half_closed = True

    def abortConnection(self) -> None:
        self.aborted = True


class Server:
    """What of daphne's server the door and a request use."""

    websocket_max_message_size = websocket_max_frame_size = 1024 * 1024
    request_buffer_size = 8192
    proxy_forwarded_address_header = None
    root_path = server_name = ""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []

    def protocol_connected(self, protocol: Any) -> None: ...

    def protocol_disconnected(self, protocol: Any) -> None: ...

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> None:
        self.asked.append(scope)


class Door:
    """The door with a clock that is moved by hand."""

    def __init__(self) -> None:
        self.server, self.clock = Server(), Clock()
        self.factory = door.Factory(self.server)
        self.factory.reactor = self.clock
        self.open: list[Any] = []

    def knock(self, address: str = "192.0.2.1") -> tuple[Any, Line]:
        """A new connection: its channel and its line."""
        peer = IPv4Address("TCP", address, 4711)
        channel, line = self.factory.buildProtocol(peer), Line(peerAddress=peer)
        if channel is not None:
            channel.makeConnection(line)
            self.open.append(channel)
        return channel, line

    def hang_up(self, channel: Any) -> None:
        """The other side goes away."""
        self.open.remove(channel)
        channel.connectionLost(None)


@pytest.fixture
def entrance() -> Iterator[Door]:
    found = Door()
    yield found
    for channel in list(found.open):
        found.hang_up(channel)


def head(path: str, *lines: str) -> bytes:
    return "\r\n".join((f"POST {path} HTTP/1.1", "Host: 127.0.0.1", *lines, "", "")).encode()


# -- size -----------------------------------------------------------------------------------------


def status_of(line: Line) -> int:
    return int(line.value().split(b" ", 2)[1]) if line.value() else 0


@pytest.mark.parametrize(("path", "most"), [(API, door.API_BYTES), (PAGE, door.FORM_BYTES), ("/admin/x/", 256 * 1024)])
def test_a_body_is_refused_at_its_headers(entrance: Door, path: str, most: int) -> None:
    channel, line = entrance.knock()
    channel.dataReceived(head(path, f"Content-Length: {most + 1}", "Expect: 100-continue"))
    assert status_of(line) == 413
    assert line.half_closed
    channel.dataReceived(b"a" * 1000)
    assert entrance.server.asked == []
    channel, line = entrance.knock()
    channel.dataReceived(head(path, f"Content-Length: {most}") + b"a" * most)
    assert line.value() == b""
    assert [scope["path"] for scope in entrance.server.asked] == [path]


def test_a_body_without_a_length_is_refused_when_it_passes_the_limit(entrance: Door) -> None:
    channel, line = entrance.knock()
    channel.dataReceived(head(API, "Transfer-Encoding: chunked"))
    chunk = b"1000\r\n" + b"a" * 4096 + b"\r\n"
    for _ in range(4):
        channel.dataReceived(chunk)
        assert line.value() == b""
    content = channel.requests[-1].content
    channel.dataReceived(chunk * 3 + b"0\r\n\r\n")
    assert status_of(line) == 413
    assert line.value().count(b"HTTP/1.1") == 1
    assert content.tell() == door.API_BYTES
    assert entrance.server.asked == []


def test_programs_read_a_code_and_people_a_sentence(entrance: Door) -> None:
    answers = {}
    for path in (API, PAGE):
        channel, line = entrance.knock()
        channel.dataReceived(head(path, "Content-Length: 300000000"))
        answers[path] = line.value().split(b"\r\n\r\n", 1)
    assert b"application/json" in answers[API][0]
    assert json.loads(answers[API][1]) == {
        "accepted": False,
        "code": "too_large",
        "message": "At most 16 KiB can be sent here.",
    }
    assert b"text/html" in answers[PAGE][0]
    assert b"At most 256 KiB can be sent here." in answers[PAGE][1]
    for shown, _ in answers.values():
        assert b"Connection: close" in shown
        assert b"Content-Security-Policy: default-src 'none'" in shown


def test_somebody_who_sends_on_is_cut_off_soon(entrance: Door) -> None:
    by_time, by_size = entrance.knock(), entrance.knock()
    for channel, _ in (by_time, by_size):
        channel.dataReceived(head(PAGE, "Content-Length: 300000000"))
        channel.dataReceived(b"a" * 2**20)
    assert not by_time[1].aborted
    assert not by_size[1].aborted
    by_size[0].dataReceived(b"a" * 2**22)
    assert by_size[1].aborted
    entrance.clock.advance(2)
    assert by_time[1].aborted


def test_a_second_request_of_a_connection_is_measured_anew(site: Site) -> None:
    port = int(site.url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        line.sendall(head("/api/v1/", f"Host: 127.0.0.1:{port}", "Content-Length: 10000") + b"a" * 10_000)
        assert line.recv(12) != b"HTTP/1.1 413"
        line.sendall(head("/api/v1/", f"Host: 127.0.0.1:{port}", "Content-Length: 10000") + b"a" * 10_000)
        line.shutdown(socket.SHUT_WR)
        assert b"HTTP/1.1 413" not in b"".join(iter(lambda: line.recv(65536), b""))


# -- time -----------------------------------------------------------------------------------------


def drip(entrance: Door, channel: Any, data: bytes, seconds: float) -> None:
    """One byte each second, which no limit on silence would ever notice."""
    for number in range(int(seconds)):
        channel.dataReceived(data[number : number + 1])
        entrance.clock.advance(1)


def test_headers_that_trickle_in_are_cut_off(entrance: Door) -> None:
    channel, line = entrance.knock()
    text = head(API, "X-Slow: " + "a" * 1000)
    drip(entrance, channel, text, door.HEADER_SECONDS - 1)
    assert line.value() == b""
    channel.dataReceived(text[14:200])
    entrance.clock.advance(1)
    assert status_of(line) == 408
    assert b'"code":"timeout"' in line.value()
    assert line.half_closed


def test_a_body_that_trickles_in_is_cut_off(entrance: Door) -> None:
    channel, line = entrance.knock()
    entrance.clock.advance(door.HEADER_SECONDS - 1)
    channel.dataReceived(head(PAGE, "Content-Length: 1000"))
    drip(entrance, channel, b"a" * 1000, door.BODY_SECONDS - 1)
    assert line.value() == b""
    entrance.clock.advance(1)
    assert status_of(line) == 408
    assert b"text/html" in line.value()
    assert entrance.server.asked == []


def test_a_connection_on_which_nothing_is_asked_is_closed(entrance: Door) -> None:
    _, line = entrance.knock()
    entrance.clock.advance(door.HEADER_SECONDS)
    assert line.disconnecting
    assert line.value() == b""


def test_the_next_request_has_its_own_time_and_an_answer_as_long_as_it_takes(entrance: Door) -> None:
    channel, line = entrance.knock()
    channel.dataReceived(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    entrance.clock.advance(300)
    assert line.value() == b""
    channel.requests[0].finish()
    entrance.clock.advance(door.IDLE_SECONDS - 1)
    assert not line.disconnecting
    line.clear()
    channel.dataReceived(b"GET /api/ HTTP/1.1\r\n")
    drip(entrance, channel, b"Host: " + b"a" * 100, door.HEADER_SECONDS)
    assert status_of(line) == 408


# -- number ---------------------------------------------------------------------------------------


def ask(channel: Any) -> None:
    channel.dataReceived(b"GET /api/v1/ HTTP/1.1\r\nHost: a\r\n\r\n")


@override_settings(MOST_CONNECTIONS=3)
def test_one_connection_too_many_is_told_so(entrance: Door) -> None:
    inside = [entrance.knock(f"192.0.2.{number}") for number in range(3)]
    channel, line = entrance.knock("192.0.2.9")
    ask(channel)
    assert status_of(line) == 503
    assert b"Retry-After: 5" in line.value()
    assert b'"code":"busy"' in line.value()
    entrance.hang_up(channel)
    entrance.hang_up(inside[0][0])
    channel, line = entrance.knock("192.0.2.9")
    ask(channel)
    assert line.value() == b""
    assert len(entrance.server.asked) == 1


@override_settings(MOST_CONNECTIONS=1)
def test_far_too_many_are_not_even_told(entrance: Door) -> None:
    channels = [entrance.knock(f"192.0.2.{number}")[0] for number in range(150)]
    assert channels[100] is not None
    assert channels[101:] == [None] * 49
    for channel in channels[:101]:
        entrance.hang_up(channel)
    assert not entrance.knock()[0].is_one_too_many


@override_settings(SOCKETS_PER_ADDRESS=1)
def test_no_address_takes_all_the_connections(entrance: Door) -> None:
    greedy = [entrance.knock("192.0.2.1")[0] for _ in range(150)]
    assert [channel.is_one_too_many for channel in greedy] == [False] * 101 + [True] * 49
    assert not entrance.knock("192.0.2.2")[0].is_one_too_many


def test_a_socket_is_counted_until_it_is_closed(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[Any] = []
    ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
    build, release = door.Factory.buildProtocol, door.Factory.release

    def building(factory: door.Factory, address: Any) -> Any:
        built.append(build(factory, address))
        return built[-1]

    def releasing(factory: door.Factory, channel: Any) -> None:
        release(factory, channel)
        ended.put(channel)

    monkeypatch.setattr(door.Factory, "buildProtocol", building)
    monkeypatch.setattr(door.Factory, "release", releasing)
    with connect(f"{site.ws}/ws/me/", origin=Origin(site.url), proxy=None) as live:
        live.close()
    while ended.get(timeout=10) is not built[0]:
        pass  # a connection of another test
    assert ended.empty()


def test_a_program_cannot_send_a_message_of_a_megabyte(entrance: Door) -> None:
    assert entrance.server.websocket_max_message_size == 64 * 1024


# -- a real process -------------------------------------------------------------------------------


def memory(pid: int) -> int:
    """The most memory that a process ever had, in MiB."""
    return int(re.findall(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[0]) // 1024


@pytest.mark.parametrize("length", ["Content-Length: 314572800", "Transfer-Encoding: chunked"])
def test_three_hundred_megabytes_are_neither_kept_nor_read(tmp_path: Path, length: str) -> None:
    with served(tmp_path) as server:
        port = int(server.url.rstrip("/").rpartition(":")[2])
        before, sent = memory(server.process.pid), 0
        block = b"a" * 2**20 if "chunked" not in length else b"100000\r\n" + b"a" * 2**20 + b"\r\n"
        with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
            line.sendall(head(PAGE, length, "Content-Type: multipart/form-data; boundary=x"))
            with suppress(ConnectionError):
                for _ in range(300):
                    line.sendall(block)
                    sent += 1
            assert line.recv(12) == b"HTTP/1.1 413"
        assert sent < 50
        assert memory(server.process.pid) - before < 30
