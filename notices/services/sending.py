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
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from contextvars import copy_context
from queue import Empty, SimpleQueue

import structlog
from django.db import DatabaseError, connection

from matches.infra.db_waits import lend_connection
from matches.models import clock
from notices.channels import mail_lines
from notices.channels.base import GaveUp, Outgoing, TryAgain, channel_of
from notices.models import Address
from notices.services.claiming import claim, is_any_due
from notices.services.noting import Lane, Result, note

logger = structlog.get_logger(__name__)

THREADS = {Address.Channel.EMAIL: 16, Address.Channel.PUSH: 8, Address.Channel.WEBHOOK: 8}
"""More for mail, all of which goes to one server: under load its threads wait for their notes most of the time."""

AHEAD = {Address.Channel.EMAIL: 4}
"""For so many addresses a thread of this channel has something at once, sent one after the other; one for all others.
All mail goes to one server, which takes it quickly or not at all, and is claimed and noted many at a time."""

RUN_SECONDS = 20.0
_LOOK_SECONDS = 0.25
"""While something is on its way, how often to look for what has become due."""

_GATHER_SECONDS = 0.02
"""So long what has been sent waits for others, to be noted in one transaction with them."""

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
        with mail_lines.kept_open(), ExitStack() as stack:
            run = _Run({channel: stack.enter_context(_pool(channel)) for channel in THREADS})
            try:
                run.send()
            finally:
                _claiming.release()
            run.finish()
        return run.handed_over
    finally:
        _running.release()


def _pool(channel: Address.Channel) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(THREADS[channel], thread_name_prefix=f"notices-{channel}")


class _Run:
    """One call of `send_due`. `pools`: the threads of each channel."""

    def __init__(self, pools: Mapping[Address.Channel, ThreadPoolExecutor]) -> None:
        self._pools = pools
        self._going: list[Lane] = []
        self._asked_at = float("-inf")
        self._freed: set[str] = set()  # channels of which something was done since they were last asked
        self._more: set[str] = set()  # channels of which more may wait than could be claimed
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
        going = Counter(address.channel for address in busy)
        free = {channel: _free(channel, going[channel]) for channel in self._to_ask()}
        lanes = claim(free, [address.pk for address in busy])
        claimed = Counter(lane.address.channel for lane in lanes)
        self._more -= free.keys()
        self._more |= {channel for channel, count in free.items() if claimed[channel] >= count}
        for lane in lanes:
            # The time of a test holds in the threads as well.
            pool = self._pools[Address.Channel(lane.address.channel)]
            pool.submit(copy_context().run, _go, lane, self._news)
            self.handed_over += sum(map(len, lane.bundles))
        self._going += lanes
        return len(lanes)

    def _to_ask(self) -> list[Address.Channel]:
        """The channels for which something may be claimed: all of them now and then, and meanwhile those that have
        got a free thread and of which more waits. What comes in meanwhile is claimed together: a claim costs several
        statements, however little it finds, and nothing is noted while it is made."""
        now = time.monotonic()
        if self._going and now < self._asked_at + _LOOK_SECONDS:
            found = [channel for channel in THREADS if channel in self._freed & self._more]
        else:
            self._asked_at, found = now, list(THREADS)
        self._freed.clear()
        return found

    def _note_news(self, seconds: float) -> None:
        """Wait so long for news of the lanes, and note what has come by then, together with what comes a moment later:
        what is noted is not sent again if this process ends now."""
        lend_connection()
        going = {id(lane) for lane in self._going}
        news: dict[int, Lane] = {}
        ends = time.monotonic() + seconds
        with suppress(Empty):
            while len(news) < len(self._going):
                lane = self._news.get(timeout=max(0.0, ends - time.monotonic()))
                if id(lane) not in going:  # it said so twice, and all of it is noted
                    continue
                ends = ends if news else time.monotonic() + _GATHER_SECONDS
                news[id(lane)] = lane
        if news:
            over = _insist(lambda: note(list(news.values())))
            self._freed.update(lane.address.channel for lane in over)
            self._going = [lane for lane in self._going if not any(lane is each for each in over)]


def _free(channel: Address.Channel, going: int) -> int:
    """For how many more addresses to claim. Where much is claimed at once, only when the half of it is done."""
    ahead = AHEAD.get(channel, 1)
    free = THREADS[channel] * ahead - going
    return free if ahead == 1 or free >= THREADS[channel] * ahead // 2 else 0


def _go(lane: Lane, news: SimpleQueue[Lane]) -> None:
    """Send one after the other. There is no database here: all that a channel needs has been read."""
    began = time.monotonic()
    for left, outgoing in zip(range(len(lane.outgoing) - 1, -1, -1), lane.outgoing, strict=True):
        if time.monotonic() > lane.stops_at:
            break  # also in a process that was frozen: another one may have taken this over
        lane.results.append(_send(outgoing))
        if isinstance(lane.results[-1], TryAgain) or not left:
            break
        if not _is_noted(lane, news):
            break
    lane.seconds = time.monotonic() - began
    lane.is_over = True
    _is_noted(lane, news)  # before this thread begins another lane


def _is_noted(lane: Lane, news: SimpleQueue[Lane]) -> bool:
    """Hand in what has come of a lane so far, and wait until it is stored; whether it was, while there is time."""
    news.put(lane)
    return lane.may_go_on.acquire(timeout=max(0.0, lane.stops_at - time.monotonic()))


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
