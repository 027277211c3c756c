"""Kills and freezes parts of a running site under load: `python -m lab.crash --faults 200 --seed 1 [--embedded]`. Exits
with 1 if anything was wrong (lab/README.md)."""

import argparse
import asyncio
import json
import random
import shutil
import sys
import tempfile
from argparse import Namespace
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, time
from typing import Any, NamedTuple

from lab.client import Connection
from lab.crash import checker
from lab.crash.checker import Attempt, Violation
from lab.crash.kinds import Fault, faults_of
from lab.crash.people import Load, Player, Watchers
from lab.crash.sites import LONGEST_SWEEP, EmbeddedSite, FullSite, Site
from lab.site import enter, make_matches

MOST_DELAY = 5.0
"""The most seconds that others may wait while one process is frozen, and pushes may be stale after Redis returns."""


class Blow(NamedTuple):
    """A fault as it happened; times in seconds. Counted from its repair: `answered`, until each web answered an action;
    `whole`, until each socket shows what was answered; `swept`, until deadlines were swept again. `waited`: the longest
    wait of anybody at the other programs while one was frozen, including retries."""

    kind: str
    lasted: float
    answered: float
    whole: float
    swept: float | None = None
    waited: float | None = None


@dataclass
class Figures:
    """The figures of a run: its faults, and all that was sent."""

    blows: list[Blow] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)

    def actions(self, *statuses: int) -> int:
        """Count the actions that were answered with one of these statuses, or all."""
        return len({(each.match, each.key) for each in self.attempts if not statuses or each.status in statuses})


def table(blows: Sequence[Blow]) -> Iterable[str]:
    """Yield a Markdown table with a row for each kind of fault: the median and the longest time."""
    by_kind = defaultdict[str, list[Blow]](list)
    for blow in blows:
        by_kind[blow.kind].append(blow)
    yield "| fault | times | answered again after | pushes whole after | swept again after | others waited |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for kind in sorted(by_kind):
        some = by_kind[kind]
        swept = [blow.swept for blow in some if blow.swept is not None]
        waits = [blow.waited for blow in some if blow.waited is not None]
        yield (
            f"| {kind} | {len(some)} | {_spread([blow.answered for blow in some])} "
            f"| {_spread([blow.whole for blow in some])} | {_spread(swept) if swept else ''} "
            f"| {f'{max(waits):.1f} s' if waits else ''} |"
        )


def _spread(values: list[float]) -> str:
    ordered = sorted(values)
    return f"{ordered[len(ordered) // 2]:.1f} s, {ordered[-1]:.1f} s"


def text(figures: Figures, violations: Sequence[Violation]) -> str:
    """Return the whole report."""
    kinds = defaultdict[str, int](int)
    for each in violations:
        kinds[each.kind] += 1
    lines = [
        *table(figures.blows),
        "",
        f"{len(figures.blows)} faults in {figures.seconds:.0f} s. {len(figures.attempts)} requests with "
        f"{figures.actions()} actions, {sum(not each.status for each in figures.attempts)} requests without an answer; "
        f"{figures.actions(200, 422)} actions judged, {figures.actions(200)} accepted.",
        f"Lost {kinds['lost']}, doubled {kinds['doubled']}, refused but stored {kinds['refused but stored']}.",
        *figures.notes,
        f"Violations: {len(violations)}",
        *(f"  {each.kind}: {each.text}" for each in violations[:50]),
    ]
    return "\n".join(lines)


_MOST_SECONDS = 60.0
"""How long everything may take to recover after a fault; more is a violation."""


class Run:
    """One run in a folder, where journal and logs stay."""

    def __init__(self, plan: Namespace, folder: Path) -> None:
        """`plan`: the options of the command line."""
        self._plan, self._folder = plan, folder
        self._journal: list[Attempt] = []
        self._chance = random.Random(plan.seed)
        self._violations: list[Violation] = []
        self.figures = Figures()
        self._watchers = Watchers()

    async def run(self) -> list[Violation]:
        """Run it; return everything that was wrong."""
        site: Site = (EmbeddedSite if self._plan.embedded else FullSite)(self._folder)
        begun = monotonic()
        try:
            await site.start()
            enter(site.env | {"PATIENT": "1"})  # around every fault
            made = make_matches(site.env, self._plan.matches, self._plan.players)
            due = await asyncio.to_thread(checker.schedule, self._plan.timers, 6.0 * self._plan.faults + 5)
            keeper = asyncio.create_task(site.keep_up())
            await self._play(site, made)
            keeper.cancel()
            await asyncio.to_thread(self._judge, site, [match["id"] for match in made], due)
        finally:
            await site.end()
        self.figures.seconds = monotonic() - begun
        died = ", ".join(f"{each.name} {each.deaths}" for each in site.programs.values() if each.deaths)
        self.figures.notes += [f"Ended by themselves and were started again: {died or 'none'}."]
        return self._violations

    # -- while it runs ---------------------------------------------------------------------------

    async def _play(self, site: Site, made: list[dict[str, Any]]) -> None:
        players = [Player(match["id"], each["handle"], each["token"]) for match in made for each in match["players"]]
        seats = await self._seats(site, players[0])
        load = Load(site.webs, players, seats, self._watchers, rate=self._plan.rate, chance=self._chance)
        self._journal = load.journal
        self._watchers.begin([match["id"] for match in made], site.webs)
        load.begin()
        await asyncio.sleep(2)
        for _ in range(self._plan.faults):
            await self._strike(site, load)
            await asyncio.sleep(self._chance.uniform(0.1, 1.0))
        try:
            await load.end(_MOST_SECONDS)
        except TimeoutError:
            self._wrong("unanswered", f"{len(load.under_way)} actions are still not answered")
        await self._whole("the end")
        self._went_back()
        await self._watchers.end()
        with (self._folder / "journal.jsonl").open("w") as file:
            file.writelines(f"{json.dumps(each._asdict())}\n" for each in self._journal)

    async def _seats(self, site: Site, player: Player) -> list[str]:
        """The seats that a player can bid on."""
        line = Connection(next(iter(site.webs.values())))
        _, shown = await line.get(f"/api/v1/matches/{player.match}/", player.token)
        await line.close()
        return [seat["seat"] for row in shown["public"]["board"] for seat in row]

    async def _strike(self, site: Site, load: Load) -> None:
        """Cause one fault, and wait until everything has recovered."""
        known = [each for each in faults_of(site) if any(word in each.kind for word in self._plan.only or ("",))]
        kinds = sorted({each.kind for each in known})
        kind = self._chance.choice(kinds)
        fault = self._chance.choice([each for each in known if each.kind == kind])
        begun = monotonic()
        await fault.strike()
        struck, load.avoided = monotonic(), fault.frozen
        await asyncio.sleep(self._chance.uniform(*fault.seconds))
        waited = self._others_waited(fault, load, struck, monotonic()) if fault.frozen else None
        load.avoided = ""
        try:
            await fault.mend()
        except TimeoutError:
            self._wrong("away", f"{fault.kind}: it does not start again")
        mended, clock = monotonic(), time()
        answered, whole = await asyncio.gather(
            self._answered(site, load, fault, mended), self._whole(fault.kind, steady=2.0 if fault.pushes else 0.3)
        )
        if fault.pushes and whole > MOST_DELAY:
            self._wrong("pushes", f"whole only {whole:.1f} s after {fault.kind}")
        swept = None if fault.web_only else await self._swept(site, fault, clock)
        self.figures.blows.append(Blow(fault.kind, mended - begun, answered, whole, swept, waited))
        print(f"{len(self.figures.blows):4} {self.figures.blows[-1]}", flush=True)

    def _others_waited(self, fault: Fault, load: Load, since: float, now: float) -> float:
        """The longest wait of an action that began meanwhile and met only the other webs."""
        longest = 0.0
        for deed in [*load.done, *load.under_way.values()]:
            if fault.frozen not in deed.webs and (deed.ended or now) > since and deed.begun >= since:
                longest = max(longest, (deed.ended or now) - deed.begun)
        if longest > MOST_DELAY:
            self._wrong("delay", f"somebody waited {longest:.1f} s at another program during {fault.kind}")
        return longest

    async def _answered(self, site: Site, load: Load, fault: Fault, since: float) -> float:
        """Wait until each web has answered an action that was sent to it since; return the seconds."""
        while set(site.webs) - {web for web, sent in load.answers.items() if sent >= since}:
            if monotonic() - since > _MOST_SECONDS:
                self._wrong("away", f"a web does not answer {_MOST_SECONDS:.0f} s after {fault.kind}")
                break
            await asyncio.sleep(0.02)
        return monotonic() - since

    async def _whole(self, after: str, steady: float = 0.3) -> float:
        try:
            return await self._watchers.until_whole(_MOST_SECONDS, steady=steady)
        except TimeoutError:
            self._wrong("pushes", f"not whole {_MOST_SECONDS:.0f} s after {after}")
            return _MOST_SECONDS

    async def _swept(self, site: Site, fault: Fault, since: float) -> float:
        try:
            return await site.swept_after(since)
        except TimeoutError:
            self._wrong("sweep", f"no deadline was swept within {LONGEST_SWEEP:.0f} s after {fault.kind}")
            return LONGEST_SWEEP

    # -- at the end ------------------------------------------------------------------------------

    def _went_back(self) -> None:
        if back := sum(each.went_back for each in self._watchers.all):
            self._wrong("sockets", f"boards went back to an earlier version {back} times")

    def _judge(self, site: Site, matches: list[str], due: list[Any]) -> None:
        words, wrong = checker.timed(due)
        self._violations += [*checker.check(self._journal, checker.rows(matches)), *wrong, *checker.verified(site)]
        self.figures.attempts = self._journal
        self.figures.notes.append(f"Deadlines: {words}")

    def _wrong(self, kind: str, what: str) -> None:
        print(f"     WRONG: {kind}: {what}", flush=True)
        self._violations.append(Violation(kind, what))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m lab.crash", description=__doc__)
    parser.add_argument("--faults", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1, help="chooses the faults and their moments")
    parser.add_argument("--embedded", action="store_true", help="manage.py serve on SQLite, not the full set-up")
    parser.add_argument("--matches", type=int, default=8)
    parser.add_argument("--players", type=int, default=4, help="in each match")
    parser.add_argument("--rate", type=float, default=16.0, help="actions a second of all players together")
    parser.add_argument("--timers", type=int, default=40, help="matches of bots whose deadlines pass meanwhile")
    parser.add_argument("--only", action="append", default=[], help="only faults with this word, such as redis")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="genius-faults-"))
    run = Run(options, folder)
    violations = asyncio.run(run.run())
    print(text(run.figures, violations))
    if violations:
        print(f"Journal and logs: {folder}")
    else:
        shutil.rmtree(folder, ignore_errors=True)
    return bool(violations)


if __name__ == "__main__":
    sys.exit(main())
