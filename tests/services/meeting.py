"""Where processes of a race meet: behind a check that all of them pass if nothing keeps them apart."""

import contextlib
from collections.abc import Callable
from threading import BrokenBarrierError
from typing import Any


class Unguarded:
    """Instead of transactions."""

    atomic = staticmethod(contextlib.nullcontext)
    on_commit = staticmethod(lambda function, robust: None)


_SECONDS, _OF_CONTROLS = 0.7, 2.0
_gate: Any = None
_waits = _SECONDS


def meet_at(gate: Any, *, is_control: bool) -> None:
    """Where the processes of this race come together; in a control they do come, however slow the machine is."""
    global _gate, _waits
    _gate, _waits = gate, _OF_CONTROLS if is_control else _SECONDS


def meet() -> None:
    """Wait for the others to come to the same point, for a while: where there is a lock, they do not."""
    with contextlib.suppress(BrokenBarrierError):
        _gate.wait(_waits)


def meeting_after(check: Callable[..., Any]) -> Callable[..., Any]:
    """The check, behind which everybody who has passed it meets before they go on."""

    def met(*args: Any, **named: Any) -> Any:
        found = check(*args, **named)
        meet()
        return found

    return met
