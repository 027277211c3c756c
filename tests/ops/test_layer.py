"""The in-process channel layer delivers what worker threads send, at once and on the right loop."""

import asyncio
import threading

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


async def test_two_loops_can_listen_at_once() -> None:
    """A health check on a loop of its own must not take the board's messages away from the server's loop."""
    layer = LoopBoundInMemoryChannelLayer()
    ours = asyncio.ensure_future(layer.receive("ours"))
    await asyncio.sleep(0)

    async def elsewhere() -> object:
        theirs = asyncio.ensure_future(layer.receive("theirs"))
        await asyncio.sleep(0)
        await layer.group_add("board", "theirs")
        await layer.group_add("board", "ours")
        await layer.group_send("board", {"type": "changed"})
        return await theirs

    assert await asyncio.to_thread(asyncio.run, elsewhere()) == {"type": "changed"}
    assert await ours == {"type": "changed"}


async def test_a_full_channel_keeps_no_other_from_its_message() -> None:
    layer = LoopBoundInMemoryChannelLayer(capacity=1)
    for channel in ("full", "free"):
        await layer.group_add("board", channel)
    await layer.send("full", {"type": "first"})
    await layer.group_send("board", {"type": "second"})
    assert await layer.receive("full") == {"type": "first"}
    assert await layer.receive("free") == {"type": "second"}


async def test_who_leaves_a_group_hears_no_more() -> None:
    layer = LoopBoundInMemoryChannelLayer()
    await layer.group_add("board", "a")
    await layer.group_discard("board", "a")
    await layer.group_send("board", {"type": "changed"})
    assert layer.channels == {}


async def test_a_receiver_that_gives_up_leaves_nothing_behind() -> None:
    layer = LoopBoundInMemoryChannelLayer()
    waiting = asyncio.ensure_future(layer.receive("a"))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait({waiting})
    assert layer._loops == {}
    assert layer.channels == {}
