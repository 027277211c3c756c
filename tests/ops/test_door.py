"""What comes in by the door of the web process: how much, how slowly, and how many at once."""

from __future__ import annotations

import itertools
import json
import queue
import socket
from collections.abc import Iterator

import pytest
from django.test import override_settings
from websockets import Origin
from websockets.sync.client import connect

from genius_site import door
from genius_site.servers.on_uvicorn import UvicornServer
from tests.fixtures.site import Site
from tests.ops.doors import DaphneDoor, Door, UvicornDoor, Visit

API = "/api/v1/matches/nothing/actions/"
PAGE = "/accounts/login/"


@pytest.fixture(params=[DaphneDoor, UvicornDoor], ids=["daphne", "uvicorn"])
def entrance(request: pytest.FixtureRequest) -> Iterator[Door]:
    found: Door = request.param()
    yield found
    found.close()


def head(path: str, *lines: str) -> bytes:
    return "\r\n".join((f"POST {path} HTTP/1.1", "Host: 127.0.0.1", *lines, "", "")).encode()


# -- size -----------------------------------------------------------------------------------------


def status_of(visit: Visit) -> int:
    return int(visit.got.split(b" ", 2)[1]) if visit.got else 0


@pytest.mark.parametrize(("path", "most"), [(API, door.API_BYTES), (PAGE, door.FORM_BYTES), ("/admin/x/", 256 * 1024)])
def test_a_body_is_refused_at_its_headers(entrance: Door, path: str, most: int) -> None:
    visit = entrance.knock()
    visit.send(head(path, f"Content-Length: {most + 1}", "Expect: 100-continue"))
    assert status_of(visit) == 413
    assert visit.end == "half"
    visit.send(b"a" * 1000)
    assert entrance.asked == []
    visit = entrance.knock()
    visit.send(head(path, f"Content-Length: {most}") + b"a" * most)
    assert visit.got == b""
    assert entrance.asked == [path]


def test_a_body_without_a_length_is_refused_when_it_passes_the_limit(entrance: Door) -> None:
    visit = entrance.knock()
    visit.send(head(API, "Transfer-Encoding: chunked"))
    chunk = b"1000\r\n" + b"a" * 4096 + b"\r\n"
    for _ in range(4):
        visit.send(chunk)
        assert visit.got == b""
    visit.send(chunk * 3 + b"0\r\n\r\n")
    assert status_of(visit) == 413
    assert visit.got.count(b"HTTP/1.1") == 1
    assert visit.kept == door.API_BYTES
    assert entrance.asked == []


def test_programs_read_a_code_and_people_a_sentence(entrance: Door) -> None:
    answers = {}
    for path in (API, PAGE):
        visit = entrance.knock()
        visit.send(head(path, "Content-Length: 300000000"))
        answers[path] = visit.got.split(b"\r\n\r\n", 1)
    assert b"application/json" in answers[API][0]
    assert json.loads(answers[API][1]) == {
        "accepted": False,
        "code": "too_large",
        "message": "At most 16 KiB can be sent here.",
    }
    assert b"text/html" in answers[PAGE][0]
    assert b"<h1>That is too much at once</h1>" in answers[PAGE][1]
    assert b"At most 256 KiB can be sent here. Nothing was done. Go back in your browser" in answers[PAGE][1]
    for shown, _ in answers.values():
        assert b"Connection: close" in shown
        assert b"Content-Security-Policy: default-src 'none'" in shown


def test_somebody_who_sends_on_is_cut_off_soon(entrance: Door) -> None:
    by_time, by_size = entrance.knock(), entrance.knock()
    for visit in (by_time, by_size):
        visit.send(head(PAGE, "Content-Length: 300000000"))
        visit.send(b"a" * 2**20)
        assert visit.end == "half"
    by_size.send(b"a" * 2**22)
    assert by_size.end == "aborted"
    entrance.wait(2)
    assert by_time.end == "aborted"


def test_who_was_answered_before_their_body_came_gets_no_second_answer() -> None:
    entrance = UvicornDoor(reads=False)
    visit = entrance.knock()
    visit.send(head(PAGE, "Content-Length: 1000"))
    visit.answer()
    assert status_of(visit) == 200
    visit.send(b"a")
    entrance.wait(door.BODY_SECONDS)
    assert visit.got.count(b"HTTP/1.1") == 1
    assert visit.end == "closed"
    entrance.close()


def test_headers_without_end_are_refused(entrance: Door) -> None:
    visit = entrance.knock()
    visit.send(b"GET / HTTP/1.1\r\nHost: a\r\n")
    for number in range(40):
        if visit.end == "open":
            visit.send(b"X-%d: " % number + b"a" * 10_000 + b"\r\n")
    assert visit.end != "open"
    assert entrance.asked == []


def test_a_second_request_of_a_connection_is_measured_anew(both_sites: Site) -> None:
    port = int(both_sites.url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        line.sendall(head("/api/v1/", f"Host: 127.0.0.1:{port}", "Content-Length: 10000") + b"a" * 10_000)
        assert line.recv(12) != b"HTTP/1.1 413"
        line.sendall(head("/api/v1/", f"Host: 127.0.0.1:{port}", "Content-Length: 10000") + b"a" * 10_000)
        line.shutdown(socket.SHUT_WR)
        assert b"HTTP/1.1 413" not in b"".join(iter(lambda: line.recv(65536), b""))


# -- time -----------------------------------------------------------------------------------------


def drip(entrance: Door, visit: Visit, data: bytes, seconds: float) -> None:
    """One byte each second, which no limit on silence would ever notice."""
    for number in range(int(seconds)):
        visit.send(data[number : number + 1])
        entrance.wait(1)


def test_headers_that_trickle_in_are_cut_off(entrance: Door) -> None:
    visit = entrance.knock()
    text = head(API, "X-Slow: " + "a" * 1000)
    drip(entrance, visit, text, door.HEADER_SECONDS - 1)
    assert visit.got == b""
    visit.send(text[14:200])
    entrance.wait(1)
    assert status_of(visit) == 408
    assert b'"code":"timeout"' in visit.got
    assert visit.end == "half"


def test_a_body_that_trickles_in_is_cut_off(entrance: Door) -> None:
    visit = entrance.knock()
    entrance.wait(door.HEADER_SECONDS - 1)
    visit.send(head(PAGE, "Content-Length: 1000"))
    drip(entrance, visit, b"a" * 1000, door.BODY_SECONDS - 1)
    assert visit.got == b""
    entrance.wait(1)
    assert status_of(visit) == 408
    assert b"text/html" in visit.got
    assert entrance.asked == []


def test_a_connection_on_which_nothing_is_asked_is_closed(entrance: Door) -> None:
    visit = entrance.knock()
    entrance.wait(door.HEADER_SECONDS)
    assert visit.end == "closed"
    assert visit.got == b""


def test_the_next_request_has_its_own_time_and_an_answer_as_long_as_it_takes(entrance: Door) -> None:
    visit = entrance.knock()
    visit.send(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    entrance.wait(300)
    assert visit.got == b""
    visit.answer()
    entrance.wait(door.IDLE_SECONDS - 1)
    assert visit.end == "open"
    first = visit.got
    visit.send(b"GET /api/ HTTP/1.1\r\n")
    drip(entrance, visit, b"Host: " + b"a" * 100, door.HEADER_SECONDS)
    assert visit.got.removeprefix(first).startswith(b"HTTP/1.1 408")


def test_hundreds_of_half_sent_requests_all_end_and_make_room(entrance: Door) -> None:
    visits = [entrance.knock(f"192.0.2.{number}") for number in range(200)]
    for number, visit in enumerate(visits):
        visit.send((b"GET / HTTP/1.1\r\nHost: a\r\n", head(PAGE, "Content-Length: 1000") + b"half")[number % 2])
    entrance.wait(door.BODY_SECONDS)
    assert {status_of(visit) for visit in visits} == {408}
    entrance.wait(door.LINGER_SECONDS)
    assert {visit.end for visit in visits} == {"aborted"}
    assert entrance.asked == []


# -- number ---------------------------------------------------------------------------------------


def ask(visit: Visit) -> None:
    visit.send(b"GET /api/v1/ HTTP/1.1\r\nHost: a\r\n\r\n")


@override_settings(MOST_CONNECTIONS=3)
def test_one_connection_too_many_is_told_so(entrance: Door) -> None:
    inside = [entrance.knock(f"192.0.2.{number}") for number in range(3)]
    visit = entrance.knock("192.0.2.9")
    ask(visit)
    assert status_of(visit) == 503
    assert b"Retry-After: 5" in visit.got
    assert b'"code":"busy"' in visit.got
    visit.hang_up()
    inside[0].hang_up()
    visit = entrance.knock("192.0.2.9")
    ask(visit)
    assert visit.got == b""
    assert len(entrance.asked) == 1


@override_settings(MOST_CONNECTIONS=1)
def test_far_too_many_are_told_at_once_and_keep_no_file(entrance: Door) -> None:
    visits = [entrance.knock(f"192.0.2.{number}") for number in range(150)]
    assert [status_of(visit) for visit in visits] == [0] * 101 + [503] * 49
    assert b"Retry-After: 5" in visits[-1].got
    assert {visit.end for visit in visits[101:]} == {"closed"}
    for visit in visits:
        visit.hang_up()
    assert not entrance.knock().is_one_too_many


@pytest.mark.parametrize(
    ("sent", "kind"),
    [
        (b"POST /api/v1/x/ HTTP/1.1\r\nHost: a", b"application/json"),
        (b"GET / HTTP/1.1\r\n", b"text/html"),
        (b"", b"text/html"),
    ],
)
def test_who_is_turned_away_gets_the_kind_of_answer_that_they_ask_for(sent: bytes, kind: bytes) -> None:
    """What has come is read, since closing with unread bytes would reset the connection and might lose the answer."""
    visitor, server = socket.socketpair()
    with visitor, server:
        server.setblocking(False)
        visitor.sendall(sent)
        server.sendall(door.turn_away(server))
        server.close()
        assert kind in b"".join(iter(lambda: visitor.recv(65536), b""))


@pytest.mark.parametrize(("files", "most"), [(256, 56), (100, 10), (1024, 824), (65536, 2000)])
def test_the_limit_of_open_files_leaves_room_for_the_rest(
    files: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sweep needs files as well: databases, the log."""
    monkeypatch.setattr(door.resource, "getrlimit", lambda which: (files, files))
    assert door.most_connections() == most


@override_settings(SOCKETS_PER_ADDRESS=1)
def test_no_address_takes_all_the_connections(entrance: Door) -> None:
    greedy = [entrance.knock("192.0.2.1") for _ in range(150)]
    assert [visit.is_one_too_many for visit in greedy] == [False] * 101 + [True] * 49
    assert not entrance.knock("192.0.2.2").is_one_too_many


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> queue.SimpleQueue[str]:
    """The connections that this test opens, by numbers, as they are counted no more. Those of earlier tests, which may
    end as late as now, are not among them."""
    found: queue.SimpleQueue[str] = queue.SimpleQueue()
    release, numbers = door.Visitors.release, itertools.count(1)

    def releasing(visitors: door.Visitors, address: str) -> None:
        release(visitors, address)
        if address.startswith("connection "):
            found.put(address)

    monkeypatch.setattr(door.Visitors, "counted", staticmethod(lambda address: f"connection {next(numbers)}"))
    monkeypatch.setattr(door.Visitors, "release", releasing)
    return found


def test_a_socket_is_counted_until_it_is_closed(both_sites: Site, ended: queue.SimpleQueue[str]) -> None:
    for number in (1, 2):  # if the first one were counted off twice, it would stand in place of the second
        with connect(f"{both_sites.ws}/ws/me/", origin=Origin(both_sites.url), proxy=None) as live:
            live.close()
        assert ended.get(timeout=60) == f"connection {number}"
    assert ended.empty()


def test_a_program_cannot_send_a_message_of_a_megabyte() -> None:
    assert DaphneDoor().server.websocket_max_message_size == 64 * 1024
    assert UvicornServer("127.0.0.1", 0, lambda: None).config.ws_max_size == 64 * 1024
