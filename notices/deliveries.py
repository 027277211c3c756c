"""Sends deliveries that are due, in Celery tasks.

A row of `Delivery` waits until it is sent or given up, with the time at which it is due. Every second a task looks for
what is due and starts sending tasks for each channel that has some. Such a task claims one address after the other for
a minute (`Address.claimed_until`), sends what waits there in order, and records each message at once. If its process
dies, the address is free again after that minute, and the same message goes out once more under an id by which
receivers recognise it. Anything slow holds up neither other channels nor, for long, other addresses: each channel has a
limited number of tasks, and a slow address rests before its next turn.

A retry is a later due time. Celery's own retries would wait for hours in a worker's memory: Redis redelivers what is
not done within an hour, and an in-memory broker forgets it.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from threading import BoundedSemaphore
from zoneinfo import ZoneInfo

import structlog
from django.db import DatabaseError, OperationalError, connection, transaction
from django.db.models import Count, F, Q, QuerySet

from matches.infra.db_waits import lend_connection
from matches.models import clock
from notices import events, handover, webhooks
from notices.channels import email
from notices.channels.base import GaveUp, Outgoing, TryAgain, channel_of
from notices.models import Address, Delivery, Habits
from notices.routing import may_go_at

logger = structlog.get_logger(__name__)

Channel = Address.Channel
Result = TryAgain | GaveUp | None
"""The result of sending a message; None if it was sent."""

AT_ONCE = {Channel.EMAIL: 4, Channel.PUSH: 4, Channel.WEBHOOK: 4, Channel.NEWS: 4}
"""How many tasks of each channel a process runs at once. A worker needs as many threads, and some more."""

CLAIM = timedelta(minutes=1)
TURN_SECONDS = 20.0
"""After that a task starts no message, so that the last one (post 5 s, mail 30 s) ends before its claim expires."""

RUN_SECONDS = 5.0
"""After that a task takes no further address and leaves them to the next task."""

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

_ADDRESSES, _LOOKED_THROUGH = {Channel.EMAIL: 10}, 400
"""How many addresses are claimed at once (one, for channels not named here), and among how many deliveries."""

_MOST_OF_TURN = 20
_TRIES, _BETWEEN_TRIES = 10, 1.0
"""Tries to record a sent message while the database is away, and seconds between them."""

_CAN_WAIT = ~Q(notice__event__in=[event.key for event in events.EVENTS.values() if event.urgent])
_rooms = {channel: BoundedSemaphore(most) for channel, most in AT_ONCE.items()}


def waiting() -> Counter[str]:
    """Return how many tasks each channel has work for. Runs every second, and takes no lock."""
    due = _due(clock.now()).order_by().values("address__channel")
    found = due.annotate(count=Count("address", distinct=True)).values_list("address__channel", "count")
    return Counter({channel: min(count, AT_ONCE[Channel(channel)]) for channel, count in found})


def send_due() -> int:
    """Send everything due, one after the other; return how many deliveries were tried."""
    return sum(map(deliver, waiting()))


def deliver(channel: str) -> int:
    """Send through one channel until nothing is due, or for `RUN_SECONDS`; return how many deliveries were tried."""
    room, tried = _rooms[Channel(channel)], 0
    if not room.acquire(blocking=False):
        return 0
    try:
        with email.kept_open():
            ends = time.monotonic() + RUN_SECONDS
            while time.monotonic() < ends and (addresses := claim(channel)):
                begun = time.monotonic()
                tried += sum(_serve(address, begun + TURN_SECONDS) for address in addresses)
        return tried
    finally:
        room.release()


def _due(now: datetime) -> QuerySet[Delivery]:
    free = _free(now, "address__")
    return Delivery.objects.filter(free, status=Delivery.Status.WAITING, due_at__lte=now)


def _free(now: datetime, of: str = "") -> Q:
    """The condition for addresses that are neither claimed nor resting."""
    over = [Q(**{f"{of}{name}": None}) | Q(**{f"{of}{name}__lte": now}) for name in ("claimed_until", "rests_until")]
    return over[0] & over[1]


def claim(channel: str) -> list[Address]:
    """Claim the next addresses for this process: those with something urgent first, digests last, and among equals the
    one that has waited longest."""
    now, taken, lost = clock.now(), list[int](), set[int]()
    due = _due(now).filter(address__channel=channel).annotate(can_wait=_CAN_WAIT)
    rows = due.order_by("in_digest", "can_wait", "due_at", "pk").values_list("address_id", flat=True)
    while not taken:
        found = rows.exclude(address__in=lost)[:_LOOKED_THROUGH]
        chosen = list(dict.fromkeys(found))[: _ADDRESSES.get(Channel(channel), 1)]
        if not chosen:
            return []
        with transaction.atomic():
            # Another task may have claimed it since, or failed so that it has to rest.
            free = Address.objects.filter(_free(now), pk__in=chosen)
            if connection.features.has_select_for_update_skip_locked:
                free = free.select_for_update(skip_locked=True)
            taken = list(free.values_list("pk", flat=True))
            Address.objects.filter(pk__in=taken).update(claimed_until=now + CLAIM)
        lost.update(chosen)  # other tasks took these if `taken` is empty
    people = Address.objects.select_related("user__notice_habits").prefetch_related("user__emailaddress_set")
    return sorted(people.filter(pk__in=taken), key=lambda each: chosen.index(each.pk))


def _serve(address: Address, ends: float) -> int:
    """Send what is due to a claimed address; return how many deliveries were tried."""
    bundles, tried = list(_bundles(address)), 0
    while bundles and time.monotonic() < ends:  # even if this process was frozen and another has taken over
        bundle, *bundles = bundles
        began = time.monotonic()
        result = _send(address, bundle)
        seconds, left = time.monotonic() - began, bundles
        goes_on = _insist(lambda: note(address, bundle, left, result, seconds))  # noqa: B023  # it is called at once
        tried += len(bundle)
        if not goes_on:
            return tried
    _claimed(address).update(claimed_until=None)
    return tried


def _claimed(address: Address) -> QuerySet[Address]:
    """The row of an address, if nobody else has claimed it meanwhile."""
    return Address.objects.filter(pk=address.pk, claimed_until=address.claimed_until)


def _bundles(address: Address) -> Iterator[list[Delivery]]:
    """Yield what to send to an address: single deliveries, then one digest. Drops or postpones what cannot go now."""
    now = clock.now()
    rows = address.deliveries.filter(status=Delivery.Status.WAITING, due_at__lte=now).order_by("in_digest", "pk")
    found = list(rows.select_related("notice__match").defer("notice__match__state", "notice__match__description"))
    gone = handover.of_those_who_left([each.notice for each in found if each.notice])
    digest: list[Delivery] = []
    singles = 0
    for delivery in found:
        delivery.address = address
        if why := handover.GONE if delivery.notice in gone else _why_not(delivery):
            Delivery.objects.filter(pk=delivery.pk).update(status=Delivery.Status.DROPPED, last_error=why)
        elif (later := _may_go_at(delivery, now)) > now:
            Delivery.objects.filter(pk=delivery.pk).update(due_at=later)
        elif delivery.in_digest:
            digest.append(delivery)
        elif (singles := singles + 1) <= _MOST_OF_TURN:
            yield [delivery]
    if digest:
        yield digest


def _why_not(delivery: Delivery) -> str:
    """Why a delivery need not be sent any more; empty if it must."""
    address, notice = delivery.address, delivery.notice
    if address.stopped_at is not None or (address.user is not None and not address.user.is_active):
        return "The address was switched off before this was sent."
    if notice is not None and notice.read_at is not None and not notice.is_retired:
        return "The notice was read on the site before this was sent."
    return ""


def _may_go_at(delivery: Delivery, now: datetime) -> datetime:
    """When a delivery may go out. One planned for a time outside quiet hours can become due within them, after a retry
    or a rest, or because no process was sending."""
    user, notice = delivery.address.user, delivery.notice
    habits: Habits | None = getattr(user, "notice_habits", None)
    if user is None or notice is None or habits is None:
        return now
    return may_go_at(notice.event, habits, now, ZoneInfo(user.time_zone), in_digest=delivery.in_digest)


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


def _insist(write: Callable[[], bool]) -> bool:
    """Retry a write for some seconds while the database is away: an unrecorded message would be sent again."""
    for _ in range(_TRIES):
        try:
            return write()
        except DatabaseError:
            if connection.in_atomic_block:
                raise
            connection.close()
            time.sleep(_BETWEEN_TRIES)
    return write()


# -- recording results -----------------------------------------------------------------------------------


@transaction.atomic
def note(
    address: Address, bundle: list[Delivery], left: list[list[Delivery]], result: Result, seconds: float = 0.0
) -> bool:
    """Record the result of a message, unless another process has claimed the address since; return whether to go on
    with the bundles in `left`."""
    now = clock.now()
    if result is None:  # even if it was dropped meanwhile
        sent = Delivery.objects.filter(pk__in=[each.pk for each in bundle])
        sent.update(status=Delivery.Status.SENT, sent_at=now, last_error="", attempts=F("attempts") + 1)
    changes = _changes(address, result, seconds, now)
    goes_on = bool(left) and not isinstance(result, TryAgain) and changes.get("rests_until") is None
    if not _claimed(address).update(**changes, claimed_until=address.claimed_until if goes_on else None):
        return False
    for name, value in changes.items():
        setattr(address, name, value)
    if result is not None:
        failed = [bundle]
        if isinstance(result, TryAgain) and address.channel != Channel.NEWS:
            failed += left  # those behind it fail with it, to keep their order
        _note_failed([each for bundle in failed for each in bundle], result, now)
    if address.stopped_at is not None and address.channel == Channel.NEWS:
        webhooks.stopped(address, str(result))
    return goes_on


def _note_failed(deliveries: list[Delivery], result: TryAgain | GaveUp, now: datetime) -> None:
    by_change: defaultdict[tuple[str, datetime], list[int]] = defaultdict(list)
    for each in deliveries:
        if isinstance(result, GaveUp) or each.attempts >= len(PAUSES):
            by_change[Delivery.Status.FAILED, each.due_at].append(each.pk)
        elif each.notice_id is None:  # the address rests, and later posts wait behind this one
            by_change[Delivery.Status.WAITING, each.due_at].append(each.pk)
        else:
            due_at = now + max(PAUSES[each.attempts], min(result.after, MOST_ASKED))
            by_change[Delivery.Status.WAITING, due_at].append(each.pk)
    for (status, due_at), pks in by_change.items():
        rows = Delivery.objects.filter(pk__in=pks, status=Delivery.Status.WAITING)
        rows.update(status=status, due_at=due_at, last_error=str(result)[:300], attempts=F("attempts") + 1)


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
