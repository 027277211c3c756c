"""Sends deliveries that are due: one Celery task for each message.

A row of `Delivery` waits until it is sent or given up, with the time at which it is due. Every second a task queues
tasks for the addresses that come next (`due`). Such a task claims its address, sends one message, records the result
and ends (`deliver`); at its end it queues one more. The broker may lose any of them: the rows say what is due. If a
process dies, its claim ends after a minute, and the same message goes out once more under an id by which receivers
recognise it.

A retry is a later due time, after which a task is queued again. Celery's own retries would wait for hours in a
worker's memory: Redis redelivers what is not done within an hour, and an in-memory broker forgets it.
"""

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from threading import BoundedSemaphore

import structlog
from django.db import DatabaseError, OperationalError, connection, transaction
from django.db.models import Case, F, Min, Q, QuerySet, When

from matches.infra.db_waits import lend_connection
from matches.models import clock
from notices import events, handover, webhooks
from notices.channels.base import GaveUp, Outgoing, TryAgain, channel_of
from notices.models import Address, Delivery
from notices.routing import when_due

logger = structlog.get_logger(__name__)

Channel = Address.Channel
Result = TryAgain | GaveUp | None
"""The result of sending a message; None if it was sent."""

AT_ONCE = 4
"""How many messages of each channel a process sends at once, counted by semaphores: a worker is a process with threads,
also inside `manage.py serve`, and needs as many threads and some more."""

CLAIM = timedelta(minutes=1)
"""Longer than any message takes (a post 5 s, a mail 30 s)."""

PAUSES = tuple(timedelta(seconds=seconds) for seconds in (10, 60, 300, 1800, 7200, 21_600))
"""The waits before each further try. After the last one it is given up."""

MOST_ASKED = timedelta(days=1)
"""The longest wait that a receiver can ask for."""

LONGEST_REST = timedelta(minutes=5)
"""The longest rest of a person's address after failures, so that new notices wait no longer than that."""

MOST_FAILURES, STOPS_AFTER = 25, timedelta(days=1)
MOST_FAILURES_OF_NEWS, STOPS_NEWS_AFTER = 10, timedelta(days=3)
"""An address is stopped after so many failures in a row over at least this time."""

MOST_WAITING = 500
"""A public webhook with more posts waiting is stopped: nobody reads news that old."""

SLOW_SECONDS, REST_OF_SLOW = 1.0, 4
"""An address that took longer than `SLOW_SECONDS` rests for this multiple of the time it took."""

_TRIES, _BETWEEN_TRIES = 10, 1.0
"""Tries to record a sent message while the database is away, and seconds between them."""

_URGENT = [event.key for event in events.EVENTS.values() if event.urgent]
_RANK = Case(When(in_digest=True, then=2), When(notice__event__in=_URGENT, then=0), default=1)
_rooms = {channel: BoundedSemaphore(AT_ONCE) for channel in Channel}


def due(channel: str) -> list[int]:
    """Return the `AT_ONCE` addresses that come next in a channel: those with something urgent first, digests last, and
    among equals the one that has waited longest."""
    now = clock.now()
    rows = Delivery.objects.filter(_free(now, "address__"), status=Delivery.Status.WAITING, due_at__lte=now)
    found = rows.filter(address__channel=channel).values("address").annotate(rank=Min(_RANK), first=Min("due_at"))
    return list(found.order_by("rank", "first", "address").values_list("address", flat=True)[:AT_ONCE])


def deliver(channel: str, address: int) -> bool:
    """Send the message that comes next at an address; return False if this process already sends enough of the channel.

    A task names an address rather than a delivery: only once the address is claimed is it certain which delivery comes
    next there, and what a digest contains. So a task that comes late, or twice, breaks no order and doubles nothing.
    """
    room = _rooms[Channel(channel)]
    if not room.acquire(blocking=False):
        return False
    try:
        send_next(address)
    finally:
        room.release()
    return True


def send_due() -> int:
    """Do what the tasks do, one after the other, until nothing is due; return how many deliveries were tried."""
    tried = 0
    while found := [address for channel in Channel for address in due(channel)]:
        tried += sum(map(send_next, found))
    return tried


def send_next(pk: int) -> int:
    """Do the same without that limit; return how many deliveries were tried."""
    now = clock.now()
    if not Address.objects.filter(_free(now), pk=pk).update(claimed_until=now + CLAIM):
        return 0
    people = Address.objects.select_related("user__notice_habits").prefetch_related("user__emailaddress_set")
    if (address := people.filter(pk=pk, claimed_until=now + CLAIM).first()) is None:
        return 0  # removed since
    if not (bundle := _next(address)):
        _claimed(address).update(claimed_until=None)
        return 0
    began = time.monotonic()
    result = _send(address, bundle)
    seconds = time.monotonic() - began
    _insist(lambda: note(address, bundle, result, seconds))
    return len(bundle)


def _free(now: datetime, of: str = "") -> Q:
    """The condition for addresses that are neither claimed nor resting."""
    over = [Q(**{f"{of}{name}": None}) | Q(**{f"{of}{name}__lte": now}) for name in ("claimed_until", "rests_until")]
    return over[0] & over[1]


def _claimed(address: Address) -> QuerySet[Address]:
    """The row of an address, if nobody else has claimed it meanwhile."""
    return Address.objects.filter(pk=address.pk, claimed_until=address.claimed_until)


def _next(address: Address) -> list[Delivery]:
    """What to send to an address: its first delivery, or else the digest. Drops or postpones what cannot go now."""
    now = clock.now()
    rows = address.deliveries.filter(status=Delivery.Status.WAITING, due_at__lte=now).order_by("in_digest", "pk")
    rows = rows.select_related("notice__match").defer("notice__match__state", "notice__match__description")
    first = rows.first()
    found = [] if first is None else list(rows) if first.in_digest else [first]
    gone = handover.of_those_who_left([each.notice for each in found if each.notice])
    bundle = []
    for delivery in found:
        delivery.address = address
        if why := handover.GONE if delivery.notice in gone else _why_not(delivery):
            Delivery.objects.filter(pk=delivery.pk).update(status=Delivery.Status.DROPPED, last_error=why)
        elif (later := when_due(delivery, now)) > now:
            Delivery.objects.filter(pk=delivery.pk).update(due_at=later)
        else:
            bundle.append(delivery)
    return bundle


def _why_not(delivery: Delivery) -> str:
    """Why a delivery need not be sent any more; empty if it must."""
    address, notice = delivery.address, delivery.notice
    if address.stopped_at is not None or (address.user is not None and not address.user.is_active):
        return "The address was switched off before this was sent."
    if notice is not None and notice.read_at is not None and not notice.is_retired:
        return "The notice was read on the site before this was sent."
    return ""


def _send(address: Address, bundle: list[Delivery]) -> Result:
    try:
        message = webhooks.message_of(bundle[0]) if address.channel == Channel.NEWS else Outgoing.of(bundle)
        lend_connection()
        channel_of(address.channel).send(message)
    except (TryAgain, GaveUp) as result:
        return result
    except OperationalError:
        raise  # the database is away or busy, so nothing was tried
    except Exception as error:  # must not hold up other deliveries
        logger.exception("delivery_failed", channel=address.channel, address=address.token)
        return TryAgain(f"{type(error).__name__}: it could not be sent.")
    return None


def _insist(write: Callable[[], None]) -> None:
    """Retry a write for some seconds while the database is away: an unrecorded message would be sent again."""
    for left in reversed(range(_TRIES)):
        try:
            write()
            return
        except DatabaseError:
            if not left or connection.in_atomic_block:
                raise
            connection.close()
            time.sleep(_BETWEEN_TRIES)


# -- recording results -----------------------------------------------------------------------------------


@transaction.atomic
def note(address: Address, bundle: list[Delivery], result: Result, seconds: float = 0.0) -> None:
    """Record the result of a message and free the address, unless another process has claimed it since."""
    now = clock.now()
    if result is None:  # even if it was dropped meanwhile
        sent = Delivery.objects.filter(pk__in=[each.pk for each in bundle])
        sent.update(status=Delivery.Status.SENT, sent_at=now, last_error="", attempts=F("attempts") + 1)
    changes = _changes(address, result, seconds, now)
    if not _claimed(address).update(**changes, claimed_until=None) or result is None:
        return
    _note_failed(address, bundle, result, now)
    if changes.get("stopped_at") and address.channel == Channel.NEWS:
        webhooks.stopped(address, str(result))


def _note_failed(address: Address, bundle: list[Delivery], result: TryAgain | GaveUp, now: datetime) -> None:
    waiting = address.deliveries.filter(status=Delivery.Status.WAITING)
    tried = waiting.filter(pk__in=[each.pk for each in bundle])
    tried.update(last_error=str(result)[:300], attempts=F("attempts") + 1)
    attempts = min(each.attempts for each in bundle)
    if isinstance(result, GaveUp) or attempts >= len(PAUSES):
        tried.update(status=Delivery.Status.FAILED)
    elif address.channel != Channel.NEWS:  # which rests, and later posts wait behind this one
        # What is due behind it waits as well, to keep the order.
        waiting.filter(due_at__lte=now).update(due_at=now + max(PAUSES[attempts], min(result.after, MOST_ASKED)))


def _changes(address: Address, result: Result, seconds: float, now: datetime) -> dict[str, object]:
    """The changes to an address after this result."""
    if result is None:
        is_slow = seconds > SLOW_SECONDS and address.channel != Channel.EMAIL
        rest = now + timedelta(seconds=REST_OF_SLOW * seconds) if is_slow else None
        return {**Address.AS_NEW, "rests_until": rest, "stopped_at": address.stopped_at, "last_sent_at": now}
    failed: dict[str, object] = {"last_error": str(result)[:300], "last_error_at": now}
    if address.channel == Channel.EMAIL and isinstance(result, TryAgain):
        return failed  # a failing mail server says nothing about this address
    failures, since = address.failures + 1, address.failing_since or now
    is_news = address.channel == Channel.NEWS
    most, span = (MOST_FAILURES_OF_NEWS, STOPS_NEWS_AFTER) if is_news else (MOST_FAILURES, STOPS_AFTER)
    stops = (failures >= most and since <= now - span) or (isinstance(result, GaveUp) and result.address_is_gone)
    if is_news and not stops:
        stops = address.deliveries.filter(status=Delivery.Status.WAITING).count() > MOST_WAITING
    pause = PAUSES[0] if is_news else timedelta()  # the receiver refused this message, perhaps not the next
    if isinstance(result, TryAgain):
        pause = PAUSES[min(failures, len(PAUSES)) - 1]
        pause = max(pause if is_news else min(pause, LONGEST_REST), min(result.after, MOST_ASKED))
    return failed | {
        "failures": min(failures, 1000),
        "failing_since": since,
        "rests_until": now + pause if pause else None,
        "stopped_at": now if stops else address.stopped_at,
    }
