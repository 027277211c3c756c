"""Notes what came of deliveries: sent, to be tried again, or given up; and how the address is doing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Semaphore

from django.db import transaction
from django.db.models import F

from matches.models import clock
from notices.channels.base import MOST_ASKED, PAUSES, GaveUp, Outgoing, TryAgain
from notices.models import Address, Delivery

LONGEST_REST = timedelta(minutes=5)
"""Of an address at which nothing gets through: so long, at most, what has just happened waits for its first try."""

MOST_FAILURES, STOPS_AFTER = 25, timedelta(days=1)
"""An address is stopped after so many failures in a row, over so long a time."""

SLOW_SECONDS = 1.0
REST_OF_SLOW = 4
"""An address that took longer rests for so many times as long: it has a fifth of a thread."""

Result = TryAgain | GaveUp | None
"""What came of a delivery; None if it was sent."""


@dataclass
class Lane:
    """What goes to one address, one after the other: bundles of deliveries with their messages.

    Nothing begins after `stops_at` (monotonic seconds). A thread adds to `results`, one for each bundle that it has
    tried, and says at the end that it `is_over`, after so many `seconds`. The first `noted` of them are stored; the
    thread waits for that before it sends the next one, so that only one is sent again if the process dies.
    """

    bundles: list[list[Delivery]]
    outgoing: list[Outgoing]
    stops_at: float
    results: list[Result] = field(default_factory=list)
    seconds: float = 0.0
    is_over: bool = False
    noted: int = 0
    may_go_on: Semaphore = field(default_factory=lambda: Semaphore(0))

    @property
    def address(self) -> Address:
        """Where all of this goes."""
        return self.bundles[0][0].address


def note(lanes: Sequence[Lane]) -> list[Lane]:
    """Note what has come of these since the last time; those that are over now. What another process has claimed
    meanwhile stays as it is."""
    now = clock.now()
    over = [lane for lane in lanes if lane.is_over]  # looked at first: then all of their results are there
    done = [len(lane.results) for lane in lanes]
    sent: list[Delivery] = []
    with transaction.atomic():
        for lane, count in zip(lanes, done, strict=True):
            for bundle, result in zip(lane.bundles[lane.noted : count], lane.results[lane.noted : count], strict=True):
                if result is None:
                    sent += bundle
                else:
                    _note_result(bundle, result, now)
        _note_sent(sent, now)
        _note_well([lane.address for lane in over if _is_well(lane)], now)
        for lane in over:
            if not _is_well(lane):
                _note_end(lane, now)
    for lane, count in zip(lanes, done, strict=True):
        lane.noted = count
        lane.may_go_on.release()
    return over


def _is_well(lane: Lane) -> bool:
    """Whether all of it went out, and quickly."""
    return len(lane.results) == len(lane.bundles) and not any(lane.results) and not _is_slow(lane)


def _is_slow(lane: Lane) -> bool:
    return lane.seconds > SLOW_SECONDS and lane.address.channel != Address.Channel.EMAIL


def _note_sent(deliveries: Sequence[Delivery], now: datetime) -> None:
    """Nearly all there is to note, in one statement for each claim."""
    of_claim: defaultdict[datetime | None, list[Delivery]] = defaultdict(list)
    for delivery in deliveries:
        of_claim[delivery.claimed_until].append(delivery)
    for same in of_claim.values():
        _mark(same, status=Delivery.Status.SENT, sent_at=now, last_error="", attempts=F("attempts") + 1)


def _note_well(addresses: Sequence[Address], now: datetime) -> None:
    if addresses:
        found = Address.objects.filter(pk__in=[address.pk for address in addresses])
        found.update(last_sent_at=now, **_AS_NEW, rests_until=None)


_AS_NEW: dict[str, object] = {"failures": 0, "failing_since": None, "last_error": ""}


def _note_end(lane: Lane, now: datetime) -> None:
    last = lane.results[-1] if lane.results else None
    for bundle in lane.bundles[len(lane.results) :]:
        if isinstance(last, TryAgain):
            _note_result(bundle, last, now)  # nothing came of what was to go before it: it shares that fate
        else:
            _mark(bundle, due_at=now)  # only the time was over
    if lane.results:
        _note_address(lane, last, now)


def _note_result(bundle: Sequence[Delivery], result: TryAgain | GaveUp, now: datetime) -> None:
    error = str(result)[:300]
    for delivery in bundle:
        if isinstance(result, GaveUp) or delivery.attempts >= len(PAUSES):
            _mark([delivery], status=Delivery.Status.FAILED, last_error=error, attempts=F("attempts") + 1)
        else:
            pause = max(PAUSES[delivery.attempts], min(result.after, MOST_ASKED))
            _mark([delivery], due_at=now + pause, last_error=error, attempts=F("attempts") + 1)


def _mark(bundle: Sequence[Delivery], **changes: object) -> None:
    mine = Delivery.objects.filter(
        pk__in=[delivery.pk for delivery in bundle],
        status=Delivery.Status.WAITING,
        claimed_until=bundle[0].claimed_until,
    )
    mine.update(claimed_until=None, **changes)


def _note_address(lane: Lane, last: Result, now: datetime) -> None:
    address, is_mail = lane.address, lane.address.channel == Address.Channel.EMAIL
    changes: dict[str, object] = {}
    if None in lane.results:
        changes["last_sent_at"] = now
    if last is None:
        rest = timedelta(seconds=REST_OF_SLOW * lane.seconds)
        changes |= {**_AS_NEW, "rests_until": now + rest if _is_slow(lane) else None}
    else:
        changes |= {"last_error": str(last)[:300], "last_error_at": now}
        # A mail server that is away says nothing about an address.
        if not (is_mail and isinstance(last, TryAgain)):
            changes |= _failed(address, last, now)
    Address.objects.filter(pk=address.pk).update(**changes)


def _failed(address: Address, last: TryAgain | GaveUp, now: datetime) -> dict[str, object]:
    failures, since = address.failures + 1, address.failing_since or now
    is_gone = isinstance(last, GaveUp) and last.address_is_gone
    is_hopeless = failures >= MOST_FAILURES and since <= now - STOPS_AFTER
    asked = min(last.after, MOST_ASKED) if isinstance(last, TryAgain) else timedelta()
    rest = min(PAUSES[min(failures, len(PAUSES)) - 1], LONGEST_REST)
    return {
        "failures": min(failures, 1000),
        "failing_since": since,
        # What was refused was this, not whatever comes next.
        "rests_until": now + max(rest, asked) if isinstance(last, TryAgain) else None,
        "stopped_at": now if is_gone or is_hopeless else address.stopped_at,
    }
