"""Runs what seldom has to wait at the cost of a call, and not of a task."""

from __future__ import annotations

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
    yield waits_for
    yield from work
