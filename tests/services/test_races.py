"""Many at once: processes spending from one purse, sweeping twice. `test_group_races` has those who bid against the
close."""

import json
import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from matches.models import Match, Submission, clock
from matches.services import hosting, joining
from matches.services.errors import CommandRefused, Refused
from matches.services.replay import verify
from matches.services.storage import log
from tests.services.conftest import HOUR, Table, person
from tests.services.racer import race

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]

PROCESSES, TIMES = 8, int(os.environ.get("PURCHASES", "12"))
"""PURCHASES: of each process, 500 for the night."""
AFFORDABLE = PROCESSES * TIMES - 56  # many more refusals than that are a limit of their own


@pytest.fixture
def purse() -> Table:
    """ann can afford exactly so many chips."""
    return Table(clock.FixedTime(clock.now()), garnets=AFFORDABLE, chip_price=1).open()


def spend(table: Table, **how: bool) -> Counter[str]:
    task = {
        "do": "act",
        "match": table.match_id,
        "user": table.users["ann"].pk,
        "action": {"type": "buy_chips", "count": 1},
        "times": TIMES,
    }
    return sum(race([{**task, **how}] * PROCESSES), Counter())


def test_eight_processes_spending_from_one_purse_succeed_exactly_as_often_as_it_affords(purse):
    assert spend(purse) == {"accepted": AFFORDABLE, "not_enough_garnets": PROCESSES * TIMES - AFFORDABLE}
    assert (purse.holding("ann", "garnet"), purse.holding("ann", "chip")) == (0, 10 + AFFORDABLE)
    assert verify(purse.match) == []


def test_two_sweeps_pass_every_deadline_once():
    tables = [Table(clock.FixedTime(clock.now()), closes=0.001, decision_time=0).open() for _ in range(15)]
    ids = [table.match_id for table in tables]
    race([{"do": "sweep", "matches": ids}] * 2)
    for table in tables:
        assert table.match.log.filter(kind="deadline").count() == 1
        assert verify(table.match) == []


def at_once(count: int, work) -> list:
    """Call `work(number)` from so many threads at the same moment; results or refusals."""
    barrier = Barrier(count)

    def run(number: int):
        barrier.wait()
        try:
            return work(number)
        except Refused as refused:
            return refused
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def test_twenty_equal_requests_under_one_key_have_one_effect_and_twenty_equal_answers(purse):
    answers = at_once(20, lambda _: purse.act("ann", "buy_chips", key="double click", count=7))
    assert all(answer.accepted for answer in answers)
    assert {str(answer.receipt) for answer in answers} == {str(answers[0].receipt)}
    assert purse.holding("ann", "garnet") == AFFORDABLE - 7
    assert Submission.objects.filter(match=purse.match, kind="action").count() == 1


def test_the_last_place_goes_to_one_of_those_who_want_it():
    table = Table(clock.FixedTime(clock.now()))
    Match.objects.filter(pk=table.match_id).update(joining="open", places=4)
    hosting.publish(table.match, table.host, clock.now() + HOUR)
    people = [person(f"guest{number}") for number in range(6)]
    found = at_once(6, lambda number: joining.join(table.match, people[number]))
    assert sum(not isinstance(one, Refused) for one in found) == 1
    assert table.match.players.count() == 4
    assert table.match.log.filter(payload__startswith='{"command":"join",').count() == 1
    assert log.broken_at(table.match) is None


def come_and_go(**how: bool) -> tuple[Table, Counter[str]]:
    """Four people join and leave, again and again, while the start of their match comes; bots take what is open."""
    table = Table(clock.FixedTime(clock.now()), "ann")
    Match.objects.filter(pk=table.match_id).update(joining="open", places=4)
    hosting.publish(table.match, table.host, clock.now() + HOUR, "bots")
    people = [person(f"guest{number}") for number in range(4)]
    guests = [{"do": "come_and_go", "match": table.match_id, "user": each.pk, **how} for each in people]
    begin = {"do": "begin", "match": table.match_id, "rows": 12}
    return table, sum(race([*guests, begin]), Counter())


def who_plays_by_the_log(table: Table) -> set[str]:
    """Those who were there at first, and who came and did not go, as the log has it."""
    handles = {"ann"}
    for row in map(json.loads, table.match.log.order_by("number").values_list("payload", flat=True)):
        if row.get("command") == "join":
            handles.add(row["player"])
        elif row.get("command") == "leave":
            handles.remove(row["player"])
        elif row.get("command") == "open_places":
            handles |= set(row["handles"])
    return handles


def test_who_joins_and_leaves_up_to_the_start_plays_as_the_log_says():
    table, outcomes = come_and_go()
    assert table.match.status == "open"
    assert set(outcomes) <= {"join", "leave", "command_refused", "too_often"}
    assert outcomes["join"] > 4
    assert set(table.state.core.handles) == {player.handle for player in table.match.players.all()}
    assert set(table.state.core.handles) == who_plays_by_the_log(table)
    assert len(table.state.core.handles) == 4
    assert verify(table.match) == []


@pytest.mark.services
def test_control_without_the_lock_joining_fails_or_the_log_tells_another_story():
    table, outcomes = come_and_go(unlocked=True)
    assert set(outcomes) - {"join", "leave", "command_refused", "too_often"} or log.broken_at(table.match) is not None


def test_one_person_who_clicks_six_times_has_one_place():
    table = Table(clock.FixedTime(clock.now()))
    Match.objects.filter(pk=table.match_id).update(joining="open", places=8)
    hosting.publish(table.match, table.host, clock.now() + HOUR)
    guest = person("guest")
    found = at_once(6, lambda _: joining.join(table.match, guest))
    assert len({player.pk for player in found}) == 1


def test_an_invitation_is_taken_by_one():
    table = Table(clock.FixedTime(clock.now()))
    link = joining.invitation_of(joining.add_player(table.match, "eve"))
    people = [person(f"guest{number}") for number in range(6)]
    found = at_once(6, lambda number: joining.claim(link, people[number]))
    assert sum(not isinstance(one, CommandRefused) for one in found) == 1


def test_two_clicks_on_extend_extend_once(purse):
    due = purse.match.next_deadline_at
    at_once(4, lambda _: hosting.extend(purse.match, purse.host, HOUR, key="one form"))
    assert purse.match.next_deadline_at == due + HOUR
