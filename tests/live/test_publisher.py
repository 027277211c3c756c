"""The publisher: from any thread, merged, and never an error for whoever writes."""

import asyncio
from typing import Any

import pytest

from accounts.models import User
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


async def test_what_ends_access_is_told_without_the_sessions_key(layer: Layer, here: Here) -> None:
    own = Publisher()
    own.access_changed(user=User(pk=5), token="")
    own.access_changed(user=User(pk=6), token="digest")
    own.session_ended("the-key")
    own.session_ended(None)
    await give_way()
    ended = [
        AccessChange(5, ""),
        AccessChange(None, fingerprint("digest")),
        AccessChange(None, fingerprint("the-key")),
    ]
    assert here.told == ended
    another = Here()
    for message in layer.sent:
        messages.deliver(message, another)
    assert another.told == ended
    assert "the-key" not in str(layer.sent)
