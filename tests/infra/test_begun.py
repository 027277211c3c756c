"""What is begun as a call and, if it has to wait, goes on as a task."""

import asyncio
from collections.abc import Awaitable

import pytest

from matches.infra.eager import begin


class Told:
    """What some work has said by now."""

    def __init__(self) -> None:
        self.said: list[str] = []

    async def work(self, waits_for: Awaitable[str] | None = None) -> None:
        try:
            self.said.append("begun")
            if waits_for is not None:
                self.said.append(await waits_for)
        finally:
            self.said.append("ended")


async def test_what_need_not_wait_has_ended() -> None:
    told = Told()
    assert begin(told.work()) is None
    assert told.said == ["begun", "ended"]


async def test_what_waits_goes_on_where_it_stood() -> None:
    told, news = Told(), asyncio.get_running_loop().create_future()
    rest = begin(told.work(news))
    assert rest is not None
    assert told.said == ["begun"]
    task = asyncio.ensure_future(rest)
    news.set_result("heard")
    await task
    assert told.said == ["begun", "heard", "ended"]


async def test_what_it_waited_for_may_fail() -> None:
    told, news = Told(), asyncio.get_running_loop().create_future()
    rest = begin(told.work(news))
    assert rest is not None
    news.set_exception(OSError("away"))
    with pytest.raises(OSError, match="away"):
        await rest
    assert told.said == ["begun", "ended"]


async def test_what_fails_at_once_says_so_at_once() -> None:
    async def work() -> None:
        raise OSError("away")

    with pytest.raises(OSError, match="away"):
        begin(work())


async def test_the_rest_can_be_given_up_after_a_time_and_is_closed_then() -> None:
    told, news = Told(), asyncio.get_running_loop().create_future()
    rest = begin(told.work(news))
    assert rest is not None
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await rest
    assert told.said == ["begun", "ended"]
    assert news.cancelled()


async def test_work_meets_what_fails_while_it_waits_and_may_go_on() -> None:
    first, second, said = *(asyncio.get_running_loop().create_future() for _ in range(2)), list[str]()

    async def work() -> None:
        for news in (first, second):
            try:
                said.append(await news)
            except OSError as error:
                said.append(str(error))

    rest = begin(work())
    assert rest is not None
    task = asyncio.ensure_future(rest)
    first.set_exception(OSError("away"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    second.set_exception(OSError("still away"))
    await task
    assert said == ["away", "still away"]


async def test_work_that_has_nothing_more_to_do_after_a_failure_ends() -> None:
    news, said = asyncio.get_running_loop().create_future(), list[str]()

    async def work() -> None:
        try:
            await news
        except OSError:
            said.append("away")

    rest = begin(work())
    assert rest is not None
    news.set_exception(OSError)
    await rest
    assert said == ["away"]
