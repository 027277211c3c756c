"""The page on which people choose how they hear of things."""

from __future__ import annotations

import re
from datetime import time

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from matches.services import hosting
from notices import events
from notices.models import Address, Choice, Delivery, Habits, Mute, Notice
from notices.queries import chosen
from notices.services.passing_on import pass_on
from tests.notices.conftest import Reached
from tests.services.conftest import person
from tests.web import conftest as web

pytestmark = pytest.mark.django_db
PAGE = "/profile/notices/"


def signed_in(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def ann(reached: Reached):
    return reached.users["ann"]


@pytest.fixture
def browser(ann) -> Client:
    return signed_in(ann)


def defaults(user) -> set[str]:
    return {f"{row.event.key}.{each}" for _, rows in chosen.grid(user) for row in rows for each in row.on}


def shown(user) -> list[str]:
    return [row.event.key for _, rows in chosen.grid(user) for row in rows]


def post_grid(client: Client, user, on: set[str]):
    return client.post(PAGE, {"part": "grid", "shown": shown(user), "on": sorted(on)})


HABITS = {"part": "habits", "digest": "on", "digest_at": "08:30"}


def test_only_what_differs_from_the_defaults_is_stored(browser, ann) -> None:
    before = defaults(ann)
    assert post_grid(browser, ann, before).status_code == 302
    assert not Choice.objects.exists()
    other = before - {"outbid.email"} | {"message.push"}
    assert post_grid(browser, ann, other).status_code == 302
    assert set(Choice.objects.values_list("event", "channel", "on")) == {
        ("outbid", "email", False),
        ("message", "push", True),
    }
    assert defaults(ann) == other
    assert post_grid(browser, ann, before).status_code == 302
    assert not Choice.objects.exists()


def test_what_is_ticked_decides_what_is_sent(reached: Reached, browser, ann) -> None:
    reached.open()
    pass_on()
    assert Delivery.objects.filter(notice__user=ann, status="waiting").count() == 1
    post_grid(browser, ann, defaults(ann) - {"opened.email", "paused.email"})
    assert Delivery.objects.filter(notice__user=ann, status="waiting").count() == 0
    hosting.pause(reached.match, reached.host, "Lunch")
    pass_on()
    assert Notice.objects.filter(user=ann, event="paused").exists()
    assert not Delivery.objects.filter(notice__user=ann, notice__event="paused").exists()
    assert Delivery.objects.filter(notice__user=reached.users["bob"], notice__event="paused").exists()


def test_events_of_hosts_are_for_those_who_host_and_stay_as_they_are_for_others(reached: Reached, ann) -> None:
    assert "fault" in shown(reached.host)
    assert "fault" not in shown(ann)
    Choice.objects.create(user=ann, event="fault", channel="email", on=False)
    post_grid(signed_in(ann), ann, set())
    assert Choice.objects.filter(user=ann, event="fault").count() == 1


@pytest.mark.parametrize(
    "sent", [{"on": "outbid.smoke"}, {"on": "nothing.email"}, {"on": "\x00"}, {"shown": "x" * 999}, {"shown": []}]
)
def test_a_grid_that_is_none_of_ours_stores_nothing_and_says_so(browser, ann, sent) -> None:
    answer = browser.post(PAGE, {"part": "grid", "shown": ["outbid"], "on": ["won.push"], **sent})
    assert answer.status_code == 422
    assert "Nothing was stored yet" in answer.content.decode()
    assert not Choice.objects.exists()


def test_habits_are_stored_all_together(browser, ann) -> None:
    sent = {**HABITS, "quiet_from": "22:00", "quiet_to": "07:00", "urgent_at_night": "on", "sound": "on"}
    assert browser.post(PAGE, sent).status_code == 302
    habits = Habits.objects.get(user=ann)
    assert (habits.quiet_from, habits.quiet_to, habits.urgent_at_night) == (time(22), time(7), True)
    assert (habits.digest, habits.digest_at, habits.sound, habits.show_details) == (True, time(8, 30), True, False)


@pytest.mark.parametrize(
    ("sent", "field", "says"),
    [
        ({"quiet_from": "22:00"}, "quiet_to", "Give both times"),
        ({"quiet_to": "07:00"}, "quiet_from", "Give both times"),
        ({"quiet_from": "07:00", "quiet_to": "07:00"}, "quiet_to", "This is when they begin"),
        ({"quiet_from": "25:00", "quiet_to": "07:00"}, "quiet_from", "like 22:30"),
        ({"quiet_from": "half past ten", "quiet_to": "07:00"}, "quiet_from", "like 22:30"),
        ({"digest_at": "noon"}, "digest_at", "like 22:30"),
        ({"digest_at": ""}, "digest_at", "Please fill this in"),
    ],
)
def test_a_bad_habit_is_refused_at_its_field_and_nothing_is_stored(browser, ann, sent, field, says) -> None:
    answer = browser.post(PAGE, {**HABITS, "show_details": "on", **sent})
    page = answer.content.decode()
    assert answer.status_code == 422
    error = re.search(rf'id="id_{field}_error".*?</div>', page, re.DOTALL)
    assert error, re.findall(r"field__error.*", page)
    assert says in error[0]
    assert f'<a href="#id_{field}">' in page, "named at the top of the page too"
    assert not Habits.objects.exists()


def test_a_webhook_that_may_not_be_posted_to_is_refused_at_its_field(browser, ann) -> None:
    for url in ("http://example.org/x", "https://127.0.0.1/x", "nonsense", ""):
        answer = browser.post(PAGE, {"part": "webhook", "url": url, "form": "json"})
        assert answer.status_code == 422
        assert 'id="id_url_error"' in answer.content.decode()
    assert not Address.objects.filter(channel="webhook").exists()


def test_a_webhooks_secret_is_shown_once(browser, ann) -> None:
    answer = browser.post(PAGE, {"part": "webhook", "url": "https://example.org/hook", "form": "json", "label": "Mine"})
    address = Address.objects.get(user=ann, channel="webhook")
    assert address.details["secret"] in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    page = browser.get(PAGE).content.decode()
    assert address.details["secret"] not in page
    assert "Mine" in page


def test_an_address_that_is_not_confirmed_is_named_as_such(db) -> None:
    eve = person("eve")
    EmailAddress.objects.create(user=eve, email="eve@example.org", verified=False, primary=True)
    page = signed_in(eve).get(PAGE).content.decode()
    assert "is not confirmed yet" in page
    assert "Send a test to" not in page


def test_a_test_goes_to_the_confirmed_address_and_says_what_came_of_it(browser, ann, mailoutbox) -> None:
    page = browser.post(f"{PAGE}mail/try/", follow=True).content.decode()
    assert [message.to for message in mailoutbox] == [[ann.email]]
    assert f"The mail server has taken a test for {ann.email}" in page
    assert "Last sent" in page


def test_tests_have_a_limit(browser, mailoutbox) -> None:
    pages = [browser.post(f"{PAGE}mail/try/", follow=True).content.decode() for _ in range(6)]
    assert len(mailoutbox) < 6
    assert "Please wait" in pages[-1]


def test_somebody_elses_address_can_be_neither_tried_nor_removed(reached: Reached, browser) -> None:
    browser.post(PAGE, {"part": "webhook", "url": "https://example.org/hook", "form": "slack"})
    token = Address.objects.get(channel="webhook").token
    bob = signed_in(reached.users["bob"])
    for command in ("try", "remove"):
        assert bob.post(f"{PAGE}{token}/{command}/").status_code == 404
    assert browser.post(f"{PAGE}{token}/remove/").status_code == 302
    assert not Address.objects.filter(channel="webhook").exists()


def test_a_muted_match_is_told_on_the_site_alone_until_that_ends(reached: Reached, browser, ann) -> None:
    reached.open()
    pass_on()
    address = f"{reached.match.get_absolute_url()}notices/"
    assert "Mute this match" in browser.get(address).content.decode()
    assert browser.post(address).status_code == 302
    assert set(Delivery.objects.filter(notice__user=ann).values_list("status", flat=True)) == {"dropped"}
    hosting.pause(reached.match, reached.host, "Lunch")
    pass_on()
    assert not Delivery.objects.filter(notice__event="paused", notice__user=ann).exists()
    assert Notice.objects.filter(event="paused", user=ann).exists()
    assert "A match" in browser.get(PAGE).content.decode()
    assert browser.post(address, {"again": "1", "list": "1"})["Location"] == PAGE
    assert not Mute.objects.exists()


def test_the_match_page_links_to_it_for_those_who_hear_of_the_match(db, present) -> None:
    table = web.Table(present).open()
    hears = {name: "Mute its notices" in web.browser(table.users[name]).look(table.url) for name in table.users}
    assert hears == {"ann": True, "bob": True, "cat": True, "dora": True, "eve": False}
    assert "Mute its notices" not in web.browser().look(table.url)


def test_every_box_has_a_name_of_its_own_for_screen_readers(reached: Reached) -> None:
    page = signed_in(reached.host).get(PAGE).content.decode()
    names = re.findall(r'type="checkbox" name="on"[^>]*aria-label="([^"]+)"', page)
    assert len(names) == len(set(names)) == len(events.EVENTS) * len(events.CHANNELS)
