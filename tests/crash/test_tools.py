"""What the harness does to programs and lines really happens to them."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

from lab.crash.checker import Violation
from lab.crash.kinds import Fault, step
from lab.crash.players import Deed, Player
from lab.crash.programs import Program
from lab.crash.proxy import Proxy
from lab.crash.report import Blow, Figures, text
from lab.crash.run import Plan, Run
from lab.crash.stored import Timers, judged
from lab.crash.watchers import Watcher, Watchers
from tests.fixtures.processes import free_port

ECHO = """
import socketserver, sys
class Echo(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            self.wfile.write(line)
socketserver.ThreadingTCPServer.allow_reuse_address = True
socketserver.ThreadingTCPServer.daemon_threads = True
socketserver.ThreadingTCPServer(("127.0.0.1", int(sys.argv[1])), Echo).serve_forever()
"""


async def ask(port: int, seconds: float = 5) -> bytes:
    """What an echo answers on a new connection; nothing where it is cut off."""
    with suppress(ConnectionError):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(b"word\n")
            async with asyncio.timeout(seconds):
                return await reader.readline()
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
    return b""


async def test_a_program_is_killed_frozen_and_started_again_behind_a_line_that_is_cut(tmp_path: Path) -> None:
    port = free_port()

    async def ready() -> bool:
        return await ask(port) != b""

    program = Program("echo", [sys.executable, "-c", ECHO, str(port)], tmp_path / "log", ready)
    program.start()
    await program.until_ready(30)
    line = Proxy(free_port(), port)
    await line.start()
    assert await ask(line.port) == b"word\n"

    line.cut()
    assert await ask(line.port) == b""
    line.heal()
    line.stall()
    waiting = asyncio.create_task(ask(line.port))
    assert not (await asyncio.wait([waiting], timeout=0.1))[0]
    line.heal()
    assert await waiting == b"word\n"
    line.slow(0.1)
    with pytest.raises(TimeoutError):
        await ask(line.port, 0.05)
    line.heal()

    program.freeze()
    with pytest.raises(TimeoutError):
        await ask(port, 0.1)
    program.thaw()
    assert await ask(port) == b"word\n"
    program.kill()
    program.start_if_dead()  # not by itself
    assert await ask(line.port) == b""
    program.start()
    await program.until_ready(30)
    assert program.deaths == 0
    assert program._process is not None
    program._process.kill()
    program._process.wait()
    program.start_if_dead()
    assert program.deaths == 1
    await program.until_ready(30)
    await program.end()
    assert await ask(port) == b""
    await line.close()


class Board(Watcher):
    """Shows at each moment what `shows` says."""

    def __init__(self, shows: Callable[[], int]) -> None:
        self.match, self.shows = "m", shows

    @property
    def version(self) -> int:
        return self.shows()


async def whole_after(board: Callable[[float], float], monkeypatch: pytest.MonkeyPatch) -> float:
    """How soon it counts as whole, if at each moment somebody is answered with a version as high as the time."""
    watchers, time = Watchers(), 0.0

    async def pass_time(seconds: float) -> None:
        nonlocal time
        time += seconds
        watchers.heard("m", int(time * 1000))

    monkeypatch.setattr("lab.crash.watchers.monotonic", lambda: time)
    # Only there: threads of other tests may sleep meanwhile, and their seconds are not these.
    monkeypatch.setattr("lab.crash.watchers.asyncio", SimpleNamespace(sleep=pass_time))
    watchers.all = [Board(lambda: int(board(time) * 1000))]
    return await watchers.until_whole(60)


async def test_boards_are_whole_when_they_show_all_the_time_what_was_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    assert await whole_after(lambda time: time, monkeypatch) == 0
    assert await whole_after(lambda time: time if time > 4 else 0, monkeypatch) == pytest.approx(4, abs=0.1)
    for never in (lambda time: 0, lambda time: time // 5 * 5):  # the latter looks every five seconds, without pushes
        with pytest.raises(TimeoutError):
            await whole_after(never, monkeypatch)


def test_whoever_waits_too_long_beside_a_frozen_process_is_noticed(tmp_path: Path) -> None:
    plan = Plan(1, 1, embedded=False, matches=1, players=1, rate=1, timers=0, minutes=1, only=())
    run, fault = Run(plan, tmp_path), Fault("freeze web", step(), step(), (0, 0), frozen="web1")

    def waited(begun: float, ended: float, web: str) -> float:
        deed = Deed(Player("m", "ann", ""), "a1", {}, begun, ended, {web})
        load = SimpleNamespace(done=[deed] if ended else [], under_way={} if ended else {"a1": deed})
        return run._others_waited(fault, load, 10, 20)  # type: ignore[arg-type]

    assert waited(11, 14, "web2") == 3
    assert waited(11, 19, "web1") == 0  # it met the frozen one itself
    assert waited(5, 19, "web2") == 0  # it was late before
    assert run._violations == []
    assert waited(11, 0, "web2") == 9  # and is not answered yet
    assert [each.kind for each in run._violations] == ["delay"]


def test_the_report_says_what_was_wrong() -> None:
    assert [each.kind for each in judged(Timers(due=4, passed=3, early=1, latest=2.0))] == ["early", "deadline lost"]
    assert list(judged(Timers(due=4, passed=4, early=0, latest=2.0))) == []
    blows = [Blow("kill -9 web", 1, 0.5, 0.2), Blow("kill -9 web", 1, 2.5, 0.1), Blow("freeze web", 1, 0, 0, None, 3.2)]
    said = text(Figures(blows), [Violation("lost", "m/ann/a1")])
    assert "| kill -9 web | 2 | 2.5 s, 2.5 s | 0.2 s, 0.2 s |  |  |" in said
    assert "| freeze web | 1 | 0.0 s, 0.0 s | 0.0 s, 0.0 s |  | 3.2 s |" in said
    assert "Lost 1, doubled 0, refused but stored 0." in said
    assert "  lost: m/ann/a1" in said
