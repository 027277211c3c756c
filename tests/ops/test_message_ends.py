"""Where a request ends: one whose end can be read in two ways is refused with its connection, so that nothing in its
body, which a proxy has let through as such, is taken for the next request."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.ops.doors import DaphneDoor, Door, UvicornDoor
from tests.ops.test_door import API, head, status_of

HIDDEN = b"GET /hidden/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
LENGTH = f"Content-Length: {len(HIDDEN) + 5}"
CHUNKED = "Transfer-Encoding: chunked"

TWO_READINGS = {
    "chunked, and a length": (CHUNKED, LENGTH),
    "a length, and chunked": (LENGTH, CHUNKED),
    "two lengths": ("Content-Length: 0", LENGTH),
    "two lengths in a line": (f"Content-Length: 0, {len(HIDDEN) + 5}",),
    "a length with a sign": (f"Content-Length: +{len(HIDDEN) + 5}",),
    "a length to base 16": (f"Content-Length: 0x{len(HIDDEN) + 5:x}",),
    "a length below zero": ("Content-Length: -1",),
    "a space before the colon": ("Transfer-Encoding : chunked", LENGTH),
    "a line that goes on in the next": ("Content-Length: 0\r\n 5",),
    "an encoding that nobody knows": ("Transfer-Encoding: xchunked", LENGTH),
    "chunked, and not last": ("Transfer-Encoding: chunked, identity", LENGTH),
    "two encodings": (CHUNKED, "Transfer-Encoding: identity", LENGTH),
}
NO_CHUNKS = {"a sign": b"+0", "a space": b" 0", "no number": b"x", "below zero": b"-1"}

DOORS: list[Callable[[], Door]] = [DaphneDoor, UvicornDoor]
both_doors = pytest.mark.parametrize("make", DOORS, ids=["daphne", "uvicorn"])


def answered(make: Callable[[], Door], sent: bytes) -> tuple[int, str, list[str]]:
    """The status, how the connection ended, and what came to the application."""
    door = make()
    visit = door.knock()
    visit.send(sent)
    found = status_of(visit), visit.end, list(door.asked)
    door.close()
    return found


@both_doors
@pytest.mark.parametrize("name", TWO_READINGS)
def test_an_end_that_can_be_read_in_two_ways(make: Callable[[], Door], name: str) -> None:
    assert answered(make, head(API, *TWO_READINGS[name]) + b"0\r\n\r\n" + HIDDEN) == (400, "closed", [])


@both_doors
@pytest.mark.parametrize("name", NO_CHUNKS)
def test_a_chunk_whose_size_is_none(make: Callable[[], Door], name: str) -> None:
    assert answered(make, head(API, CHUNKED) + NO_CHUNKS[name] + b"\r\n\r\n" + HIDDEN) == (400, "closed", [])


@both_doors
@pytest.mark.parametrize("lines", [(LENGTH,), (CHUNKED,)], ids=["by its length", "in chunks"])
def test_what_is_in_a_body_stays_there(make: Callable[[], Door], lines: tuple[str, ...]) -> None:
    """The control: with one reading it is taken, and what comes behind it is the next request."""
    body = b"0\r\n\r\n" + HIDDEN
    sent = body if lines == (LENGTH,) else b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    door = make()
    visit = door.knock()
    visit.send(head(API, *lines) + sent)
    assert door.asked == [API]
    visit.answer()
    visit.send(HIDDEN)
    assert door.asked == [API, "/hidden/"]
    door.close()
