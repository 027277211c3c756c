"""A browser that renews its subscription goes on getting pushes; nobody else can turn them to themselves."""

from __future__ import annotations

import pytest
from django.test import Client

from matches.models import clock
from notices.models import Address
from notices.services import addresses, sending
from notices.web import pushes
from tests.fixtures.receiver import Receiver, TestNetwork
from tests.notices.test_push import Browser, Pushed, plain
from tests.services.conftest import person

pytestmark = pytest.mark.django_db

OWN = "http://testserver"
PATH = "/notices/push/renew/"


@pytest.fixture(autouse=True)
def _fresh_limit() -> None:
    pushes.renewal_rates.cache_clear()


def fields(old: Browser, new: Browser, **other: str) -> dict[str, str]:
    before = {"old_endpoint": old.subscription["endpoint"], "old_auth": old.subscription["auth"]}
    return {**new.subscription, **before, **other}


def renew(given: dict[str, str], origin: str | None = OWN, client: Client | None = None) -> tuple[int, str]:
    """As a service worker does it: with its site's origin, and without a token of a form. Status and code."""
    answer = (client or Client(enforce_csrf_checks=True)).post(
        PATH, given, headers={} if origin is None else {"Origin": origin}
    )
    return answer.status_code, answer.json().get("code", "")


def test_what_is_told_next_goes_to_the_new_subscription(receiver: Receiver, network: TestNetwork) -> None:
    ann, new = Pushed(receiver), Browser(receiver.url("/push/new"))
    waiting = ann.tell()
    assert renew(fields(ann.browser, new)) == (200, "")
    told = ann.tell()
    assert sending.send_due() == 2
    assert {taken.path for taken in receiver.taken} == {"/push/new"}
    assert {new.read(taken.body)["tag"] for taken in receiver.taken} == {waiting.token, told.token}
    assert Address.objects.get().label == ann.address.label


def test_an_address_that_was_stopped_because_the_old_one_was_gone_goes_on(receiver: Receiver) -> None:
    ann, new = Pushed(receiver), Browser(receiver.url("/push/new"))
    Address.objects.update(stopped_at=clock.now(), failures=3, last_error="gone")
    assert renew(fields(ann.browser, new)) == (200, "")
    found = Address.objects.get()
    assert (found.stopped_at, found.failures, found.last_error) == (None, 0, "")


def test_it_stays_with_its_owner_whoever_is_signed_in(receiver: Receiver) -> None:
    ann, new, client = Pushed(receiver), Browser(receiver.url("/push/new")), Client()
    client.force_login(person("bob"))
    assert renew(fields(ann.browser, new), client=client) == (200, "")
    assert Address.objects.get().user == ann.user


def test_twice_is_the_same_as_once(receiver: Receiver) -> None:
    ann, new = Pushed(receiver), Browser(receiver.url("/push/new"))
    assert [renew(fields(ann.browser, new)) for _ in range(2)] == [(200, "")] * 2
    assert Address.objects.get().target == new.subscription["endpoint"]


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://testserver.evil.example", "http://testserver:8080", "ä", None]
)
def test_pages_of_other_sites_cannot(receiver: Receiver, origin: str | None) -> None:
    ann, new = Pushed(receiver), Browser(receiver.url("/push/new"))
    assert renew(fields(ann.browser, new), origin) == (403, "foreign_origin")
    assert Address.objects.get().target == ann.browser.subscription["endpoint"]


def test_who_knows_the_endpoint_alone_cannot(receiver: Receiver) -> None:
    """A push service knows it. With keys of its own it could read what was encrypted for the browser."""
    ann, new = Pushed(receiver), Browser(receiver.url("/push/new"))
    for auth in ("", "?", plain(bytes(16)), new.subscription["auth"]):
        assert renew(fields(ann.browser, new, old_auth=auth)) == (404, "unknown")
    assert Address.objects.get().details["auth"] == ann.browser.subscription["auth"]


def test_an_address_that_was_removed_does_not_come_back(receiver: Receiver) -> None:
    ann, new = Pushed(receiver), Browser(receiver.url("/push/new"))
    addresses.remove(ann.user, ann.address.token)
    assert renew(fields(ann.browser, new)) == (404, "unknown")
    assert not Address.objects.exists()


def test_a_mail_address_is_no_subscription(receiver: Receiver) -> None:
    Address.objects.create(user=person("ann"), channel="email", created_at=clock.now())
    new = Browser(receiver.url("/push/new"))
    assert renew({**fields(new, new), "old_endpoint": "", "old_auth": ""}) == (404, "unknown")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"server_key": plain(b"\x04" + b"x" * 64)}, "foreign"),
        ({"endpoint": "http://push.example.org/x"}, "not_https"),
        ({"endpoint": "https://127.0.0.1/x"}, "not_public"),
        ({"p256dh": "x\x00"}, "keys"),
        ({"auth": ""}, "keys"),
    ],
)
def test_one_that_cannot_be_used_is_refused(receiver: Receiver, change: dict[str, str], code: str) -> None:
    ann = Pushed(receiver)
    assert renew(fields(ann.browser, Browser(receiver.url("/push/new")), **change)) == (422, code)
    assert Address.objects.get().target == ann.browser.subscription["endpoint"]


def test_nobody_can_try_many(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    limit = pushes.renewal_rates()
    monkeypatch.setattr(limit, "_clock", lambda: 0.0)  # none is allowed again while the tries go on
    new = Browser(receiver.url("/push/new"))
    found = [renew(fields(new, new))[0] for _ in range(61)]
    assert found[0] == 404
    assert found[-1] == 429
