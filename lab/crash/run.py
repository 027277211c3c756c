"""A run: the site, the load, the faults one after the other, and the judgement at the end."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable
from pathlib import Path
from time import monotonic, time
from typing import Any, NamedTuple

from lab.crash import checker, journal, stored
from lab.crash.checker import Violation
from lab.crash.kinds import Fault, faults_of
from lab.crash.players import Load, Player
from lab.crash.report import MOST_DELAY, Blow, Figures
from lab.crash.sites import LONGEST_SWEEP, EmbeddedSite, FullSite, Site
from lab.crash.watchers import Watchers
from lab.games import auction_game

_MOST_SECONDS = 60.0
"""Until everything is well again after a fault; more is a violation."""


class Plan(NamedTuple):
    """`rate`: actions a second; `minutes`: after so long there are no more faults; `only`: faults of whose
    kinds one of these words is a part."""

    faults: int
    seed: int
    embedded: bool
    matches: int
    players: int
    rate: float
    timers: int
    minutes: float
    only: tuple[str, ...]


class Run:
    """One run in a folder, where journal and logs stay."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self._plan, self._folder = plan, folder
        self._chance = random.Random(plan.seed)
        self._violations: list[Violation] = []
        self.figures = Figures()
        self._watchers = Watchers()

    async def run(self) -> list[Violation]:
        """Everything that was wrong."""
        site: Site = (EmbeddedSite if self._plan.embedded else FullSite)(self._folder)
        begun = monotonic()
        try:
            await site.start()
            stored.enter(site)
            made = site.make_matches(auction_game().slug, self._plan.matches, self._plan.players)
            due = await asyncio.to_thread(stored.schedule, self._plan.timers, self._seconds)
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

    @property
    def _seconds(self) -> float:
        """How long the faults are expected to take."""
        return min(6.0 * self._plan.faults, 60 * self._plan.minutes) + 5

    # -- while it runs ---------------------------------------------------------------------------

    async def _play(self, site: Site, made: list[dict[str, Any]]) -> None:
        log = journal.Journal(self._folder / "journal.jsonl")
        players = [Player(match["id"], each["handle"], each["token"]) for match in made for each in match["players"]]
        seats = await self._seats(site, players[0])
        load = Load(site.webs, players, seats, log, self._watchers, rate=self._plan.rate, chance=self._chance)
        self._watchers.begin([match["id"] for match in made], site.webs)
        load.begin()
        await asyncio.sleep(2)
        end = monotonic() + 60 * self._plan.minutes
        for _ in range(self._plan.faults):
            if monotonic() > end:
                break
            await self._strike(site, load)
            await asyncio.sleep(self._chance.uniform(0.1, 1.0))
        try:
            await load.end(_MOST_SECONDS)
        except TimeoutError:
            self._wrong("unanswered", f"{len(load.under_way)} actions are still not answered")
        await self._whole("the end")
        self._went_back()
        await self._watchers.end()
        log.close()

    async def _seats(self, site: Site, player: Player) -> list[str]:
        """What can be bid on, as a player is shown it."""
        from lab.client import Connection

        line = Connection(next(iter(site.webs.values())))
        _, shown = await line.get(f"/api/v1/matches/{player.match}/", player.token)
        await line.close()
        return [seat["seat"] for row in shown["public"]["board"] for seat in row]

    async def _strike(self, site: Site, load: Load) -> None:
        """One fault, from its beginning until everything is well."""
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
        """The longest that an action which met only the other webs had to wait, of those that began meanwhile."""
        longest = 0.0
        for deed in [*load.done, *load.under_way.values()]:
            if fault.frozen not in deed.webs and (deed.ended or now) > since and deed.begun >= since:
                longest = max(longest, (deed.ended or now) - deed.begun)
        if longest > MOST_DELAY:
            self._wrong("delay", f"somebody waited {longest:.1f} s at another program during {fault.kind}")
        return longest

    async def _answered(self, site: Site, load: Load, fault: Fault, since: float) -> float:
        """Seconds until each web has answered an action that was sent to it since."""
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
        with (self._folder / "journal.jsonl").open() as lines:
            attempts = journal.read(lines)
        rows, timers = stored.rows(matches), stored.passed(due)
        self._violations += [
            *checker.check(attempts, rows),
            *stored.judged(timers),
            *stored.verified(site),
        ]
        self._count(attempts)
        self.figures.timers = (
            f"{timers.passed} of {timers.due} that were due have passed, {timers.early} early, "
            f"the latest {timers.latest:.1f} s late."
        )

    def _count(self, attempts: Iterable[journal.Attempt]) -> None:
        found, answered, accepted = self.figures, set[tuple[str, str]](), set[tuple[str, str]]()
        deeds = set[tuple[str, str]]()
        for each in attempts:
            found.sent += 1
            found.unanswered += not each.status
            deeds.add((each.match, each.key))
            if each.status in (200, 422):
                answered.add((each.match, each.key))
            if each.status == 200:
                accepted.add((each.match, each.key))
        found.deeds, found.answered, found.accepted = len(deeds), len(answered), len(accepted)

    def _wrong(self, kind: str, what: str) -> None:
        print(f"     WRONG: {kind}: {what}", flush=True)
        self._violations.append(Violation(kind, what))
