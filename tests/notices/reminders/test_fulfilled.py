"""What one was asked for and has done counts as read; what can be done no more is not held out to anybody."""

import pytest

from matches.services import hosting, locking
from notices import inbox
from notices.models import Delivery, Notice
from notices.outbox import store
from notices.reading import READ_BEFORE
from tests.notices.reminders.conftest import HOUR, NEAR, Reminded

pytestmark = pytest.mark.django_db


def unread(table: Reminded, handle: str) -> list[str]:
    return [each.event for each in inbox.unread(table.users[handle])]


def test_a_reminder_is_read_when_one_submits_and_is_not_sent_any_more(table: Reminded) -> None:
    table.let(20 * HOUR)
    assert NEAR in unread(table, "ann")
    assert NEAR in unread(table, "bob")
    table.act("ann", "bid", amount=3)
    table.run()
    assert NEAR not in unread(table, "ann")
    assert NEAR in unread(table, "bob")
    held = Delivery.objects.filter(notice__user=table.users["ann"], notice__event=NEAR)
    assert {each.last_error for each in held} == {READ_BEFORE}


def test_a_decision_is_read_when_it_is_made(table: Reminded) -> None:
    table.act("ann", "bid", amount=3)
    table.let(24 * HOUR)
    assert "decision_asked" in unread(table, "ann")
    table.act("ann", "name_candidate", player="bob")
    table.run()
    assert "decision_asked" not in unread(table, "ann")


def test_what_is_done_before_one_is_told_of_it_is_asked_no_more(table: Reminded) -> None:
    table.act("ann", "bid", amount=3)
    by = table.began + 24 * HOUR
    for each in ("ann", "bob"):
        asked = {"user": table.users[each], "source": "late", "text": "It is your turn.", "by": by}
        store([Notice.of("decision_asked", table.match, **asked)])
    assert "decision_asked" not in unread(table, "ann")
    assert "decision_asked" in unread(table, "bob")


def test_hosts_are_called_no_more_for_what_is_put_right_or_over(table: Reminded) -> None:
    def calls() -> list[str]:
        table.run()
        return [each.event for each in inbox.unread(table.host)]

    def fails() -> None:
        locking.note(table.match_id, "bad day")

    fails()
    assert calls() == ["fault"]
    hosting.clear_fault(table.match, table.host)
    fails()
    assert calls() == ["fault"], "the new one alone"
    hosting.clear_fault(table.match, table.host)
    assert calls() == []
    held = Delivery.objects.filter(notice__user=table.host, notice__event="fault")
    assert {each.last_error for each in held} == {READ_BEFORE}

    fails()
    hosting.clear_fault(table.match, table.host)
    assert calls() == [], "put right before anybody was told"
    fails()
    assert calls() == ["fault"]
    table.match.players.update(user=None)  # nobody else hears of it then
    hosting.cancel(table.match, table.host, "Rain")
    assert calls() == []
