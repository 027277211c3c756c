"""The hub's two kinds of pushes: what single people see comes behind what everybody sees, or its time would tell."""

import asyncio

from matches.live.hub import Hub


async def test_nobody_is_told_alone_while_everybody_is_being_told() -> None:
    hub, order = Hub(), list[str]()
    begun, may_end, told = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def board() -> None:
        begun.set()
        await may_end.wait()
        order.append("everybody")

    async def mine() -> None:
        order.append("one person")
        told.set()

    hub.public.ask(board)
    hub.own.ask(mine)
    await begun.wait()
    may_end.set()
    await told.wait()
    await hub.stop()
    assert order == ["everybody", "one person"]
