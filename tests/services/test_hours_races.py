"""Two hosts, or a host and the sweep, at the same moment: a deadline is moved once, a pause ends once."""

from collections import Counter
from datetime import timedelta

import pytest

from matches.models import clock
from matches.services import hosting
from matches.services.replay import verify
from tests.services.conftest import DAY, HOUR, Table, person
from tests.services.racer import Task, race

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]


@pytest.fixture
def hosted() -> Table:
    """A match of two hosts that has just begun."""
    table = Table(clock.FixedTime(clock.now())).open()
    table.match.roles.create(user=person("emil"), role="cohost")
    return table


def by_hosts(table: Table, do: str, **how: str) -> list[Task]:
    return [{"do": do, "match": table.match_id, "user": host.pk, **how} for host in table.match.hosts.all()]


def extended(table: Table) -> Counter[str]:
    until = table.match.next_deadline_at + HOUR
    return sum(race(by_hosts(table, "extend_until", until=until.isoformat())), Counter())


def resumed(table: Table) -> int:
    """A pause whose time has come, two hosts who resume, and two sweeps: how often everybody was told of its end."""
    with clock.fixed(clock.now()) as present:
        hosting.pause(table.match, table.host, until=present.instant + timedelta(milliseconds=1))
    sweeps = [{"do": "sweep_until_open", "match": table.match_id}] * 2
    race([*by_hosts(table, "resume"), *sweeps])
    return table.match.announcements.filter(kind="match_resumed").count()


def test_two_hosts_who_move_a_deadline_to_the_same_time_move_it_once(hosted: Table) -> None:
    before = hosted.match.next_deadline_at
    assert extended(hosted) == {"done": 1, "command_refused": 1}
    assert hosted.match.next_deadline_at == before + HOUR
    assert verify(hosted.match) == []


def test_a_pause_whose_time_has_come_ends_once_whoever_ends_it(hosted: Table) -> None:
    assert resumed(hosted) == 1
    row = hosted.match.log.get(payload__contains='"command":"resume"')
    assert row.actor == "clock", "its time had come: it was not the hosts"
    assert verify(hosted.match) == []
    assert timedelta() < hosted.match.next_deadline_at - clock.now() < DAY
