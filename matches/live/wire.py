"""Sending to one socket without waiting for it.

The hub must never wait for a peer: one that sleeps would hold up all others. ASGI's `send` says nothing of how much a
peer has not taken yet; what each server gives us to know is read here and nowhere else.
"""

from __future__ import annotations

import asyncio
import types
from collections.abc import Awaitable, Callable, Coroutine, Generator
from typing import Any

Send = Callable[[dict[str, Any]], Awaitable[None]]


class Wire:
    """One socket's way out."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._sending: asyncio.Task[None] | None = None
        self._transport = _daphnes_transport(send)

    @property
    def is_behind(self) -> bool:
        """Whether what was sent still waits to be taken."""
        if self._sending is not None and not self._sending.done():
            return True
        # Twisted: more than its 64 KiB of buffer wait.
        return self._transport is not None and bool(self._transport.producerPaused)

    def send(self, message: dict[str, Any]) -> None:
        """Send an ASGI message. What cannot go at once goes by itself later; until then the wire `is_behind`."""
        sending: Any = self._send(message)
        try:
            waits_for = sending.send(None)
        except StopIteration:
            return  # sent: the usual case, at the cost of a call and not of a task
        except Exception:
            return  # the peer is gone; its own `receive` will say so
        self._sending = asyncio.ensure_future(_go_on(sending, waits_for))


async def _go_on(sending: Coroutine[Any, Any, None], waits_for: Any) -> None:
    try:
        await _rest(sending, waits_for)
    except Exception:
        return
    finally:
        sending.close()


@types.coroutine
def _rest(sending: Coroutine[Any, Any, None], waits_for: Any) -> Generator[Any, None, None]:
    """The rest of a coroutine that has run up to its first wait."""
    yield waits_for
    yield from sending


def _daphnes_transport(send: Any) -> Any:
    """The Twisted transport below daphne's `send`; None under any other server."""
    arguments = getattr(send, "args", ())
    transport = getattr(arguments[0], "transport", None) if arguments else None
    return transport if hasattr(transport, "producerPaused") else None
