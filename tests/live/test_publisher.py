"""The publisher: from any thread, merged, and never an error for whoever writes."""

import asyncio
import threading
from typing import Any

import pytest

from accounts.models import User
from accounts.signals import Reason
from matches.live import hub, messages
from matches.live.admission import fingerprint
from matches.live.hub import Hub
from matches.live.messages import AccessChange
from matches.live.publisher import Publisher
from tests.live.stage import give_way

NOBODY: frozenset[int] = frozenset()


class Layer:
    """Leads to other processes. Notes what is sent; `fails` makes it fail, `gate` makes it wait."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.fails = False
        self.gate: asyncio.Event | None = None

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        assert group == messages.GROUP
        if self.gate is not None:
            await self.gate.wait()
        if self.fails:
            raise ConnectionError("away")
        self.sent.append(message)


class Here(Hub):
    """This process's hub, which notes what it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.get_running_loop()
        self.told: list[Any] = []

    def changed(self, match: int, *_: Any, **more: Any) -> None:
        self.told.append(match)

    def access_changed(self, change: AccessChange) -> None:
        self.told.append(change)


@pytest.fixture
def layer(monkeypatch: pytest.MonkeyPatch) -> Layer:
    found = Layer()
    monkeypatch.setattr(messages, "get_channel_layer", lambda: found)
    return found


@pytest.fixture
async def here(monkeypatch: pytest.MonkeyPatch) -> Here:
    found = Here()
    monkeypatch.setattr(hub, "_hub", found)
    return found


def change(publisher: Publisher, match_id: int = 1, **facts: Any) -> None:
    publisher.match_changed(match_id=match_id, **{"head": 1, "public": False, "players": NOBODY, **facts})


async def test_what_waits_is_merged_by_match(layer: Layer, here: Here) -> None:
    publisher = Publisher()
    change(publisher, players=frozenset({3}))
    change(publisher, public=True, players=frozenset({2}))
    change(publisher, match_id=2)
    await give_way()
    assert here.told == [1, 2]
    assert layer.sent == [
        {
            "type": messages.CHANGED,
            "changes": [
                {"match": 1, "public": True, "players": [2, 3]},
                {"match": 2, "public": False, "players": []},
            ],
            "sender": here.name,
        }
    ]


async def test_it_tells_from_any_thread(layer: Layer, here: Here) -> None:
    publisher = Publisher()
    threads = [threading.Thread(target=change, args=(publisher, number)) for number in range(8)]
    for thread in threads:
        thread.start()
    await asyncio.to_thread(lambda: [thread.join() for thread in threads])
    await give_way()
    assert sorted(here.told) == list(range(8))
    assert {each["match"] for message in layer.sent for each in message["changes"]} == set(range(8))


async def test_this_process_is_told_directly_and_hears_no_message_of_its_own(layer: Layer, here: Here) -> None:
    change(Publisher(), match_id=7)
    await give_way()
    [message] = layer.sent
    messages.deliver(message, here)
    assert here.told == [7], "told once"
    another = Here()
    messages.deliver(message, another)
    assert another.told == [7]


async def test_a_layer_that_is_slow_costs_no_memory_and_delays_nobody_here(layer: Layer, here: Here) -> None:
    publisher, layer.gate = Publisher(), asyncio.Event()
    for number in range(1000):
        change(publisher, match_id=number % 3, public=True)
        if number % 100 == 0:
            await give_way()
            assert number % 3 in here.told
            here.told.clear()
    await give_way()
    assert len(publisher._for_others._changes) <= 3
    assert layer.sent == []
    layer.gate.set()
    await give_way()
    assert len(layer.sent) == 2


async def test_a_layer_that_is_away_is_no_error_for_the_writer(
    layer: Layer, here: Here, caplog: pytest.LogCaptureFixture
) -> None:
    publisher, layer.fails = Publisher(), True
    change(publisher, public=True)
    await give_way()
    layer.fails = False
    change(publisher, match_id=2, public=True)
    await give_way()
    assert [each["match"] for message in layer.sent for each in message["changes"]] == [2]
    assert here.told == [1, 2]
    assert "live_push_failed" in caplog.text


def test_a_process_without_a_hub_sends_from_a_thread_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker: its channel layer leads to other processes."""
    arrived = threading.Event()

    class Distant:
        async def group_send(self, group: str, message: dict[str, Any]) -> None:
            arrived.set()

    monkeypatch.setattr(hub, "_hub", None)
    monkeypatch.setattr(messages, "get_channel_layer", Distant)
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


async def test_what_ends_access_is_told_without_the_sessions_key(layer: Layer, here: Here) -> None:
    own = Publisher()
    own.access_changed(user=User(pk=5), reason=Reason.NEW_PASSWORD)
    own.access_changed(user=User(pk=6), reason=Reason.REVOKED_TOKEN)
    own.session_ended("the-key")
    own.session_ended(None)
    await give_way()
    ended = [
        AccessChange(5, ""),
        AccessChange(6, "", tokens_only=True),
        AccessChange(None, fingerprint("the-key")),
    ]
    assert here.told == ended
    another = Here()
    for message in layer.sent:
        messages.deliver(message, another)
    assert another.told == ended
    assert "the-key" not in str(layer.sent)
