"""A table whose calendar is read with icalendar, as calendar programs do."""

from typing import Any

import pytest
from django.test import Client
from icalendar import Calendar, Event

from matches.infra.rate_limits import Buckets
from notices import feeds
from notices.calendars import make_address
from notices.models import CalendarAddress
from tests.web.conftest import Table, auction, table

__all__ = ["auction", "table"]


@pytest.fixture(autouse=True)
def _no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lift rate limits, because tests read faster than any program; the tests of limits set their own."""
    for name in ("READS", "GUESSES", "FEED_READS"):
        monkeypatch.setattr(feeds, name, Buckets(0, 0))


class Subscribed:
    """A calendar program that subscribes to one URL."""

    def __init__(self, table: Table, who: str) -> None:
        self.address: CalendarAddress = make_address(table.users[who])

    @property
    def url(self) -> str:
        return f"/calendar/{self.address.secret}.ics"

    def get(self, **how: Any) -> Any:
        return Client().get(self.url, **how)

    def read(self) -> list[Event]:
        """Return the events as parsed; each UID must be there once."""
        response = self.get()
        assert response.status_code == 200
        events = list(Calendar.from_ical(response.content).walk("VEVENT"))
        uids = [event["uid"] for event in events]
        assert len(set(uids)) == len(uids)
        return events

    def one(self) -> Event:
        (event,) = self.read()
        return event


@pytest.fixture
def ann_s(table: Table) -> Subscribed:
    """A subscription to all of ann's matches."""
    return Subscribed(table, "ann")
