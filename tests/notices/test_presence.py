"""Whoever is at a page sees notices there, and is not told elsewhere."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from matches.services import hosting
from notices.models import Delivery, Habits, Notice
from notices.services import presence
from notices.services.passing_on import pass_on
from tests.notices.conftest import Reached

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)


@pytest.fixture(autouse=True)
def _nobody_was_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "_seen", {})


def browser(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def sent_to(reached: Reached, name: str) -> int:
    pass_on()
    assert Notice.objects.filter(user=reached.users[name]).exists()
    return Delivery.objects.filter(notice__user=reached.users[name]).count()


@pytest.mark.parametrize(("later", "sent"), [(0, 0), (59, 0), (60, 1), (3600, 1)])
def test_nothing_is_sent_within_a_minute_after_a_page_was_touched(reached: Reached, present, later, sent) -> None:
    assert browser(reached.users["ann"]).post("/notices/here/").status_code == 204
    present.instant += later * SECOND
    reached.open()
    assert sent_to(reached, "ann") == sent
    assert sent_to(reached, "bob") == 1


def test_some_want_to_be_told_elsewhere_all_the_same(reached: Reached) -> None:
    browser(reached.users["ann"]).post("/notices/here/")
    Habits.objects.filter(user=reached.users["ann"]).update(also_when_here=True)
    reached.open()
    assert sent_to(reached, "ann") == 1


def test_ten_tabs_and_two_sessions_are_stored_once_in_twenty_seconds(reached: Reached, present) -> None:
    ann = reached.users["ann"]
    sessions = [browser(ann), browser(ann)]
    begin = present.instant
    stored = set()
    for second in range(0, 60, 2):
        present.instant = begin + second * SECOND
        for tab in range(10):
            sessions[tab % 2].post("/notices/here/")
        stored.add(Habits.objects.get(user=ann).here_at)
    assert sorted((at - begin).total_seconds() for at in stored) == [0, 20, 40]


def test_a_touch_that_is_stored_already_asks_the_database_nothing(reached: Reached) -> None:
    ann = reached.users["ann"]
    assert presence.touch(ann)
    with CaptureQueriesContext(connection) as queries:
        assert not presence.touch(ann)
    assert len(queries) == 0


def test_another_process_that_knows_nothing_of_it_writes_nothing_new(reached: Reached, present) -> None:
    ann, first = reached.users["ann"], present.instant
    presence.touch(ann)
    presence._seen.clear()
    present.instant += 5 * SECOND
    assert not presence.touch(ann)
    assert Habits.objects.get(user=ann).here_at == first


def test_a_touch_keeps_what_was_chosen(reached: Reached) -> None:
    ann = reached.users["ann"]
    Habits.objects.create(user=ann, digest=False, sound=True)
    assert presence.touch(ann)
    habits = Habits.objects.get(user=ann)
    assert (habits.digest, habits.sound) == (False, True)


def test_strangers_are_nowhere(db) -> None:
    assert Client().post("/notices/here/").status_code == 302
    assert not Habits.objects.exists()


def test_a_foreign_site_cannot_say_that_somebody_is_here(reached: Reached) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(reached.users["ann"])
    assert client.post("/notices/here/").status_code == 403
    assert not Habits.objects.exists()


def test_the_site_has_the_notice_of_whoever_is_here(reached: Reached) -> None:
    reached.open()
    pass_on()
    browser(reached.users["ann"]).post("/notices/here/")
    hosting.pause(reached.match, reached.host, "Lunch")
    pass_on()
    assert Notice.objects.filter(user=reached.users["ann"], event="paused", read_at=None).count() == 1
    assert not Delivery.objects.filter(notice__event="paused", notice__user=reached.users["ann"]).exists()
