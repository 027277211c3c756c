"""The page on which people choose how they hear of things."""

import pytest
from django.test import Client

from matches.services import hosting
from notices import preferences
from notices.models import Address, Choice, Delivery, Mute, Notice
from notices.outbox import pass_on
from tests.notices.conftest import Reached

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
    return {cell["value"] for _, rows in preferences.grid(user) for row in rows for cell in row["cells"] if cell["on"]}


def shown(user) -> list[str]:
    return [row["event"].key for _, rows in preferences.grid(user) for row in rows]


def post_grid(client: Client, user, on: set[str]):
    return client.post(PAGE, {"part": "grid", "shown": shown(user), "on": sorted(on)})


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


@pytest.mark.parametrize(
    "sent", [{"on": "outbid.smoke"}, {"on": "nothing.email"}, {"on": "\x00"}, {"shown": "x" * 999}, {"shown": []}]
)
def test_a_grid_that_is_none_of_ours_stores_nothing_and_says_so(browser, ann, sent) -> None:
    answer = browser.post(PAGE, {"part": "grid", "shown": ["outbid"], "on": ["won.push"], **sent})
    assert answer.status_code == 422
    assert "Nothing was saved" in answer.content.decode()
    assert not Choice.objects.exists()


def test_a_webhook_that_may_not_be_posted_to_is_refused_at_its_field(browser, ann) -> None:
    for url in ("http://example.org/x", "https://127.0.0.1/x", "nonsense", ""):
        answer = browser.post(PAGE, {"part": "webhook", "url": url, "form": "json"})
        assert answer.status_code == 422
        assert 'id="id_url_error"' in answer.content.decode()
    assert not Address.objects.filter(channel="webhook").exists()


def test_a_person_has_only_so_many_webhooks(browser, ann) -> None:
    posted = [{"part": "webhook", "url": f"https://93.184.216.34/{number}", "form": "json"} for number in range(6)]
    assert [browser.post(PAGE, each).status_code == 422 for each in posted] == [False] * 5 + [True]
    assert Address.objects.filter(channel="webhook").count() == 5


def test_a_webhooks_secret_is_shown_once(browser, ann) -> None:
    answer = browser.post(PAGE, {"part": "webhook", "url": "https://example.org/hook", "form": "json", "label": "Mine"})
    address = Address.objects.get(user=ann, channel="webhook")
    assert address.details["secret"] in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    page = browser.get(PAGE).content.decode()
    assert address.details["secret"] not in page
    assert "Mine" in page


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
