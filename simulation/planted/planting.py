"""How bugs are planted, in memory, and the list of all of them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from types import SimpleNamespace
from typing import Any

Plant = Callable[[], AbstractContextManager[Any]]
BUGS: dict[str, Plant] = {}


def bug(name: str) -> Callable[[Plant], Plant]:
    """The function below plants the bug of this name for the time of a block."""

    def note(plant: Plant) -> Plant:
        BUGS[name] = plant
        return plant

    return note


def both(*patches: AbstractContextManager[Any]) -> AbstractContextManager[Any]:
    """All of these patches."""
    stack = ExitStack()
    for patch in patches:
        stack.enter_context(patch)
    return stack


def without(real: Any, **changed: Any) -> Any:
    """A module with other functions in place of its own."""
    return SimpleNamespace(**{**vars(real), **changed})
