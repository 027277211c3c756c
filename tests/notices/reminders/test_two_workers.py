"""Two workers look at the same reminders at the same moment."""

import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import pytest
from django.db import connection

from matches.models import clock
from notices import reminding
from notices.models import Notice, Reminder
from tests.notices.reminders.conftest import HOUR, Reminded

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]

WORKERS = 2


@pytest.fixture
def due(transactional_db: None, present: clock.FixedTime) -> Reminded:
    """Three players in each of four matches, all of whom are to be reminded now; then a host at half-time, too."""
    tables = [Reminded(present, f"ann{number} bob{number} cat{number}").open() for number in range(4)]
    tables[0].run()
    present.forward(19.2 * HOUR)
    return tables[0]


@pytest.fixture
def _both_have_read(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Neither stores anything before the other one has judged, too."""
    gate, take = threading.Barrier(WORKERS, timeout=30), reminding._take

    def together(*args: object) -> None:
        gate.wait()
        take(*args)

    monkeypatch.setattr(reminding, "_take", together)
    yield
    gate.abort()


def both_remind(now: datetime) -> None:
    def worker(_: int) -> None:
        try:
            with clock.fixed(now):
                reminding.remind()
        finally:
            connection.close()

    with ThreadPoolExecutor(WORKERS) as threads:
        list(threads.map(worker, range(WORKERS)))


def told() -> Counter[tuple[int, int | None, str]]:
    return Counter(Notice.objects.exclude(event="opened").values_list("user_id", "match_id", "event"))


@pytest.mark.usefixtures("_both_have_read")
def test_each_player_is_reminded_once(due: Reminded) -> None:
    both_remind(due.present.instant)
    assert set(told().values()) == {1}
    assert Counter(event for _, _, event in told()) == {"deadline_near": 12, "nobody_submitted": 4}
    assert set(Reminder.objects.exclude(reminded_at=None).values_list("times", flat=True)) == {1}
