"""Who is reminded of a deadline, when, and how often."""

from datetime import timedelta

import pytest
from django.db import connection

from matches.queries.access import viewer_of
from matches.services import hosting
from matches.services.absences import say_away
from notices import reminding
from notices.calendars import deadlines_of
from notices.models import AskedDeadline, Habits, Notice
from notices.reminding import remind
from tests.fixtures.chosen import one_in
from tests.notices.reminders.conftest import HOUR, MINUTE, Reminded

pytestmark = [pytest.mark.django_db]


def test_players_who_have_sent_nothing_are_reminded_when_a_fifth_is_left_and_an_hour_before(table: Reminded) -> None:
    table.let(40 * HOUR)
    assert table.reminded("ann") == table.reminded("bob") == [19.2, 23]


def test_who_has_submitted_is_left_alone_until_it_is_taken_back(table: Reminded) -> None:
    table.act("ann", "bid", amount=3)
    table.let(20 * HOUR)
    assert (table.reminded("ann"), table.reminded("bob")) == ([], [19.2])
    table.act("ann", "withdraw")
    table.let(4 * HOUR)
    assert table.reminded("ann") == [23]


def test_nobody_is_reminded_who_is_excused_or_for_whom_a_bot_plays(table: Reminded) -> None:
    start = table.began
    say_away(table.match_id, table.users["ann"].pk, start + 18 * HOUR, start + 20 * HOUR)
    hosting.let_bot_play(table.match, table.host, table.player("bob"))
    assert [each.handle for each in hosting.who_is_missing(table.match)] == ["ann", "cat"]
    table.let(19 * HOUR)
    assert [each.handle for each in hosting.who_is_missing(table.match)] == ["cat"]
    table.let(10 * HOUR)
    assert (table.reminded("ann"), table.reminded("bob"), table.reminded("cat")) == ([23], [], [19.2, 23])


def test_own_spacings_take_the_place_of_the_default(table: Reminded) -> None:
    Habits.objects.create(user=table.users["bob"], spacing=[0.5, 7200])
    hosting.extend(table.match, table.host, HOUR)
    table.let(40 * HOUR)
    assert table.reminded("bob") == [13, 23]
    assert table.reminded("ann") == [20.2, 24]


# -- when deadlines move -----------------------------------------------------------------------------


def test_it_is_silent_while_the_match_is_paused(table: Reminded) -> None:
    table.let(19 * HOUR)
    hosting.pause(table.match, table.host)
    table.let(48 * HOUR)
    assert table.reminded() == []
    hosting.resume(table.match, table.host)
    table.let(10 * HOUR)
    assert table.reminded() == [67.2, 71]


def test_after_a_reminder_a_deadline_that_moves_far_enough_has_another_one(table: Reminded) -> None:
    table.let(23.2 * HOUR)
    assert table.reminded() == [19.2, 23]
    hosting.extend(table.match, table.host, 24 * HOUR)
    table.let(48 * HOUR)
    assert table.reminded() == [19.2, 23, 43.2, 47]


HOURS = [0, 10, 19, 19.4, 22.8, 23.4]


# When it begins changes what is computed, and nothing that a database does: there one is enough.
@pytest.mark.parametrize("hours", [19.4] if connection.vendor == "postgresql" else one_in(6, HOURS))
def test_ten_times_paused_extended_and_resumed_nobody_is_reminded_twice_or_wrongly(
    table: Reminded, hours: float
) -> None:
    table.let(hours * HOUR)
    before = table.reminded()
    for number in range(10):
        hosting.extend(table.match, table.host, timedelta(minutes=number + 1))
        if number % 2:
            table.run()
        hosting.pause(table.match, table.host)
        if number % 3:
            table.run()
        hosting.resume(table.match, table.host)
        table.run()
    assert table.reminded() == before, "nothing is due"
    end = table.match.next_deadline_at
    assert AskedDeadline.objects.get().at == end
    assert {each.by for each in Notice.objects.filter(event="deadline_near")} <= {end}
    table.let(40 * HOUR)
    left = (end - table.began) / HOUR
    due = [round(left - 4.8, 2), round(left - 1, 2)]
    # What had come before would come again only if the deadline had moved by an hour or more: it moved by 55 minutes.
    assert table.reminded() == before + due[len(before) :]


# -- late, failing, busy -----------------------------------------------------------------------------


def test_after_the_site_was_down_people_get_one_reminder_and_not_all_that_were_due(table: Reminded) -> None:
    table.present.forward(23.5 * HOUR)
    table.run()
    table.run()
    assert table.reminded() == [23.5]


def test_somebody_who_submits_in_that_very_moment_is_not_reminded(table: Reminded, monkeypatch) -> None:
    table.present.forward(19.2 * HOUR)
    take = reminding._take

    def submitting(*args: object) -> None:
        table.act("ann", "bid", amount=3)
        take(*args)

    with monkeypatch.context() as patched:
        patched.setattr(reminding, "_take", submitting)
        remind()
    assert table.reminded("bob") == []
    remind()
    assert (table.reminded("ann"), table.reminded("bob")) == ([], [19.2])


def test_a_match_that_fails_keeps_the_others_from_nobody(table: Reminded, present, monkeypatch) -> None:
    other = Reminded(present, "dan eli")
    other.open()
    other.run()
    broken = table.match_id

    def failing(scene, reminder):
        if reminder.deadline.match_id == broken:
            raise RuntimeError("rules")
        return verdict(scene, reminder)

    verdict = reminding.Scene._verdict
    monkeypatch.setattr(reminding.Scene, "_verdict", failing)
    other.let(20 * HOUR)
    assert other.reminded("dan") == [19.2]
    assert table.reminded() == []


# -- hosts -------------------------------------------------------------------------------------------


def test_hosts_hear_at_half_time_that_nobody_has_submitted(table: Reminded) -> None:
    table.let(13 * HOUR)
    assert table.hosts_told() == ["nobody_submitted"]
    assert Notice.objects.get(user=table.host).at == table.began + 12 * HOUR


def test_hosts_hear_once_that_everybody_has_submitted(table: Reminded) -> None:
    for handle in ("ann", "bob"):
        table.act(handle, "bid", amount=3)
    table.run()
    assert table.hosts_told() == []
    table.act("cat", "bid", amount=4)
    table.run()
    assert table.hosts_told() == ["all_submitted"]
    table.act("cat", "bid", amount=5)
    table.act("cat", "withdraw")
    table.run()
    table.act("cat", "bid", amount=5)
    table.let(HOUR)
    assert table.hosts_told() == ["all_submitted"]


# -- secrets -----------------------------------------------------------------------------------------


def test_a_reminder_is_the_same_whatever_others_have_done_in_secret(table: Reminded, present) -> None:
    twin = Reminded(present).open()
    twin.run()
    for handle, amount in (("bob", 3), ("cat", 9)):
        twin.act(handle, "bid", amount=amount)
    table.let(24 * HOUR - MINUTE)

    def told(reached: Reminded) -> list[dict[str, object]]:
        found = Notice.objects.filter(user=reached.users["ann"], event="deadline_near").order_by("pk")
        return list(found.values("event", "title", "text", "by", "at", "read_at", "deliveries__due_at"))

    assert len(told(table)) == 2
    assert told(table) == told(twin)


def test_reminders_and_calendars_follow_a_pause_that_ends_by_itself(present) -> None:
    table = Reminded(present, closes=7 * 86400)
    table.open()
    table.run()
    closes = present.instant + 7 * 24 * HOUR
    assert AskedDeadline.objects.get(match=table.match_id).at == closes
    viewer = viewer_of(table.match, table.users["ann"])
    assert [each.at for each in deadlines_of(viewer)] == [closes]
    hosting.pause(table.match, table.host, until=present.instant + 5 * HOUR)
    present.forward(8 * HOUR)
    table.advance().run()
    assert AskedDeadline.objects.get(match=table.match_id).at == closes + 5 * HOUR
    assert [each.at for each in deadlines_of(viewer_of(table.match, table.users["ann"]))] == [closes + 5 * HOUR]
