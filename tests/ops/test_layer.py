"""The in-process channel layer delivers what worker threads send, at once and on the right loop."""

import asyncio
import threading

import pytest
from asgiref.sync import async_to_sync
from channels.layers import InMemoryChannelLayer

from matches.live.layer import LoopBoundInMemoryChannelLayer


async def _arrival(layer: InMemoryChannelLayer, timer: float) -> str:
    """Sends from a thread while the loop sleeps; does the message wake it, or lie there until the timer does?"""
    loop, asleep = asyncio.get_running_loop(), threading.Event()
    channel = await layer.new_channel()
    waiting = asyncio.ensure_future(layer.receive(channel))
    await asyncio.sleep(0)  # let it start to wait, so that the layer knows its loop
    await layer.group_add("board", channel)

    def send() -> None:
        asleep.wait()
        async_to_sync(layer.group_send)("board", {"type": "changed", "version": 7})

    thread = threading.Thread(target=send)
    thread.start()
    selector = loop._selector  # type: ignore[attr-defined]
    select = selector.select

    def select_and_tell(timeout: float | None = None) -> object:
        if timeout != 0:
            asleep.set()
        return select(timeout)

    rang: list[str] = []
    handle = loop.call_later(timer, rang.append, "by the timer")
    selector.select = select_and_tell
    try:
        done, _ = await asyncio.wait({waiting}, timeout=timer * 2)
    finally:
        selector.select = select
        handle.cancel()
    await asyncio.to_thread(thread.join)
    assert done
    assert waiting.result() == {"type": "changed", "version": 7}
    return rang[0] if rang else "at once"


async def test_a_message_from_a_thread_wakes_the_loop_that_waits_for_it() -> None:
    assert await _arrival(LoopBoundInMemoryChannelLayer(), timer=20) == "at once"


async def test_control_the_stock_layer_leaves_it_lying_there() -> None:
    assert await _arrival(InMemoryChannelLayer(), timer=0.2) == "by the timer"


async def test_sending_on_the_home_loop_works_in_place() -> None:
    layer = LoopBoundInMemoryChannelLayer()
    channel = await layer.new_channel()
    waiting = asyncio.ensure_future(layer.receive(channel))
    await asyncio.sleep(0)
    await layer.send(channel, {"type": "a"})
    assert await waiting == {"type": "a"}


def test_without_a_listener_a_send_neither_fails_nor_waits() -> None:
    async_to_sync(LoopBoundInMemoryChannelLayer().group_send)("board", {"type": "changed"})


def test_a_new_loop_takes_over_when_the_old_one_is_closed() -> None:
    """Tests, and servers that are started again in one process, come with a loop of their own each time."""
    layer = LoopBoundInMemoryChannelLayer()

    async def one_round() -> object:
        channel = await layer.new_channel()
        waiting = asyncio.ensure_future(layer.receive(channel))
        await asyncio.sleep(0)
        await layer.send(channel, {"type": "again"})
        return await waiting

    for _ in range(2):
        assert asyncio.run(one_round()) == {"type": "again"}


@pytest.mark.parametrize("call", ["group_add", "group_discard"])
async def test_groups_are_changed_on_the_home_loop_too(call: str) -> None:
    layer = LoopBoundInMemoryChannelLayer()
    channel = await layer.new_channel()
    waiting = asyncio.ensure_future(layer.receive(channel))
    await asyncio.sleep(0)
    loops: list[asyncio.AbstractEventLoop] = []
    original = getattr(InMemoryChannelLayer, call)

    async def spy(self: InMemoryChannelLayer, group: str, channel: str) -> None:
        loops.append(asyncio.get_running_loop())
        await original(self, group, channel)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(InMemoryChannelLayer, call, spy)
        await asyncio.to_thread(async_to_sync(getattr(layer, call)), "board", channel)
    assert loops == [asyncio.get_running_loop()]
    waiting.cancel()
