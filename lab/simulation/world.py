"""A simulated world: the site's processes, its database, its people, and what is on its way between them."""

import hashlib
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from typing import NamedTuple

from genius_site import tasks
from lab.simulation import edges, invariants, steps
from lab.simulation.database import SEATS, Died, Failed, Seats, need
from lab.simulation.outside import Network, Receivers
from lab.simulation.people import Journal, Viewers
from lab.simulation.prepared import BEGIN, Cast, Step
from lab.simulation.process import Process, running_as
from matches.models import clock
from matches.services import deadlines
from notices import deliveries
from seasons.services import running

WEBS = 2


class _Frame(NamedTuple):
    """Code that runs, perhaps within other code, on a seat of its own."""

    process: Process
    seat: int


class World:
    """One run. `seats` are shared by all runs of this process, one after the other."""

    def __init__(self, seats: Seats, cast: Cast, seed: int) -> None:
        self.seats, self.cast = seats, cast
        self.chance = random.Random(seed)
        self.wall, self.seconds = BEGIN, 0.0
        self.network, self.receivers = Network(), Receivers(self)
        self.mailed: Counter[tuple[str, str]] = Counter()
        """By address and the mail's id."""
        self.journal, self.viewers = Journal(self), Viewers(self)
        self.trace = hashlib.sha256()
        self.lines: list[str] = []
        self._frames: list[_Frame] = []
        self._pending: list[Step] = []
        self._count = 0
        self._fixed = clock.FixedTime(self.wall)
        self.deaths, self.failed_while_sending = 0, False
        self.failure: Failed | None = None
        self.seen: dict[tuple[str, int], tuple[int, bytes]] = {}
        self._heads: list[tuple[int, str]] = []

    @contextmanager
    def alive(self) -> Iterator[None]:
        """Make everything random, and all clocks, belong to this run within the block."""
        with ExitStack() as stack:
            stack.enter_context(edges.seeded(random.Random(self.chance.getrandbits(64))))
            stack.enter_context(edges.replaced(self))
            self._fixed = stack.enter_context(clock.fixed(self.wall))
            self.seats.restore()
            self.began_with = dict(self.seats.ask("SELECT id, log_count FROM matches_match"))
            ((self.began_at_row, self.began_at_delivery),) = self.seats.ask(
                "SELECT (SELECT COALESCE(MAX(id), 0) FROM matches_submission),"
                " (SELECT COALESCE(MAX(id), 0) FROM notices_delivery)"
            )
            self.processes = [Process(self, f"web{number}", serves=True) for number in range(WEBS)]
            self.processes.append(Process(self, "worker", serves=False))
            for process in self.processes:
                process.start()
                process.work()
            try:
                yield
            finally:
                for process in self.processes:
                    process.end()

    @property
    def webs(self) -> list[Process]:
        """The processes that answer requests."""
        return self.processes[:WEBS]

    @property
    def worker(self) -> Process:
        """The process that runs the tasks; webs may run some, too."""
        return self.processes[WEBS]

    # -- time ------------------------------------------------------------------------------------------

    def pass_time(self, seconds: float) -> None:
        """Let time pass everywhere."""
        self.seconds += seconds
        self.wall += timedelta(seconds=seconds)
        self._show_time()

    def go_to(self, instant: datetime) -> None:
        """Let time pass until an instant, unless it has passed."""
        self.pass_time(max(0.0, (instant - self.wall).total_seconds()))

    def _show_time(self) -> None:
        """Set `clock.now`, the process's own idea of the time; the database's is `wall` (`edges`)."""
        skew = self._frames[-1].process.skew if self._frames else 0.0
        self._fixed.instant = self.wall + timedelta(seconds=skew)

    # -- who runs --------------------------------------------------------------------------------------

    @contextmanager
    def inside(self, process: Process) -> Iterator[None]:
        """Run the site's code in this process within the block."""
        seat = min(len(self._frames), SEATS - 1)
        self._frames.append(_Frame(process, seat))
        self.seats.revive(seat)
        self.seats.take(seat)
        self._show_time()
        try:
            with running_as(process):
                yield
        finally:
            self._frames.pop()
            if self._frames:
                self.seats.take(self._frames[-1].seat)
            self._show_time()

    def moment(self, name: str) -> None:
        """Let the plan's steps for this moment happen, as other threads or processes could run here. Raises `Died` if
        that kills the process that runs."""
        if not self._frames:
            return
        frame = self._frames[-1]
        self._count += 1
        while self._pending and self._pending[0].at <= self._count and len(self._frames) < SEATS - 1:
            self.perform(self._pending.pop(0), where=name)
        if not frame.process.is_alive:
            raise Died

    def kill(self, process: Process) -> None:
        """Kill a process, wherever it is, and start another one in its place."""
        if not process.is_alive:
            return
        self.deaths += 1
        for frame in self._frames:
            if frame.process is process:
                self.seats.kill(frame.seat)
        process.end()
        self.viewers.lost(process)
        self.journal.lost(process)
        place = self.processes.index(process)
        self.processes[place] = Process(self, process.name, serves=process.serves, skew=process.skew)
        self.processes[place].start()

    @property
    def is_running(self) -> bool:
        """Whether a process runs now."""
        return bool(self._frames)

    def kill_running(self) -> None:
        """Kill the innermost running process."""
        self.kill(self._frames[-1].process)

    # -- steps -----------------------------------------------------------------------------------------

    def perform(self, step: Step, where: str = "") -> None:
        """Do one step of the plan, and record its result."""
        try:
            came = steps.act_on(self, step)
        except Died:
            came = "died"
        self.note(f"{' ' * len(self._frames)}{step.kind} {where} {came}")

    def play(self, plan: list[Step]) -> None:
        """Do the whole plan: steps with `at` happen within the last step without."""
        for number, step in enumerate(plan):
            if step.at:
                continue
            self._count = 0
            self._pending = []
            for within in plan[number + 1 :]:
                if not within.at:
                    break
                self._pending.append(within)
            self._pending.sort(key=lambda each: each.at)
            self.perform(step)
            while self._pending:
                self.perform(self._pending.pop(0))
            need(not self._frames, "simulation", "something still runs")
            invariants.after_step(self)

    def moved(self) -> bool:
        """Whether any match's log has grown since the last call."""
        before = self._heads
        self._heads = self.seats.ask("SELECT id, log_head FROM matches_match")
        return self._heads != before

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Record a failure of a check within a task of a loop, which would keep it to itself."""
        try:
            yield
        except Failed as failure:
            self.failure = self.failure or failure
            raise

    def note(self, line: str) -> None:
        """Add a line to the trace."""
        self.lines.append(line)
        self.trace.update(line.encode() + b"\n")


_SECONDS_AT_THE_END = 8
_MOST_TRIES = 5
_LOSES_THE_LAST = 0.3


def calm_down(world: World) -> None:
    """Let everything happen that is still to happen."""
    world.network.is_away, world.receivers.are_well = False, True
    if world.chance.random() < _LOSES_THE_LAST:
        world.network.waiting.clear()  # nothing later would tell of the same
    for process in world.processes:
        process.skew = 0.0
    _settle(world)
    for _ in range(_MOST_TRIES):
        if not (left := world.journal.unanswered):
            break
        for request in left:
            world.journal.send(request, world.webs[0])
        _settle(world)
        world.pass_time(1.0)
    keys = [request.key for request in world.journal.unanswered]
    need(not keys, "everybody is answered in the end", keys)
    _do_tasks(world)
    for _ in range(_SECONDS_AT_THE_END):
        world.pass_time(1.0)
        with world.inside(world.worker):
            deadlines.sweep()  # as every second: a page opened right before a deadline shows the result by this
        _settle(world)
    _do_tasks(world)  # for what has come due meanwhile
    _settle(world)
    errors = [error for process in world.processes for error in process.loop.errors]
    need(not errors, "no task dies unseen", errors)


def _do_tasks(world: World) -> None:
    """Run the tasks of a worker once."""
    with world.inside(world.worker):
        tasks.sweep()
        running.sweep()
        tasks.pass_on()
        for tell in (tasks.remind, tasks.tell_hosts, tasks.tell_of_mentions, tasks.tell_of_messages):
            tell()
        deliveries.send_due()


def _settle(world: World) -> None:
    """Let all processes work until nobody has anything to do."""
    while world.network.waiting or any(process.is_busy for process in world.processes):
        for process in world.processes:
            process.work()
        for envelope in world.network.waiting[:]:
            world.network.deliver(envelope)
            world.network.waiting.remove(envelope)
