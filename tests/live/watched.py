"""A match with people at sockets: every frame that each of them gets while things happen, and when."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, Generic, Protocol, TypeVar

from django.db import connections

from matches.live import snapshots
from matches.live.hub import Hub
from matches.live.snapshots import FORMATS, Key
from matches.models import Match, Player
from matches.services.signals import match_changed
from tests.live.conftest import QuickLoop
from tests.live.stage import Socket, settled
from tests.secrecy.masking import masked

Frames = dict[str, list[tuple[float, str]]]
"""By somebody and format (`"visitor json"`, `"bob html"`): seconds on the loop's clock, and the frame."""


class Sat(Protocol):
    """What a table at which a test plays has at least."""

    @property
    def match(self) -> Match: ...


T = TypeVar("T", bound=Sat)


def frames(make: Callable[[], T], players: Iterable[str], steps: Sequence[Callable[[T], object]]) -> Frames:
    """What a visitor and these players get at their sockets while the steps happen, at a table of its own. Whoever
    does not play is passed over.

    Each step is followed by a third of a second, the last one by long enough for everything to come. What is random
    by itself is masked. The test needs `django_db(transaction=True)`.
    """
    table = make()
    with ThreadPoolExecutor(1) as thread, asyncio.Runner(loop_factory=QuickLoop) as runner:
        seen = runner.run(_Watched(table, thread).play(tuple(players), steps))
        thread.submit(connections.close_all).result()
    public_id = table.match.public_id
    return {name: [(at, masked(text, public_id)) for at, text in sent] for name, sent in seen.items()}


def differing(one: Frames, other: Frames) -> list[str]:
    """Who sees at which socket that two worlds differ."""
    assert one.keys() == other.keys()
    return [name for name in one if one[name] != other[name]]


class _Watched(Generic[T]):
    """Django keeps connections away from event loops, so the database is asked in a thread; the loop stands still
    meanwhile, and its clock with it."""

    def __init__(self, table: T, thread: ThreadPoolExecutor) -> None:
        self._table = table
        self._thread = thread
        self._hub = Hub(
            self._asking(snapshots.match_snapshots),
            self._asking(snapshots.notice_snapshots),
            self._asking(snapshots.versions),
        )

    async def play(self, players: Iterable[str], steps: Sequence[Callable[[T], object]]) -> Frames:
        sockets = self._sit_down(players)
        await settled()
        start = asyncio.get_running_loop().time()
        for step in steps:
            for change in self._ask(self._changes_of, step):
                self._hub.changed(**change)
            await settled(0.35)
        await settled(12)
        await self._hub.stop()
        return {
            name: [(round(at - start, 6), text) for at, text in zip(socket.times, socket.texts, strict=True)]
            for name, socket in sockets.items()
        }

    def _ask(self, function: Callable[..., Any], *args: Any) -> Any:
        return self._thread.submit(copy_context().run, function, *args).result()

    def _asking(self, function: Callable[..., Any]) -> Callable[..., Any]:
        async def ask(*args: Any) -> Any:
            return self._ask(function, *args)

        return ask

    def _sit_down(self, players: Iterable[str]) -> dict[str, Socket]:
        match: Match = self._ask(lambda: self._table.match)
        sockets = {f"visitor {form}": Socket(Key(form)) for form in FORMATS}
        for name in players:
            player = self._ask(lambda name=name: Player.objects.filter(match=match, handle=name).first())
            if player is None:
                continue  # they see what a visitor sees
            for form in FORMATS:
                keys = Key(form), Key(form, player.pk, player.user_id)
                sockets[f"{name} {form}"] = Socket(*keys, insider=True)
        for socket in sockets.values():
            self._hub.watch_match(match.pk, socket)
        return sockets

    def _changes_of(self, step: Callable[[T], object]) -> list[dict[str, Any]]:
        """What the services say about a step, as the hub would hear it."""
        heard: list[dict[str, Any]] = []

        def receiver(*, match_id: int, public: bool, players: Any, **_: Any) -> None:
            heard.append({"match": match_id, "public": public, "players": players})

        match_changed.connect(receiver)
        try:
            step(self._table)
        finally:
            match_changed.disconnect(receiver)
        return heard
