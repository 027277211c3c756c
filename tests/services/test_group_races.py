"""Group writers of several processes, and everybody else who writes, at one match."""

import os
from collections import Counter
from datetime import timedelta

import pytest

from matches.models import Match, Submission, clock
from matches.services.locking import locked_match
from matches.services.replay import verify
from matches.services.scenario_runner import note_by_hand
from tests.services.conftest import HOUR, Table
from tests.services.racer import Task, race

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]

TIMES, AFFORDABLE = 20, 50


@pytest.fixture
def purse() -> Table:
    """ann can afford exactly so many chips."""
    return Table(clock.FixedTime(clock.now()), garnets=AFFORDABLE, chip_price=1).open()


def buying(table: Table, **how: object) -> Task:
    action = {"type": "buy_chips", "count": 1}
    return {"do": "act", "match": table.match_id, "user": table.users["ann"].pk, "action": action, **how}


def spend(table: Table, **how: object) -> Counter[str]:
    """Two processes with group writers, and two that act one by one."""
    grouped = buying(table, times=TIMES, threads=6, **how)
    return sum(race([grouped, grouped, *[buying(table, times=TIMES, **how)] * 2]), Counter())


def test_group_writers_and_others_spend_from_one_purse_exactly_as_often_as_it_affords(purse):
    assert spend(purse) == {"accepted": AFFORDABLE, "not_enough_garnets": 4 * TIMES - AFFORDABLE}
    assert (purse.holding("ann", "garnet"), purse.holding("ann", "chip")) == (0, 10 + AFFORDABLE)
    assert verify(purse.match) == []


def test_group_writers_of_three_processes_take_turns_at_three_matches():
    tables = [Table(clock.FixedTime(clock.now()), garnets=500, chip_price=1).open() for _ in range(3)]
    among = [{"match": table.match_id, "user": table.users["ann"].pk} for table in tables]
    found = race([buying(tables[0], times=30, threads=6, among=among)] * 3)
    assert sum(found, Counter()) == {"accepted": 3 * 30}
    for table in tables:
        assert table.match.log.filter(kind="action").count() == 30
        assert verify(table.match) == []


def test_one_key_from_two_processes_has_one_effect(purse):
    outcomes = race([buying(purse, times=20, threads=6, key="double click")] * 2)
    assert sum(outcomes, Counter()) == {"accepted": 40}
    assert Submission.objects.filter(match=purse.match, kind="action").count() == 1


@pytest.mark.parametrize("race_number", range(int(os.environ.get("RACES", "1"))))
def test_bids_in_the_last_moments_are_in_time_or_late_and_never_both(race_number):
    """Four bidders, two of them by the group writer, and a sweep run into the close; the log's order and times tell
    one story. RACES: how often, for the night."""
    seconds = 1.5  # so many that on a machine that is busy with other tests, too, some bids are in time
    span = timedelta(seconds=seconds)
    table = Table(clock.FixedTime(clock.now()), closes=seconds, decision_time=0).open()
    bids = [
        {
            "do": "until_over",
            "match": table.match_id,
            "user": table.users[handle].pk,
            "action": {"type": "bid", "amount": amount},
            "threads": amount % 2,
        }
        for amount, handle in enumerate(("ann", "bob", "cat", "ann"), start=1)
    ]
    # The clock stands until all are running.
    with locked_match(table.match_id) as writer:
        note_by_hand(writer)
        writer.save()
    Match.objects.filter(pk=table.match_id).update(anchor_at=clock.now() + HOUR, next_deadline_at=None)
    start = {"do": "start", "match": table.match_id, "seconds": 0.1, "closes": seconds}
    race([*bids, {"do": "sweep", "matches": [table.match_id]}, start])
    rows = list(table.match.log.exclude(kind="command").values_list("kind", "accepted", "match_time", "code"))
    close = next(number for number, row in enumerate(rows) if row[0] == "deadline")
    assert any(row[1] for row in rows[:close])
    assert all(row[2] < span for row in rows[:close])
    assert all(row[0] == "action" and not row[1] and row[2] >= span for row in rows[close + 1 :])
    assert {row[3] for row in rows[close + 1 :]} <= {"wrong_phase"}  # none where that was the end
    assert verify(table.match) == []
