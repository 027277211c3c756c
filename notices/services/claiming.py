"""Takes deliveries that are due for this process, address by address, so that no other process sends them meanwhile."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import structlog
from django.db import connection, transaction
from django.db.models import Q, QuerySet

from matches.models import clock
from notices import events, handing_on
from notices.channels.base import Outgoing, TryAgain, heads_in
from notices.models import Address, Delivery, Habits
from notices.planning import may_go_at
from notices.services import digests
from notices.services.noting import Lane, note

logger = structlog.get_logger(__name__)

CLAIM = timedelta(minutes=1)

LANE_SECONDS = 20.0
"""After that a lane begins nothing any more: what it has begun (five seconds for a post, thirty for mail) ends before
its claim does."""

_CAN_WAIT = ~Q(notice__event__in=[event.key for event in events.EVENTS.values() if event.urgent])

_MOST_OF_LANE = 20
_LOOKED_THROUGH = 400
"""How many deliveries of a channel are looked through for addresses; a longer digest is sent in parts."""


def is_any_due(now: datetime) -> bool:
    """Whether anything is to be sent. It is asked every second, and takes no lock."""
    return _due(now).exists()


def claim(free: Mapping[Address.Channel, int], busy: Collection[int]) -> list[Lane]:
    """Claim for so many more addresses of each channel, besides those that are `busy` (by id)."""
    now = clock.now()
    chosen = [pk for channel, count in free.items() if count > 0 for pk in _chosen(channel, count, busy, now)]
    if not chosen:
        return []
    stops_at = time.monotonic() + LANE_SECONDS
    with transaction.atomic():
        waiting = Delivery.objects.filter(pk__in=chosen, status=Delivery.Status.WAITING, due_at__lte=now)
        if connection.features.has_select_for_update_skip_locked:
            waiting = waiting.select_for_update(skip_locked=True)
        taken = list(waiting.values_list("pk", flat=True))
        # Claimed is due again a minute later, if nobody has marked it by then.
        Delivery.objects.filter(pk__in=taken).update(due_at=now + CLAIM, claimed_until=now + CLAIM)
        of_address: defaultdict[int, list[Delivery]] = defaultdict(list)
        deliveries = list(_with_all_that_they_need(Delivery.objects.filter(pk__in=taken)))
        homeless = handing_on.of_those_who_left([delivery.notice for delivery in deliveries])
        for delivery in deliveries:
            if why := handing_on.GONE if delivery.notice in homeless else _why_not(delivery):
                _drop(delivery, why)
            elif (later := _may_go_at(delivery, now)) > now:
                _put_off(delivery, later)
            else:
                of_address[delivery.address_id].append(delivery)
    heads = heads_in(deliveries)
    return [lane for deliveries in of_address.values() if (lane := _lane(deliveries, heads, stops_at))]


def _with_all_that_they_need(deliveries: QuerySet[Delivery]) -> QuerySet[Delivery]:
    """What messages are made of, read once for many; of a match not its state, which is large."""
    related = deliveries.select_related("notice__match", "address__user__notice_habits")
    return (
        related.defer("notice__match__state", "notice__match__description")
        .prefetch_related("address__user__emailaddress_set")
        .order_by("pk")
    )


def _lane(deliveries: list[Delivery], heads: Mapping[str, str], stops_at: float) -> Lane | None:
    """What goes to one address; None if that cannot be put together, which must not keep the others."""
    bundles = digests.bundled(deliveries)
    try:
        return Lane(bundles, [Outgoing.of(bundle, heads) for bundle in bundles], stops_at)
    except Exception as error:
        logger.exception("message_not_made", address=deliveries[0].address.token)
        failed = TryAgain(f"{type(error).__name__}: it could not be made.")
        note([Lane(bundles, [], stops_at, results=[failed], is_over=True)])
        return None


def _due(now: datetime) -> QuerySet[Delivery]:
    is_awake = Q(address__rests_until=None) | Q(address__rests_until__lte=now)
    return Delivery.objects.filter(is_awake, status=Delivery.Status.WAITING, due_at__lte=now)


def _chosen(channel: Address.Channel, count: int, busy: Collection[int], now: datetime) -> list[int]:
    """The ids of what is to be sent next: of `count` addresses, first what cannot wait, digests last, and of these the
    oldest first."""
    due = _due(now).filter(address__channel=channel).exclude(address__in=busy)
    rows = due.annotate(can_wait=_CAN_WAIT).order_by("in_digest", "can_wait", "due_at", "pk")
    singles: defaultdict[int, list[int]] = defaultdict(list)
    together: defaultdict[int, list[int]] = defaultdict(list)
    for pk, address, in_digest in rows.values_list("pk", "address_id", "in_digest")[:_LOOKED_THROUGH]:
        (together if in_digest else singles)[address].append(pk)
    addresses = islice(dict.fromkeys((*singles, *together)), count)
    return [pk for address in addresses for pk in (*singles[address][:_MOST_OF_LANE], *together[address])]


def _why_not(delivery: Delivery) -> str:
    """Why it need not be sent any more; empty if it must."""
    address = delivery.address
    if address.stopped_at is not None or not address.user.is_active:
        return "The address was switched off before this was sent."
    if delivery.notice.read_at is not None and not delivery.notice.is_retired:
        return "It was read on the site before this was sent."
    return ""


def _may_go_at(delivery: Delivery, now: datetime) -> datetime:
    """What was planned for an hour that is not quiet can have become due in one that is: it is tried again, its address
    has rested, or nobody has sent anything for a while."""
    user = delivery.address.user
    habits: Habits | None = getattr(user, "notice_habits", None)
    if habits is None:
        return now
    return may_go_at(delivery.notice.event, habits, now, ZoneInfo(user.time_zone), in_digest=delivery.in_digest)


def _put_off(delivery: Delivery, due_at: datetime) -> None:
    Delivery.objects.filter(pk=delivery.pk).update(due_at=due_at, claimed_until=None)


def _drop(delivery: Delivery, why: str) -> None:
    changes = {"status": Delivery.Status.DROPPED, "claimed_until": None, "last_error": why}
    Delivery.objects.filter(pk=delivery.pk).update(**changes)
