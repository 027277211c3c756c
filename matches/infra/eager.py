"""Runs coroutines that rarely have to wait: at once, like a call. Only one that does wait needs a task."""

import types
from collections.abc import Coroutine, Generator
from typing import Any


def begin(work: Coroutine[Any, Any, None]) -> Coroutine[Any, Any, None] | None:
    """Run this up to its first wait: the rest of it, for a task; None if it has ended. Raises what it raises till
    then."""
    try:
        waits_for = work.send(None)
    except StopIteration:
        return None
    return _to_the_end(work, waits_for)


async def _to_the_end(work: Coroutine[Any, Any, None], waits_for: Any) -> None:
    try:
        await _rest(work, waits_for)
    finally:
        work.close()


@types.coroutine
def _rest(work: Coroutine[Any, Any, None], waits_for: Any) -> Generator[Any, None, None]:
    try:
        yield waits_for
    except BaseException as error:  # what it waited for has failed, or the task is cancelled: `work` meets it
        try:
            waits_for = work.throw(error)
        except StopIteration:
            return
        yield from _rest(work, waits_for)
    else:
        yield from work
