"""Sends what is due: claims deliveries, hands them to their channels, and notes what came of it.

A delivery is claimed for a minute in a transaction of its own, sent without one, and marked afterwards. If the
process dies in between, another one sends it again: each thing arrives at least once, under an id by which a receiver
knows it again.

All that waits for one address is one lane, sent one after the other by one thread. A channel has only so many threads,
and more is claimed only for threads that are free. So what is slow holds up neither other channels nor, for long, other
addresses: a lane stops after a while, and its address rests before its next turn.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from queue import Empty, SimpleQueue

import structlog
from django.db import DatabaseError, connection

from matches.infra.db_waits import lend_connection
from matches.models import clock
from notices.channels.base import GaveUp, Outgoing, TryAgain, channel_of
from notices.models import Address
from notices.services.claiming import claim, is_any_due
from notices.services.noting import Lane, Result, note

logger = structlog.get_logger(__name__)

THREADS = {Address.Channel.EMAIL: 8, Address.Channel.PUSH: 8, Address.Channel.WEBHOOK: 8}

RUN_SECONDS = 20.0
_LOOK_SECONDS = 0.25
"""While something is on its way, how often to look for what has become due."""

_TRIES, _BETWEEN_TRIES = 10, 1.0
"""To note what came of something that has been sent, where the database is away."""

_claiming = threading.Lock()
_running = threading.BoundedSemaphore(2)


def send_due() -> int:
    """Send what is due, for `RUN_SECONDS` or until nothing is; how many deliveries were handed over.

    In one process one call sends at a time. While it waits for its last answers a second one may begin; a third
    returns at once, so that sending never takes all the threads of a worker.
    """
    if not is_any_due(clock.now()) or not _running.acquire(blocking=False):
        return 0
    try:
        if not _claiming.acquire(blocking=False):
            return 0
        with ThreadPoolExecutor(sum(THREADS.values()), thread_name_prefix="notices") as threads:
            run = _Run(threads)
            try:
                run.send()
            finally:
                _claiming.release()
            run.finish()
        return run.handed_over
    finally:
        _running.release()


class _Run:
    """One call of `send_due`."""

    def __init__(self, threads: ThreadPoolExecutor) -> None:
        self._threads = threads
        self._going: list[Lane] = []
        self._news: SimpleQueue[Lane] = SimpleQueue()
        self.handed_over = 0

    def send(self) -> None:
        """Begin what is due as long as there is any, or the time is over."""
        stops_at = time.monotonic() + RUN_SECONDS
        while time.monotonic() < stops_at:
            if not self._begin() and not self._going:
                return
            # Until there is a free thread, or time to look again.
            looks_at, busy = time.monotonic() + _LOOK_SECONDS, len(self._going)
            while len(self._going) == busy and (left := looks_at - time.monotonic()) > 0:
                self._note_news(left)

    def finish(self) -> None:
        """Wait for what has been begun."""
        while self._going:
            self._note_news(_LOOK_SECONDS)

    def _begin(self) -> int:
        """Claim for the threads that are free, and let them go; how many lanes."""
        busy = [lane.address for lane in self._going]
        free = {
            channel: threads - sum(address.channel == channel for address in busy)
            for channel, threads in THREADS.items()
        }
        lanes = claim(free, [address.pk for address in busy])
        for lane in lanes:
            # The time of a test holds in the threads as well.
            self._threads.submit(copy_context().run, _go, lane, self._news)
            self.handed_over += sum(map(len, lane.bundles))
        self._going += lanes
        return len(lanes)

    def _note_news(self, seconds: float) -> None:
        """Wait so long for news of the lanes, and note what has come by then: what is noted is not sent again if this
        process ends now."""
        lend_connection()
        news: list[Lane] = []
        with suppress(Empty):
            news.append(self._news.get(timeout=seconds))
            while True:
                news.append(self._news.get_nowait())
        if news:
            over = _insist(lambda: note(list({id(lane): lane for lane in news}.values())))
            self._going = [lane for lane in self._going if not any(lane is each for each in over)]


def _go(lane: Lane, news: SimpleQueue[Lane]) -> None:
    """Send one after the other. There is no database here: all that a channel needs has been read."""
    began = time.monotonic()
    for outgoing in lane.outgoing:
        if time.monotonic() > lane.stops_at:
            break  # also in a process that was frozen: another one may have taken this over
        lane.results.append(_send(outgoing))
        if isinstance(lane.results[-1], TryAgain):
            break
        news.put(lane)
        if not lane.may_go_on.acquire(timeout=max(0.0, lane.stops_at - time.monotonic())):
            break
    lane.seconds = time.monotonic() - began
    lane.is_over = True
    news.put(lane)


def _send(outgoing: Outgoing) -> Result:
    try:
        channel_of(outgoing.channel).send(outgoing)
    except (TryAgain, GaveUp) as result:
        return result
    except Exception as error:
        logger.exception("delivery_failed", channel=outgoing.channel)
        return TryAgain(f"{type(error).__name__}: it could not be sent.")
    return None


def _insist(write: Callable[[], list[Lane]]) -> list[Lane]:
    """What has been sent must be noted, or it is sent again: a database that is away is given some seconds."""
    for _ in range(_TRIES):
        try:
            return write()
        except DatabaseError:
            if connection.in_atomic_block:
                raise
            connection.close()
            time.sleep(_BETWEEN_TRIES)
    return write()
