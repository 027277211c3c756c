"""Rehearsals as they are asked for, kept and let go; everything else about them is in tests/admin and tests/access."""

from collections import Counter

import pytest

from matches.engine import rehearsal
from matches.models import Rehearsal
from matches.services import rehearsals
from matches.services.commands import NotAHost
from matches.services.rehearsals import REST
from tests.engine.tiny_game import TinyGame
from tests.fixtures.rehearsed import rehearse
from tests.services.conftest import DAY, Table
from tests.services.racer import race

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def table(present) -> Table:
    return Table(present)


def ask(table: Table, **how) -> Rehearsal:
    return rehearse(table.match, table.host, table.present.instant + DAY, **how)


def test_who_may_not_and_what_cannot_be_rehearsed(table, monkeypatch):
    with pytest.raises(NotAHost):
        rehearse(table.match, table.users["ann"], table.present.instant)
    assert not Rehearsal.objects.exists()
    with monkeypatch.context() as patched:
        patched.setattr(rehearsals, "_SECONDS_FOR_ONE", -1)
        made = ask(table)
        assert (made.report, made.problem) == (None, rehearsals.TOO_LONG)
        patched.setattr(rehearsals, "_SECONDS_FOR_ONE", 20)
        patched.setattr(TinyGame, "bot_play", lambda *args: 1 / 0)
        table.present.forward(REST)
        assert ask(table).problem == rehearsals.FAILED
    table.present.forward(REST)
    assert ask(table).report is not None, "nobody waits for what has failed"
    assert not rehearsals.play_next()


def test_a_worker_plays_one_at_a_time(present, monkeypatch):
    first, second = Table(present), Table(present)
    one = rehearsals.ask(first.match, first.host, present.instant + DAY)
    two = rehearsals.ask(second.match, second.host, present.instant + DAY)
    seen = []

    def look(*args):
        seen.append(rehearsals.play_next())  # another worker, meanwhile
        one.refresh_from_db()
        seen.append(one.is_waiting)
        return play(*args)

    play = rehearsal.rehearse
    with monkeypatch.context() as patched:
        patched.setattr(rehearsal, "rehearse", look)
        assert rehearsals.play_next()
    assert set(seen[::2]) == {False}
    assert set(seen[1::2]) == {True}
    one.refresh_from_db()
    assert (one.is_waiting, one.report is not None) == (False, True)
    assert rehearsals.play_next()
    two.refresh_from_db()
    assert two.report is not None


def test_a_worker_that_is_stopped_leaves_it_to_another_and_one_that_died_is_named(table, monkeypatch):
    made = rehearsals.ask(table.match, table.host, table.present.instant + DAY)
    with monkeypatch.context() as patched:
        patched.setattr(rehearsals, "report_of", lambda *args: exit())
        with pytest.raises(SystemExit):
            rehearsals.play_next()
    made.refresh_from_db()
    assert (made.begun_at, made.is_waiting) == (None, True)

    Rehearsal.objects.update(begun_at=table.present.instant)  # killed at once
    assert not rehearsals.play_next()
    table.present.forward(rehearsals.GIVEN_UP_AFTER)
    assert not rehearsals.play_next()
    made.refresh_from_db()
    assert made.problem == rehearsals.BROKEN_OFF


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("unlocked", [False, True], ids=["", "control: without the lock"])
def test_of_two_hosts_at_once_one_is_asked_to_wait(present, unlocked):
    table, other = Table(present), Table(present)
    table.match.roles.create(user=other.host, role="cohost")
    tasks = [
        {"do": "rehearse", "match": table.match_id, "user": user.pk, "unlocked": unlocked}
        for user in (table.host, other.host)
    ]
    outcomes = sum(race(tasks), Counter())
    if unlocked:
        assert not outcomes["command_refused"], "nobody is asked politely"
    else:
        assert outcomes == {"done": 1, "command_refused": 1}
        assert Rehearsal.objects.count() == 1
