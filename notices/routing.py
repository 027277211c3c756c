"""Decides to which addresses a notice goes, and when: the only module that applies people's choices."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from allauth.account.models import EmailAddress

from matches.services.storage import many
from notices import events
from notices.models import Address, Choice, Delivery, Habits, Mute, Notice

OLD = timedelta(days=1)
"""Nothing older is sent, such as after the site was down, or when a demo invents its past."""

HERE = timedelta(minutes=1)
"""How long after touching a page somebody counts as being there."""


def plan(notices: Sequence[Notice], now: datetime) -> None:
    """Store the deliveries of new notices, inside the caller's transaction."""
    fresh = [notice for notice in notices if notice.at > now - OLD and notice.read_at is None]
    if not fresh:
        return
    choices = _Choices({notice.user_id for notice in fresh}, now)
    found = [delivery for notice in fresh for delivery in choices.deliveries(notice)]
    many.insert(Delivery, found)


def on_new_mailbox(user: Any = None, email_address: Any = None, **_: Any) -> None:
    """Receive allauth's `email_confirmed` and `email_changed`: failures of an old mailbox say nothing of a new one."""
    if email_address is None or email_address.primary:
        of_mail = Address.objects.filter(user=user or email_address.user, channel=Address.Channel.EMAIL)
        of_mail.update(**Address.AS_NEW)


class _Choices:
    """The choices of some people, read with a few queries for all of them."""

    def __init__(self, users: set[int], now: datetime) -> None:
        self._now = now
        self._habits = {each.user_id: each for each in Habits.objects.filter(user__in=users)}
        self._chosen: defaultdict[int, dict[tuple[str, str], bool]] = defaultdict(dict)
        for choice in Choice.objects.filter(user__in=users):
            self._chosen[choice.user_id][choice.event, choice.channel] = choice.on
        self._muted = set(Mute.objects.filter(user__in=users).values_list("user_id", "match_id"))
        make_email_addresses(users, now)
        self._addresses: defaultdict[int | None, list[Address]] = defaultdict(list)
        for address in Address.objects.filter(user__in=users, stopped_at=None).select_related("user"):
            self._addresses[address.user_id].append(address)

    def deliveries(self, notice: Notice) -> list[Delivery]:
        """Return the deliveries of one notice."""
        if (notice.user_id, notice.match_id) in self._muted:
            return []
        habits = self._habits.get(notice.user_id) or Habits(user_id=notice.user_id)
        if not habits.also_when_here and habits.here_at and habits.here_at > self._now - HERE:
            return []
        event = events.EVENTS[notice.event]
        return [
            self._delivery(notice, event, habits, address)
            for address in self._addresses[notice.user_id]
            if self._chosen[notice.user_id].get((event.key, address.channel), address.channel in event.by_default)
        ]

    def _delivery(self, notice: Notice, event: events.Event, habits: Habits, address: Address) -> Delivery:
        zone = ZoneInfo(address.user.time_zone)
        in_digest = habits.digest and not event.urgent and address.channel == Address.Channel.EMAIL
        if in_digest:
            due = next_time(habits.digest_at, self._now, zone)
        else:
            due = may_go_at(notice.event, habits, self._now, zone)
        return Delivery(notice=notice, address=address, due_at=due, in_digest=in_digest)


def make_email_addresses(users: set[int], now: datetime) -> None:
    """Create the mail address row of each person with a confirmed address who has none yet."""
    confirmed = set(EmailAddress.objects.filter(user__in=users, verified=True).values_list("user_id", flat=True))
    known = Address.objects.filter(user__in=confirmed, channel=Address.Channel.EMAIL)
    missing = confirmed - set(known.values_list("user_id", flat=True))
    new = [Address(user_id=pk, channel=Address.Channel.EMAIL, created_at=now) for pk in sorted(missing)]
    many.insert(Address, new, update_by=("user_id", "channel", "target"))  # another process may have just created it


def next_time(at: time, now: datetime, zone: ZoneInfo) -> datetime:
    """Return the next instant at which clocks in `zone` show `at`."""
    local = now.astimezone(zone)
    found = local.replace(hour=at.hour, minute=at.minute, second=0, microsecond=0)
    return found if found > local else (found + timedelta(days=1))


def may_go_at(event: str, habits: Habits, now: datetime, zone: ZoneInfo, *, in_digest: bool = False) -> datetime:
    """Return when this may be sent: `now`, or when the quiet hours end. Urgent events may come within them if the
    person has chosen so, and so may a digest whose own hour is within them."""
    if in_digest and _is_quiet(habits, habits.digest_at):
        return now
    is_urgent = event in events.EVENTS and events.EVENTS[event].urgent
    return now if is_urgent and habits.urgent_at_night else end_of_quiet(habits, now, zone)


def when_due(delivery: Delivery, now: datetime) -> datetime:
    """Return when a delivery that is due may be sent. One planned for a time outside quiet hours can become due within
    them, after a retry or a rest, or because no process was sending."""
    user, notice = delivery.address.user, delivery.notice
    habits: Habits | None = getattr(user, "notice_habits", None)
    if user is None or notice is None or habits is None:
        return now
    return may_go_at(notice.event, habits, now, ZoneInfo(user.time_zone), in_digest=delivery.in_digest)


def end_of_quiet(habits: Habits, now: datetime, zone: ZoneInfo) -> datetime:
    """Return the end of the quiet hours around `now`, or `now` outside of them."""
    end = habits.quiet_to
    return next_time(end, now, zone) if end is not None and _is_quiet(habits, now.astimezone(zone).time()) else now


def _is_quiet(habits: Habits, at: time) -> bool:
    start, end = habits.quiet_from, habits.quiet_to
    if start is None or end is None:
        return False
    return start <= at < end if start <= end else at >= start or at < end
