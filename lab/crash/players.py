"""People who play through all of it: they act, send again what was not answered, and note everything."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, NamedTuple

from lab.client import Connection
from lab.crash.journal import Journal
from lab.crash.watchers import Watchers

PATIENCE = 5.0
"""Seconds until a request counts as not answered."""

_RETRY_AFTER = 2.0
_GIVE_UP = 0.3


class Player(NamedTuple):
    """A place in a match."""

    match: str
    handle: str
    token: str


@dataclass
class Deed:
    """An action on its way to an answer: which webs it was sent to, and how long it took."""

    player: Player
    key: str
    body: dict[str, Any]
    begun: float = field(default_factory=monotonic)
    ended: float = 0.0
    webs: set[str] = field(default_factory=set)
    statuses: list[int] = field(default_factory=list)


class Load:
    """`rate`: actions a second of all players together; each web has a port."""

    def __init__(
        self, webs: dict[str, int], players: list[Player], seats: list[str], journal: Journal, watchers: Watchers,
        *, rate: float, chance: random.Random,
    ) -> None:  # fmt: skip
        self._webs, self._players, self._seats = webs, players, seats
        self._journal, self._watchers, self._chance = journal, watchers, chance
        self._pause = len(players) / rate
        self._highest = dict.fromkeys((player.match for player in players), 0)
        self._tasks: list[asyncio.Task[None]] = []
        self._going = True
        self.avoided = ""
        """A web to which nothing is sent for now, as where a proxy has noticed that it does not answer."""
        self._number = 0
        self.under_way: dict[str, Deed] = {}
        self.done: list[Deed] = []
        self.answers = dict[str, float]()
        """When what each web has answered last was sent to it; answers of the rules, not that it is busy."""

    def begin(self) -> None:
        """All of them, until `end`."""
        self._tasks = [asyncio.create_task(self._play(player)) for player in self._players]

    async def end(self, seconds: float) -> None:
        """Begin nothing more, and wait until everything that was begun is answered. Raises `TimeoutError`."""
        self._going = False
        async with asyncio.timeout(seconds):
            await asyncio.gather(*self._tasks)

    async def _play(self, player: Player) -> None:
        lines = {web: Connection(port) for web, port in self._webs.items()}
        spare = {web: Connection(port) for web, port in self._webs.items()}
        last: Deed | None = None
        while self._going:
            await asyncio.sleep(self._chance.expovariate(1 / self._pause))
            what = self._chance.random()
            if what < 0.08 and last is not None:
                await self._send(last, self._any_web(), lines)  # answered long ago: the same answer again
            else:
                last = self._new(player)
                if what < 0.18:
                    await self._twice_at_once(last, lines, spare)
                if not self._is_answered(last):
                    await self._until_answered(last, lines)
                if not self._is_answered(last):
                    last = None
        for line in (*lines.values(), *spare.values()):
            line.abandon()

    def _new(self, player: Player) -> Deed:
        self._number += 1
        return Deed(player, f"{player.handle}-{self._number}", self._action(player))

    def _action(self, player: Player) -> dict[str, Any]:
        what = self._chance.random()
        if what < 0.30:
            return {"type": "buy_chips", "count": self._chance.randrange(1, 4)}
        # Others bid at the same time: many of these come too late, and are refused.
        amount = max(0, self._highest[player.match] + self._chance.choice((-3, 0, 1, 1, 1, 1, 2, 2, 3)))
        return {"type": "bid", "seat": self._chance.choice(self._seats), "amount": amount}

    def _any_web(self) -> str:
        return self._chance.choice([web for web in self._webs if web != self.avoided])

    @staticmethod
    def _is_answered(deed: Deed) -> bool:
        return any(status not in (0, 429, 500, 503) for status in deed.statuses)

    async def _until_answered(self, deed: Deed, lines: dict[str, Connection]) -> None:
        self.under_way[deed.key] = deed
        pause = 0.1
        gives_up = self._chance.random() < _GIVE_UP
        while not self._is_answered(deed):
            code = await self._send(deed, self._any_web(), lines)
            if code == "busy" and gives_up and set(deed.statuses) == {503}:
                break  # nothing was stored, they say
            if not self._is_answered(deed):
                await asyncio.sleep(_RETRY_AFTER if code else pause * (1 + self._chance.random()))
                pause = min(2 * pause, 1.0)
        deed.ended = monotonic()
        del self.under_way[deed.key]
        self.done.append(deed)

    async def _twice_at_once(self, deed: Deed, lines: dict[str, Connection], spare: dict[str, Connection]) -> None:
        await asyncio.gather(self._send(deed, self._any_web(), lines), self._send(deed, self._any_web(), spare))

    async def _send(self, deed: Deed, web: str, lines: dict[str, Connection]) -> str:
        """One attempt; the code of a refusal that is not the rules', or nothing."""
        player, sent = deed.player, monotonic()
        deed.webs.add(web)
        number = self._journal.sent(
            at=sent, match=player.match, player=player.handle, key=deed.key, body=deed.body, web=web
        )
        found = await self._ask(lines[web], f"/api/v1/matches/{player.match}/actions/", player.token, deed)
        if found is None:
            deed.statuses.append(0)
            return ""
        status, answer = found
        self._journal.answered(number, at=monotonic(), status=status, answer=answer)
        deed.statuses.append(status)
        if status == 200:
            if deed.body["type"] == "bid":
                self._highest[player.match] = max(self._highest[player.match], deed.body["amount"])
            self._watchers.heard(player.match, answer["versions"]["public"])
        if status not in (200, 422):
            return str(answer.get("code", ""))
        self.answers[web] = max(sent, self.answers.get(web, 0.0))
        return ""

    async def _ask(self, line: Connection, path: str, token: str, deed: Deed) -> tuple[int, dict[str, Any]] | None:
        try:
            async with asyncio.timeout(PATIENCE):
                return await line.post(path, token, deed.body, deed.key)
        except (OSError, EOFError, TimeoutError, ValueError):
            line.abandon()
            return None
