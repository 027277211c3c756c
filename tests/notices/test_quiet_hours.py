"""Quiet hours and the digest's hour are times of day in one's own zone, also on days when clocks change; and nothing
comes in quiet hours that was planned before them."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from allauth.account.models import EmailAddress

from matches.models import clock
from notices import deliveries
from notices.deliveries import PAUSES
from notices.models import Delivery, Habits, Notice
from notices.routing import end_of_quiet, next_time, plan
from tests.fixtures.mail_server import MailServer
from tests.services.conftest import person

BERLIN = ZoneInfo("Europe/Berlin")  # forward on 29 March 2026 at 02:00, back on 25 October 2026 at 03:00


def utc(month: int, day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "due"),
    [
        (utc(3, 27, 8, 30), utc(3, 28, 8)),  # 09:00 has passed: tomorrow's, still in winter time
        (utc(3, 28, 8, 30), utc(3, 29, 7)),  # tomorrow's is in summer time
        (utc(3, 29, 6, 59), utc(3, 29, 7)),
        (utc(10, 24, 7, 30), utc(10, 25, 8)),
        (utc(10, 25, 7, 30), utc(10, 25, 8)),
    ],
)
def test_the_digest_comes_at_nine_by_the_clock_on_the_wall(now: datetime, due: datetime) -> None:
    assert next_time(time(9), now, BERLIN) == due


@pytest.mark.parametrize(
    ("start", "end", "now", "due"),
    [
        (22, 7, utc(3, 28, 20, 59), utc(3, 28, 20, 59)),
        (22, 7, utc(3, 28, 21), utc(3, 29, 5)),  # a short night
        (22, 7, utc(3, 29, 4, 59), utc(3, 29, 5)),
        (22, 7, utc(3, 29, 5), utc(3, 29, 5)),
        (22, 7, utc(10, 24, 20), utc(10, 25, 6)),  # a long one
        (22, 7, utc(10, 25, 5, 30), utc(10, 25, 6)),
        (1, 3, utc(3, 29, 0, 30), utc(3, 29, 1)),  # 03:00 comes right after 01:59
        (1, 3, utc(10, 25, 0, 30), utc(10, 25, 2)),  # 02:30 comes twice
        (1, 3, utc(10, 25, 1, 30), utc(10, 25, 2)),
        (9, 9, utc(10, 25, 9), utc(10, 25, 9)),
    ],
)
def test_quiet_hours_last_until_their_end_by_the_clock_on_the_wall(
    start: int, end: int, now: datetime, due: datetime
) -> None:
    habits = Habits(quiet_from=time(start), quiet_to=time(end))
    assert end_of_quiet(habits, now, BERLIN) == due


# -- what was planned for an hour that is not quiet ----------------------------------------------------

MORNING = utc(3, 28, 6)  # seven o'clock in Berlin


def tell(event: str, present: clock.FixedTime, at: datetime, **habits: object) -> None:
    """Tell somebody something at this moment whose quiet hours are from 22 to 7."""
    present.instant = at
    ann = person("ann", time_zone="Europe/Berlin")
    EmailAddress.objects.create(user=ann, email=ann.email, verified=True, primary=True)
    Habits.objects.create(user=ann, quiet_from=time(22), quiet_to=time(7), **habits)
    notice = Notice.objects.create(user=ann, source="test", event=event, title="A match", text="", url="/", at=at)
    plan([notice], at)


@pytest.mark.django_db
@pytest.mark.parametrize("at_night", [False, True])
def test_another_try_waits_until_they_end_unless_it_may_come_then(
    mail_server: MailServer, present: clock.FixedTime, at_night: bool
) -> None:
    tell("outbid", present, utc(3, 27, 20, 59) + timedelta(seconds=55), urgent_at_night=at_night)
    mail_server.to_address.append("450 4.2.0 Greylisted, come back later")
    assert deliveries.send_due() == 1
    present.forward(PAUSES[0])
    assert deliveries.send_due() == at_night
    if not at_night:
        assert Delivery.objects.get().due_at == MORNING
        present.instant = MORNING
        assert deliveries.send_due() == 1
    assert len(mail_server.taken) == 1
    assert Delivery.objects.get().status == "sent"
