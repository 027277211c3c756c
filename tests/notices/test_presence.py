"""Whoever is at a page sees notices there, and is not told elsewhere."""

from datetime import timedelta

import pytest
from django.test import Client

from notices import preferences
from notices.models import Delivery, Habits, Notice
from notices.outbox import pass_on
from tests.notices.conftest import Reached

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)


@pytest.fixture(autouse=True)
def _nobody_was_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preferences, "_seen", {})


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
