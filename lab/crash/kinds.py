"""The kinds of faults: each begins, lasts for a while, and is repaired."""

import asyncio
import signal
import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from lab.crash.programs import Program
from lab.crash.sites import EmbeddedSite, FullSite, Site

Step = Callable[[], Awaitable[None]]


@dataclass(frozen=True)
class Fault:
    """`kind`: its row in the report. `frozen`: the program that does not answer, while all others must, within 5 s.
    `pushes`: Redis was down, and pushes must be complete within 5 s of its return. `web_only`: sweeps went on."""

    kind: str
    strike: Step
    mend: Step
    seconds: tuple[float, float]
    frozen: str = ""
    pushes: bool = False
    web_only: bool = False


def step(*functions: Callable[[], Any]) -> Step:
    """Return a step that calls these in turn, awaiting coroutines."""

    async def run() -> None:
        for function in functions:
            if asyncio.iscoroutine(found := function()):
                await found

    return run


def faults_of(site: Site) -> list[Fault]:
    """Return every fault that this site can have."""
    if isinstance(site, EmbeddedSite):
        return _embedded(site)
    assert isinstance(site, FullSite)
    return _full(site)


def _killed(program: Program, **more: Any) -> Fault:
    mend = step(program.start, program.until_ready)
    return Fault(f"kill -9 {_name(program)}", step(program.kill), mend, (0, 1.5), **more)


def _restarted(program: Program, how: str = "restart", stop: Any = None, **more: Any) -> Fault:
    mend = step(program.start, program.until_ready)
    return Fault(f"{how} {_name(program)}", step(lambda: program.end(stop)), mend, (0, 0.5), **more)


def _frozen(program: Program, seconds: tuple[float, float], **more: Any) -> Fault:
    return Fault(f"freeze {_name(program)}", step(program.freeze), step(program.thaw), seconds, **more)


def _name(program: Program) -> str:
    return program.name.rstrip("12")


def _full(site: FullSite) -> list[Fault]:
    programs, found = site.programs, list[Fault]()
    for name in ("web1", "web2"):
        found += [_killed(programs[name], web_only=True), _restarted(programs[name], web_only=True)]
        found += [_frozen(programs[name], (4, 8), frozen=name, web_only=True), _frozen_with_lock(site, name)]
    for name in ("worker", "beat"):
        found += [_killed(programs[name]), _restarted(programs[name]), _frozen(programs[name], (3, 6), frozen=name)]
    postgres, redis = programs["postgres"], programs["redis"]
    found += [_killed(postgres), _frozen(postgres, (1, 4))]
    found += [_restarted(postgres, "fast restart", signal.SIGINT)]
    found += [_restarted(postgres, "immediate restart", signal.SIGQUIT)]
    found += [_killed(redis, pushes=True), _restarted(redis, pushes=True), _frozen(redis, (1, 6), pushes=True)]
    found += _partitions(site)
    return found


def _frozen_with_lock(site: FullSite, name: str) -> Fault:
    """Freeze a web in the middle of a transaction, so that it keeps its locks; retry until that succeeds."""
    program = site.programs[name]

    async def strike() -> None:
        for _ in range(400):
            program.freeze()
            if await asyncio.to_thread(site.holds_a_lock, name):
                return
            program.thaw()
            await asyncio.sleep(0.01)
        program.freeze()

    return Fault("freeze web holding locks", strike, step(program.thaw), (6, 9), frozen=name, web_only=True)


def _partitions(site: FullSite) -> list[Fault]:
    found = list[Fault]()
    for server in ("postgres", "redis"):
        lines = [proxy for name, proxy in site.proxies.items() if name.endswith(server)]
        heal = step(*(line.heal for line in lines))
        pushes = server == "redis"
        found += [
            Fault(f"cut off {server}", step(*(line.cut for line in lines)), heal, (0.5, 5), pushes=pushes),
            Fault(f"silent line to {server}", step(*(line.stall for line in lines)), heal, (0.5, 5), pushes=pushes),
            Fault(f"slow {server}", step(*(line.slow for line in lines)), heal, (3, 5)),
        ]
    for web in ("web1", "web2"):
        line = site.proxies[f"{web}-postgres"]
        for kind, strike in (("cut one web off", line.cut), ("silent line of one web to", line.stall)):
            found += [Fault(f"{kind} postgres", step(strike), step(line.heal), (1, 6), frozen=web, web_only=True)]
    return found


def _embedded(site: EmbeddedSite) -> list[Fault]:
    program = site.programs["site"]
    return [_killed(program), _restarted(program), _frozen(program, (1, 4)), _locked(site)]


def _locked(site: EmbeddedSite) -> Fault:
    """Hold the write lock from another process: to the site this is like a disk that takes seconds for a write."""
    held: list[sqlite3.Connection] = []

    def strike() -> None:
        held.append(sqlite3.connect(site.database, timeout=10, isolation_level=None))
        held[0].execute("BEGIN IMMEDIATE")

    def mend() -> None:
        connection = held.pop()
        connection.execute("ROLLBACK")
        connection.close()

    return Fault("write lock kept (slow disk)", step(strike), step(mend), (1, 4))
