"""Being told again later, on the site and by a signed link, and choosing one's own spacings."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.messages import get_messages
from django.core import mail
from django.test import Client

from matches.models import clock
from matches.services import hosting
from notices.models import Habits, Notice, Reminder
from notices.reminders.again import CannotTellAgain, link, offer, tell_again
from notices.services.passing_on import pass_on
from notices.services.sending import send_due
from tests.notices.reminders.conftest import HOUR, MINUTE, Reminded
from tests.web.conftest import Table as Pages
from tests.web.conftest import browser

pytestmark = pytest.mark.django_db
PAGE = "/profile/notices/reminders/"
FIFTEEN = "15 minutes before the deadline"


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


def test_twice_is_once_and_later_it_can_be_asked_for_anew(reminded: Reminded) -> None:
    tell_again(reminded.users["ann"], reminded.match)
    reminded.let(MINUTE)
    tell_again(reminded.users["ann"], reminded.match)
    reminded.let(2.5 * HOUR)
    assert len(reminded.reminded("ann")) == 2
    tell_again(reminded.users["ann"], reminded.match)
    reminded.let(4 * HOUR)
    assert reminded.reminded("ann")[2:] == [23, 23.75], "the deadline comes before two hours have passed"


def test_it_is_silent_while_the_match_is_paused(reminded: Reminded) -> None:
    tell_again(reminded.users["ann"], reminded.match)
    hosting.pause(reminded.match, reminded.host)
    reminded.let(10 * HOUR)
    assert reminded.reminded("ann") == [19.2]
    hosting.resume(reminded.match, reminded.host)
    reminded.let(HOUR)
    assert len(reminded.reminded("ann")) == 2


@pytest.mark.parametrize(("after", "code"), [(4.45 * HOUR, "too_near"), (6 * HOUR, "nothing_asked")])
def test_there_must_be_something_to_be_told_of(reminded: Reminded, after: timedelta, code: str) -> None:
    reminded.let(after)
    with pytest.raises(CannotTellAgain) as refused:
        tell_again(reminded.users["ann"], reminded.match)
    assert refused.value.code == code
    answer = browser(reminded.users["ann"]).post(f"{reminded.match.get_absolute_url()}again/")
    assert [str(each) for each in get_messages(answer.wsgi_request)] == [refused.value.message]


def test_who_has_submitted_or_does_not_play_has_nothing_to_be_told_of(reminded: Reminded) -> None:
    reminded.act("ann", "bid", amount=3)
    for user in (reminded.users["ann"], reminded.host):
        with pytest.raises(CannotTellAgain):
            tell_again(user, reminded.match)


# -- on the site -------------------------------------------------------------------------------------


def test_the_match_page_says_when_and_has_the_button(present: clock.FixedTime) -> None:
    table = Pages(present).open()
    pass_on()
    ann = browser(table.users["ann"])
    panel = ann.look(table.url).partition('id="reminders"')[2]
    times = re.findall(r'<time class="instant" datetime="2026-03-0(\S{9})', panel)
    assert times[:2] == ["2T08:24:0", "2T12:00:0"]
    assert f'href="{table.url}again/"' in panel
    assert "one more reminder on Sun 1 Mar 2026, 16:00 UTC" in ann.look(f"{table.url}again/")
    shown = ann.post(f"{table.url}again/", follow=True).content.decode()
    assert "You will be told again on Sun 1 Mar 2026, 16:00 UTC" in shown
    assert "2026-03-01T16:00" in shown.partition('id="reminders"')[2]
    for other in (browser(table.users["dora"]), browser(table.users["eve"]), browser()):
        assert 'id="reminders"' not in other.look(table.url)
    assert "2026-03-01T16:00" not in browser(table.users["bob"]).look(table.url).partition('id="reminders"')[2]


def test_the_list_of_notices_has_the_button_at_a_reminder(reminded: Reminded) -> None:
    page = browser(reminded.users["ann"]).look("/notices/")
    assert page.count(f'href="{reminded.match.get_absolute_url()}again/"') == 1


def test_nobody_else_is_told_and_visitors_are_sent_to_sign_in(reminded: Reminded) -> None:
    url = f"{reminded.match.get_absolute_url()}again/"
    assert browser().post(url).status_code == 302
    assert "one more reminder" in browser(reminded.users["ann"]).look(url)
    assert browser(reminded.users["ann"]).post("/matches/nothing/again/").status_code == 404
    assert not Reminder.objects.exclude(user=None).exists()


# -- by mail -----------------------------------------------------------------------------------------


def test_the_mail_has_a_link_that_asks_before_it_does_anything(reminded: Reminded) -> None:
    send_due()
    sent = next(each for each in mail.outbox if "deadline is near" in each.subject and "ann" in each.to[0])
    found = re.search(r"Tell me again in 2 hours: http://127.0.0.1:8000(\S+)", str(sent.body))
    assert found
    assert found[1] in str(sent.alternatives[0][0])
    visitor = Client(enforce_csrf_checks=True)
    page = visitor.get(found[1])
    assert page["Referrer-Policy"] == "no-referrer"
    assert not Reminder.objects.exclude(user=None).exists()
    # As browsers post from a page with that policy.
    answer = visitor.post(found[1], headers={"Origin": "null"}).content.decode()
    assert "You will be told again" in answer
    assert Reminder.objects.get(user=reminded.users["ann"]).due_at == reminded.began + 21.5 * HOUR


def test_near_the_end_the_mail_does_not_promise_two_hours(reminded: Reminded) -> None:
    reminded.let(3.6 * HOUR)  # reminded again an hour before the deadline
    send_due()
    last = [each for each in mail.outbox if "deadline is near" in each.subject and "ann" in each.to[0]][-1]
    texts = (str(last.body), str(last.alternatives[0][0]))
    assert all("Tell me again 15 minutes before the deadline" in text and "2 hours" not in text for text in texts)
    assert "Tell me again 15 minutes before the deadline" in browser(reminded.users["ann"]).look("/notices/")
    link_there = re.search(r"http://127.0.0.1:8000(/notices/again/\S+)", texts[0])
    assert link_there
    asked = Client().get(link_there[1]).content.decode()
    assert "one more reminder on Mon 2 Mar 2026, 13:45 UTC" in asked


def test_where_no_reminder_can_come_none_is_offered() -> None:
    now = datetime(2026, 3, 1, 14, tzinfo=UTC)
    offers = {minutes: offer(now, now + timedelta(minutes=minutes)) for minutes in (19, 20, 134, 135)}
    assert offers == {19: "", 20: FIFTEEN, 134: FIFTEEN, 135: "in 2 hours"}


def test_a_forged_or_old_link_is_refused(reminded: Reminded, present, settings) -> None:
    ann = reminded.users["ann"]
    good = link(ann.pk, reminded.match.public_id)
    other = link(reminded.users["bob"].pk, reminded.match.public_id)
    for forged in (good[:-1], f"{good}x", good.replace(str(ann.pk), "999", 1), "x", "a" * 5000, f"{other}{good}"):
        assert Client().post(f"/notices/again/{forged}/").status_code == 404
    import time_machine

    with time_machine.travel(timedelta(days=40)):
        answer = Client().get(f"/notices/again/{good}/")
    assert answer.status_code == 410
    assert "more than a month old" in answer.content.decode()
    assert not Reminder.objects.exclude(user=None).exists()


def test_a_link_of_somebody_who_left_does_nothing(reminded: Reminded) -> None:
    stranger = link(reminded.host.pk, reminded.match.public_id)
    assert Client().post(f"/notices/again/{stranger}/").status_code == 409
    reminded.users["ann"].is_active = False
    reminded.users["ann"].save()
    gone = link(reminded.users["ann"].pk, reminded.match.public_id)
    assert Client().post(f"/notices/again/{gone}/").status_code == 409


# -- one's own spacings ------------------------------------------------------------------------------


def test_new_spacings_count_at_once_in_running_matches(table: Reminded) -> None:
    ann = browser(table.users["ann"])
    assert re.search(r'value="0.8"[^>]*checked', ann.look(PAGE))
    assert ann.post(PAGE, {"spacing": ["0.5", "900"]}).status_code == 302
    assert Habits.objects.get(user=table.users["ann"]).spacing == [0.5, 900]
    table.let(30 * HOUR)
    assert (table.reminded("ann"), table.reminded("bob")) == ([12, 23.75], [19.2, 23])


def test_what_would_have_been_due_before_is_not_made_up_for(table: Reminded) -> None:
    table.let(15 * HOUR)
    browser(table.users["ann"]).post(PAGE, {"spacing": ["0.5", "7200"]})
    table.let(10 * HOUR)
    assert table.reminded("ann") == [22]


def test_the_default_is_not_stored(table: Reminded) -> None:
    Habits.objects.create(user=table.users["ann"], spacing=[0.5])
    browser(table.users["ann"]).post(PAGE, {"spacing": ["3600", "0.8"]})
    assert Habits.objects.get(user=table.users["ann"]).spacing == []


@pytest.mark.parametrize("sent", [{}, {"spacing": ["1"]}, {"spacing": ["0.8", "nan"]}])
def test_nothing_or_nonsense_is_refused_at_the_field(table: Reminded, sent: dict[str, list[str]]) -> None:
    answer = browser(table.users["ann"]).post(PAGE, sent)
    assert answer.status_code == 200
    assert 'id="id_spacing_error"' in answer.content.decode()
    assert not Habits.objects.filter(user=table.users["ann"]).exclude(spacing=[]).exists()
    assert not Notice.objects.filter(event="deadline_near").exists()
