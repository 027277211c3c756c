"""The publisher: from any thread, merged, and never an error for whoever writes."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from channels.layers import InMemoryChannelLayer

from accounts.models import User
from accounts.signals import Reason
from matches.live import hub, publisher
from matches.live.admission import fingerprint
from matches.live.publisher import Publisher
from tests.live.stage import give_way

NOBODY: frozenset[int] = frozenset()


class Layer(InMemoryChannelLayer):
    """Notes what is sent; `fails` makes it fail, `gate` makes it wait."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[dict[str, Any]] = []
        self.fails = False
        self.gate: asyncio.Event | None = None

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        assert group == hub.GROUP
        if self.gate is not None:
            await self.gate.wait()
        if self.fails:
            raise ConnectionError("away")
        self.sent.append(message)


@pytest.fixture
def layer(monkeypatch: pytest.MonkeyPatch) -> Layer:
    found = Layer()
    monkeypatch.setattr(publisher, "get_channel_layer", lambda: found)
    return found


@pytest.fixture
def on_this_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if this process's hub ran on the test's loop."""
    loops: list[asyncio.AbstractEventLoop] = []

    def running_loop() -> asyncio.AbstractEventLoop:
        if not loops:
            loops.append(asyncio.get_running_loop())
        return loops[0]

    monkeypatch.setattr(hub, "running_loop", running_loop)


def change(publisher: Publisher, match_id: int = 1, **facts: Any) -> None:
    publisher.match_changed(
        match_id=match_id, **{"head": 1, "public": False, "players": NOBODY, "notices": NOBODY, **facts}
    )


@pytest.mark.usefixtures("on_this_loop")
async def test_what_waits_is_merged_by_match(layer: Layer) -> None:
    publisher = Publisher()
    change(publisher, head=8, players=frozenset({3}))
    change(publisher, head=7, public=True, players=frozenset({2}), notices=frozenset({3}))
    change(publisher, match_id=2)
    await give_way()
    assert layer.sent == [
        {
            "type": hub.CHANGED,
            "changes": [
                {"match": 1, "head": 8, "public": True, "players": [2, 3], "notices": [3]},
                {"match": 2, "head": 1, "public": False, "players": [], "notices": []},
            ],
        }
    ]


@pytest.mark.usefixtures("on_this_loop")
async def test_it_sends_from_any_thread(layer: Layer) -> None:
    publisher = Publisher()
    hub.running_loop()
    threads = [threading.Thread(target=change, args=(publisher, number)) for number in range(8)]
    for thread in threads:
        thread.start()
    await asyncio.to_thread(lambda: [thread.join() for thread in threads])
    await give_way()
    assert {each["match"] for message in layer.sent for each in message["changes"]} == set(range(8))


@pytest.mark.usefixtures("on_this_loop")
async def test_a_change_from_a_thread_wakes_the_loop_that_sleeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Channels' own layer puts into queues of the loop that it is called on: elsewhere a message would lie there until
    something else wakes the hub's loop. The publisher therefore sends on that loop."""
    layer, loop, asleep = InMemoryChannelLayer(), asyncio.get_running_loop(), threading.Event()
    monkeypatch.setattr(publisher, "get_channel_layer", lambda: layer)
    hub.running_loop()
    channel = await layer.new_channel()
    await layer.group_add(hub.GROUP, channel)
    heard = asyncio.ensure_future(layer.receive(channel))
    await asyncio.sleep(0)

    def publish() -> None:
        asleep.wait()
        change(Publisher(), match_id=7)

    thread = threading.Thread(target=publish)
    thread.start()
    selector = loop._selector  # type: ignore[attr-defined]
    select = selector.select

    def select_and_tell(timeout: float | None = None) -> object:
        if timeout != 0:
            asleep.set()
        return select(timeout)

    rang: list[str] = []
    timer = loop.call_later(20, rang.append, "the timer")
    monkeypatch.setattr(selector, "select", select_and_tell)
    message = await heard
    timer.cancel()
    thread.join()
    assert [each["match"] for each in message["changes"]] == [7]
    assert rang == []


@pytest.mark.usefixtures("on_this_loop")
async def test_a_layer_that_is_slow_costs_no_memory(layer: Layer) -> None:
    publisher, layer.gate = Publisher(), asyncio.Event()
    for number in range(1000):
        change(publisher, match_id=number % 3, public=True)
        if number % 100 == 0:
            await asyncio.sleep(0)
    assert len(publisher._changes) <= 3
    layer.gate.set()
    await give_way()
    assert len(layer.sent) == 2


@pytest.mark.usefixtures("on_this_loop")
async def test_a_layer_that_is_away_is_no_error_for_the_writer(layer: Layer, caplog: pytest.LogCaptureFixture) -> None:
    publisher, layer.fails = Publisher(), True
    change(publisher, public=True)
    await give_way()
    layer.fails = False
    change(publisher, match_id=2, public=True)
    await give_way()
    assert [each["match"] for message in layer.sent for each in message["changes"]] == [2]
    assert "live_push_failed" in caplog.text


def test_where_nobody_can_listen_nothing_is_kept(layer: Layer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "running_loop", lambda: None)
    publisher = Publisher()
    change(publisher, public=True)
    assert publisher._changes == {}
    assert publisher._own is None


def test_a_process_without_a_hub_sends_from_a_thread_of_its_own(layer: Layer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker: its channel layer leads to other processes."""
    arrived = threading.Event()

    class Distant:
        async def group_send(self, group: str, message: dict[str, Any]) -> None:
            arrived.set()

    monkeypatch.setattr(hub, "running_loop", lambda: None)
    monkeypatch.setattr(publisher, "get_channel_layer", Distant)
    assert not issubclass(Distant, InMemoryChannelLayer)
    own = Publisher()
    change(own, public=True)
    assert arrived.wait(10)
    assert own._own is not None
    loop = own._own[1]
    loop.call_soon_threadsafe(loop.stop)
    for thread in threading.enumerate():
        if thread.name == "live-publisher":
            thread.join()
    loop.close()


@pytest.mark.usefixtures("on_this_loop")
async def test_what_ends_access_is_told_without_the_sessions_key(layer: Layer) -> None:
    own = Publisher()
    own.access_changed(user=User(pk=5), reason=Reason.NEW_PASSWORD)
    own.access_changed(user=User(pk=6), reason=Reason.REVOKED_TOKEN)
    own.session_ended("the-key")
    own.session_ended(None)
    await give_way()
    assert layer.sent == [
        {"type": hub.ACCESS, "user": 5, "session": "", "tokens_only": False},
        {"type": hub.ACCESS, "user": 6, "session": "", "tokens_only": True},
        {"type": hub.ACCESS, "user": None, "session": fingerprint("the-key"), "tokens_only": False},
    ]
    assert "the-key" not in str(layer.sent)
