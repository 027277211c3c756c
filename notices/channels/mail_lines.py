"""Connections to the mail server. One carries several mails: to connect, encrypt and sign in takes longer than they."""

from __future__ import annotations

import smtplib
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from queue import Empty, LifoQueue
from typing import Any

from django.core.mail import get_connection

MOST_MAILS = 50
"""So many mails a connection carries; servers end it after a hundred or so."""

IDLE_SECONDS = 10.0
"""A connection that has rested for longer is not used again."""


@dataclass(eq=False)
class _Line:
    """One connection: Django's, how many mails it has carried, and when it was last used (monotonic seconds)."""

    connection: Any = field(default_factory=get_connection)
    carried: int = 0
    used_at: float = 0.0

    @property
    def smtp(self) -> smtplib.SMTP | None:
        """What Django's connection has open, or is opening; None for mail that does not go by SMTP."""
        found = getattr(self.connection, "connection", None) or getattr(self.connection, "_partial_connection", None)
        return found if isinstance(found, smtplib.SMTP) else None

    def is_good(self) -> bool:
        """Whether it can carry another mail. The server is asked, for it may have ended the connection: found out while
        a mail is on its way, that would leave open whether it was taken."""
        if self.carried >= MOST_MAILS or time.monotonic() - self.used_at > IDLE_SECONDS:
            return False
        try:
            return self.smtp is not None and self.smtp.rset()[0] == 250
        except (smtplib.SMTPException, OSError):
            return False

    def cut(self) -> None:
        """End it at once, whatever it waits for."""
        sock = getattr(self.smtp, "sock", None)
        if sock is not None:
            with suppress(OSError):  # closed already
                sock.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """End it as is polite; a server that has gone is left alone."""
        with suppress(smtplib.SMTPException, OSError):
            self.connection.close()


_kept: ContextVar[LifoQueue[_Line] | None] = ContextVar("kept", default=None)


@contextmanager
def kept_open() -> Iterator[None]:
    """In this block, and in threads that run in a copy of its context, a connection stays open for the next mail."""
    lines: LifoQueue[_Line] = LifoQueue()
    token = _kept.set(lines)
    try:
        yield
    finally:
        _kept.reset(token)
        for line in _all_of(lines):
            line.close()


@contextmanager
def line(seconds: float) -> Iterator[Any]:
    """An open connection of Django's for one mail, cut off after so many seconds: its own timeout begins over with
    every answer. If the mail fails, the connection is not used again."""
    watch = _Watch(seconds)
    try:
        lines = _kept.get()
        taken = _good_one(lines, watch) if lines is not None else None
        watch.line = taken = taken or _Line()
        try:
            taken.connection.open()
            yield taken.connection
        except BaseException:
            taken.close()
            raise
        taken.carried, taken.used_at = taken.carried + 1, time.monotonic()
        if lines is None:
            taken.close()
        else:
            lines.put(taken)
    finally:
        watch.cancel()


class _Watch(threading.Timer):
    """Cuts off the line that it watches when the time is over."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds, self._cut)
        self.line: _Line | None = None
        self.daemon = True
        self.start()

    def _cut(self) -> None:
        if self.line is not None:
            self.line.cut()


def _good_one(lines: LifoQueue[_Line], watch: _Watch) -> _Line | None:
    for found in _all_of(lines):
        watch.line = found
        if found.is_good():
            return found
        found.close()
    return None


def _all_of(lines: LifoQueue[_Line]) -> Iterator[_Line]:
    """One after the other, taken out, until there is none."""
    with suppress(Empty):
        while True:
            yield lines.get_nowait()
