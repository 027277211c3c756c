"""What a peer says at a socket can be said again and again, by many at once: each is answered, nothing is stored."""

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Barrier

import pytest
from websockets.sync.client import ClientConnection

from tests.access.test_equal_requests import TIMES, stored
from tests.fixtures.site import Site
from tests.fixtures.table import Table, running
from tests.live.test_sockets import bid, frame, frame_with, opened

pytestmark = pytest.mark.both

AT_ONCE = 6
PATHS = ("/ws/matches/{}/", "/ws/me/", "/ws/desk/")


@pytest.fixture
def table(site: Site) -> Table:
    (table,) = running(site)
    return table


def until_pong(socket: ClientConnection) -> Counter[str]:
    """What came until the answer to the next ping: by what it is."""
    came: Counter[str] = Counter()
    socket.send('{"type": "ping"}')
    while (found := frame(socket)) != {"type": "pong"}:
        came["error" if "error" in found else "whole"] += 1
    return came


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("said", ["ping", "resync", "nothing of the kind"])
def test_what_is_said_again_and_again_is_answered_each_time_and_stores_nothing(
    table: Table, path: str, said: str
) -> None:
    place, ann = path.format(table.id) + "?format=json", table.people[0]
    with opened(table.site, place, **ann.bearer()) as mine, opened(table.site, place, **ann.bearer()) as other:
        for socket in (mine, other):
            frame(socket)
            until_pong(socket)
        before = stored()
        for _ in range(TIMES):
            mine.send(json.dumps({"type": said}))
        if said == "ping":
            assert [frame(mine) for _ in range(TIMES)] == [{"type": "pong"}] * TIMES
        came = until_pong(mine)
        if said == "nothing of the kind":
            assert came == {"error": TIMES}
        assert until_pong(other) == Counter()
        assert stored() == before


def test_after_many_resyncs_at_once_each_has_the_present_board(table: Table) -> None:
    with ExitStack() as stack:
        place = f"/ws/matches/{table.id}/?format=json"
        sockets = [
            stack.enter_context(opened(table.site, place, **table.people[number % 3].bearer()))
            for number in range(AT_ONCE)
        ]
        for socket in sockets:
            frame(socket)
        version = bid(table, 0)
        for socket in sockets:
            while frame_with(socket, "public")["version"] != version:
                pass
        before, barrier = stored(), Barrier(AT_ONCE)

        def ask(socket: ClientConnection) -> int:
            barrier.wait()
            for _ in range(TIMES):
                socket.send('{"type": "resync"}')
            found: int = frame_with(socket, "public")["version"]
            return found

        with ThreadPoolExecutor(AT_ONCE) as pool:
            assert list(pool.map(ask, sockets)) == [version] * AT_ONCE
        assert stored() == before
