"""Being told again later, on the site and by a signed link, and choosing one's own spacings."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client

from matches.services import hosting
from notices.deliveries import send_due
from notices.models import Habits, Reminder
from notices.reminder_times import again_link, tell_again
from tests.notices.reminders.conftest import HOUR, Reminded
from tests.web.conftest import browser

pytestmark = pytest.mark.django_db
PAGE = "/profile/notices/reminders/"


@pytest.fixture
def reminded(table: Reminded) -> Reminded:
    """ann was reminded at 19.2 h."""
    return table.let(19.5 * HOUR)


def test_who_asks_for_it_is_told_again_in_two_hours_and_others_are_not(reminded: Reminded) -> None:
    assert tell_again(reminded.users["ann"], reminded.match) == reminded.began + 21.5 * HOUR
    reminded.let(4 * HOUR)
    assert (reminded.reminded("ann"), reminded.reminded("bob")) == ([19.2, 21.5, 23], [19.2, 23])


def test_who_has_sent_something_by_then_is_not(reminded: Reminded) -> None:
    tell_again(reminded.users["ann"], reminded.match)
    reminded.act("ann", "bid", amount=3)
    reminded.let(4 * HOUR)
    assert reminded.reminded("ann") == [19.2]


def test_who_asked_is_told_also_if_the_match_was_paused_at_that_time(reminded: Reminded) -> None:
    reminded.let(4 * HOUR)
    tell_again(reminded.users["ann"], reminded.match)  # 15 minutes before the deadline
    reminded.let(HOUR / 5)
    hosting.pause(reminded.match, reminded.host)
    reminded.let(HOUR / 12)
    hosting.resume(reminded.match, reminded.host)
    reminded.let(HOUR / 2)
    assert len(reminded.reminded("ann")) == 3


# -- on the site -------------------------------------------------------------------------------------


# -- by mail -----------------------------------------------------------------------------------------


def test_the_mail_has_a_link_that_asks_before_it_does_anything(reminded: Reminded) -> None:
    send_due()
    sent = next(each for each in mail.outbox if "deadline is near" in each.subject and "ann" in each.to[0])
    found = re.search(r"Remind me again in 2 hours: http://127.0.0.1:8000(\S+)", str(sent.body))
    assert found
    assert found[1] in str(sent.alternatives[0][0])
    visitor = Client(enforce_csrf_checks=True)
    page = visitor.get(found[1])
    assert page["Referrer-Policy"] == "no-referrer"
    assert not Reminder.objects.exclude(user=None).exists()
    # As browsers post from a page with that policy.
    answer = visitor.post(found[1], headers={"Origin": "null"}).content.decode()
    assert "We will remind you again" in answer
    assert Reminder.objects.get(user=reminded.users["ann"]).due_at == reminded.began + 21.5 * HOUR


def test_a_forged_or_old_link_is_refused(reminded: Reminded, present, settings) -> None:
    ann = reminded.users["ann"]
    good = again_link(ann.pk, reminded.match.public_id)
    other = again_link(reminded.users["bob"].pk, reminded.match.public_id)
    for forged in (good[:-1], f"{good}x", good.replace(str(ann.pk), "999", 1), "x", "a" * 5000, f"{other}{good}"):
        assert Client().post(f"/notices/again/{forged}/").status_code == 404
    import time_machine

    with time_machine.travel(timedelta(days=40)):
        answer = Client().get(f"/notices/again/{good}/")
    assert answer.status_code == 410
    assert "more than a month old" in answer.content.decode()
    assert not Reminder.objects.exclude(user=None).exists()


# -- one's own spacings ------------------------------------------------------------------------------


def test_new_spacings_count_at_once_in_running_matches(table: Reminded) -> None:
    ann = browser(table.users["ann"])
    assert re.search(r'value="0.8"[^>]*checked', ann.look(PAGE))
    assert ann.post(PAGE, {"spacing": ["0.5", "900"]}).status_code == 302
    assert Habits.objects.get(user=table.users["ann"]).spacing == [0.5, 900]
    table.let(30 * HOUR)
    assert (table.reminded("ann"), table.reminded("bob")) == ([12, 23.75], [19.2, 23])


def test_it_is_silent_while_the_match_is_paused(reminded: Reminded) -> None:
    tell_again(reminded.users["ann"], reminded.match)
    hosting.pause(reminded.match, reminded.host)
    reminded.let(10 * HOUR)
    assert reminded.reminded("ann") == [19.2]
    hosting.resume(reminded.match, reminded.host)
    reminded.let(HOUR)
    assert len(reminded.reminded("ann")) == 2
