"""Two programs read the same calendar at the same moment."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from feeds import calendars
from feeds.calendars import make_address
from feeds.models import CalendarAddress, CalendarEvent
from matches.models import clock
from matches.services import hosting
from tests.services.conftest import HOUR
from tests.web.conftest import Table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]


def test_each_change_is_noted_once(
    transactional_db: None, present: clock.FixedTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(present).open()
    address = make_address(table.users["ann"])
    gate, coming = threading.Barrier(2, timeout=30), calendars._coming

    def together(*args: object) -> object:
        found = coming(*args)
        gate.wait()
        return found

    def read(_: int) -> list[tuple[str, int]]:
        try:
            with clock.fixed(present.instant):
                found = calendars.events_of(CalendarAddress.objects.select_related("user").get(pk=address.pk))
            return [(event.key, event.sequence) for event in found]
        finally:
            connection.close()

    monkeypatch.setattr(calendars, "_coming", together)
    with ThreadPoolExecutor(2) as threads:
        first = list(threads.map(read, range(2)))
        hosting.extend(table.match, table.users["dora"], HOUR)
        second = list(threads.map(read, range(2)))
    assert first[0] == first[1]
    assert {sequence for _, sequence in first[0]} == {0}
    assert second[0] == second[1]
    assert {sequence for _, sequence in second[0]} == {1}
    assert CalendarEvent.objects.count() == 2
