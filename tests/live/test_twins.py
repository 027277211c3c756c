"""Twin worlds on the wire: what somebody may not know changes no byte, no number and no moment of their frames."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

import pytest
from django.db import connections

from matches.clock import FixedTime
from matches.live import pictures
from matches.live.hub import Hub
from matches.live.pictures import FORMATS, Key
from matches.services.signals import match_changed
from tests.live.conftest import QuickLoop
from tests.live.stage import Socket, settled
from tests.web.conftest import START, Table, present  # noqa: F401  (a fixture)

pytestmark = pytest.mark.django_db(transaction=True)

Step = Callable[[Table], object]
Frames = list[tuple[float, str]]


class Watched:
    """A table with everybody at a socket: spectators, bob (another player), and ann (whose secret it is).

    Django keeps connections away from event loops, so the database is asked in a thread; the loop stands still
    meanwhile, and its clock with it.
    """

    def __init__(self, table: Table, thread: ThreadPoolExecutor) -> None:
        self.table = table
        self._thread = thread
        self.hub = Hub(
            self._asking(pictures.see_match), self._asking(pictures.see_notices), None, self._asking(pictures.versions)
        )
        self.sockets: dict[str, Socket] = {}

    def _ask(self, function: Callable[..., Any], *args: Any) -> Any:
        return self._thread.submit(copy_context().run, function, *args).result()

    def _asking(self, function: Callable[..., Any]) -> Callable[..., Any]:
        async def ask(*args: Any) -> Any:
            return self._ask(function, *args)

        return ask

    async def play(self, steps: list[Step]) -> dict[str, Frames]:
        self._sit_down()
        await settled()
        start = asyncio.get_running_loop().time()
        for step in steps:
            for change in self._ask(self._changes_of, step):
                self.hub.changed(**change)
            await settled(0.35)
        await settled(12)
        await self.hub.stop()
        return {
            name: [(round(at - start, 6), text) for at, text in zip(socket.times, socket.texts, strict=True)]
            for name, socket in self.sockets.items()
        }

    def _sit_down(self) -> None:
        for form in FORMATS:
            self.sockets[f"anybody {form}"] = Socket(Key(form))
            for name in ("ann", "bob"):
                player = self._ask(self.table.player, name)
                self.sockets[f"{name} {form}"] = Socket(Key(form), Key(form, player.pk, player.user_id), insider=True)
        for socket in self.sockets.values():
            self.hub.watch_match(self.table.match_id, socket)

    def _changes_of(self, step: Step) -> list[dict[str, Any]]:
        """What the services say about a step, as the hub would hear it."""
        heard: list[dict[str, Any]] = []

        def receiver(*, match_id: int, public: bool, players: Any, notices: Any, **_: Any) -> None:
            heard.append({"match": match_id, "public": public, "players": players, "notices": notices})

        match_changed.connect(receiver)
        try:
            step(self.table)
        finally:
            match_changed.disconnect(receiver)
        return heard


def masked(text: str, table: Table) -> str:
    """Without what is random by itself."""
    text = text.replace(table.match.public_id, "ID")
    text = re.sub(r"\b[0-9a-f]{64}\b", "HASH", text)
    return re.sub(r"\b(feed|told|notice)-[\w-]{12}", "TOKEN", text)


def frames(steps: list[Step], now: FixedTime) -> dict[str, Frames]:
    """What every socket gets in a world in which these things happen: each world is a match of its own."""
    now.instant = START
    table = Table(now).open()
    with ThreadPoolExecutor(1) as thread, asyncio.Runner(loop_factory=QuickLoop) as runner:
        seen = runner.run(Watched(table, thread).play(steps))
        thread.submit(connections.close_all).result()
    return {name: [(at, masked(text, table)) for at, text in sent] for name, sent in seen.items()}


def nothing(table: Table) -> None:
    """In the other world something secret happens at this point."""


def buys(table: Table) -> None:
    assert table.act("ann", "buy_chips", count=1).accepted


def seals(table: Table) -> None:
    table.bid("ann", "Z", 3)


def seals_anew(table: Table) -> None:
    table.bid("ann", "R", 7)


def withdraws(table: Table) -> None:
    assert table.act("ann", "withdraw").accepted


def refused(table: Table) -> None:
    assert not table.act("ann", "bid", seat="Z", amount=1000).accepted


def opens(table: Table) -> None:
    table.at(24)


def bob_bids(table: Table) -> None:
    table.bid("bob", "X", 4)


def bob_seals(table: Table) -> None:
    table.bid("bob", "X", 4)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([nothing, nothing], [seals, nothing]),
        ([seals, nothing, nothing], [seals, seals_anew, nothing]),
        ([seals, nothing, bob_seals], [seals, withdraws, bob_seals]),
        ([nothing, bob_seals], [buys, bob_seals]),
        ([opens, nothing, bob_bids], [opens, buys, bob_bids]),
        ([opens, nothing, bob_bids], [opens, refused, bob_bids]),
        ([seals, opens, nothing, nothing, bob_bids], [seals, opens, buys, buys, bob_bids]),
    ],
    ids=["sealed", "sealed anew", "withdrawn", "bought early", "bought", "refused", "bought twice"],
)
def test_a_secret_changes_nothing_in_the_frames_of_others(
    one: list[Step],
    other: list[Step],
    present: FixedTime,  # noqa: F811
) -> None:
    first, second = frames(one, present), frames(other, present)
    for name in first:
        if not name.startswith("ann"):
            assert first[name] == second[name], name


def test_the_one_whose_secret_it_is_does_see_it(present: FixedTime) -> None:  # noqa: F811
    quiet, bought = frames([opens, nothing], present), frames([opens, buys], present)
    for form in FORMATS:
        assert quiet[f"ann {form}"] != bought[f"ann {form}"]
        assert len(bought[f"ann {form}"]) == len(quiet[f"ann {form}"]) + 1


def test_where_nothing_public_happens_nobody_else_gets_a_frame(present: FixedTime) -> None:  # noqa: F811
    seen = frames([buys, seals, seals_anew, withdraws, refused], present)
    for name, sent in seen.items():
        assert len(sent) == 1 or name.startswith("ann"), name
    assert len(seen["ann json"]) >= 4


def test_a_leak_would_be_found(present: FixedTime, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    """The control: a public number that counts what ann does in secret."""
    facts = pictures.selectors.match_facts
    monkeypatch.setattr(pictures.selectors, "match_facts", lambda match: facts(match) | {"count": match.log_count})
    first, second = frames([opens, nothing, bob_bids], present), frames([opens, buys, bob_bids], present)
    assert first["anybody json"] != second["anybody json"]


def test_a_frame_never_holds_a_csrf_token(present: FixedTime) -> None:  # noqa: F811
    for name, sent in frames([seals, opens, bob_bids], present).items():
        assert not [text for _, text in sent if "csrf" in text.lower()], name
