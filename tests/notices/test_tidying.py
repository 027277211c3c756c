"""Old notices and deliveries are deleted, and nobody keeps more than their share."""

from datetime import datetime, timedelta

import pytest

from notices.models import Address, Delivery, Notice
from notices.retention import tidy
from tests.services.conftest import person

pytestmark = [pytest.mark.django_db]
DAY = timedelta(days=1)


def notice(user, at: datetime, *, read: bool = False, status: str = "") -> Notice:
    found = Notice.objects.create(
        user=user,
        source=f"x:{Notice.objects.count()}",
        event="won",
        title="x",
        text="y",
        url="/",
        at=at,
        read_at=at if read else None,
    )
    if status:
        address, _ = Address.objects.get_or_create(user=user, channel="email", defaults={"created_at": at})
        Delivery.objects.create(notice=found, address=address, due_at=at, status=status)
    return found


def test_what_was_read_goes_after_a_month_and_what_was_not_after_half_a_year(present) -> None:
    ann, now = person("ann"), present.instant
    ages = {
        days: [notice(ann, now - days * DAY, read=read) for read in (True, False)] for days in (1, 29, 31, 179, 181)
    }
    tidy(now)
    left = set(Notice.objects.all())
    assert {days: [each in left for each in both] for days, both in ages.items()} == {
        1: [True, True],
        29: [True, True],
        31: [False, True],
        179: [False, True],
        181: [False, False],
    }
