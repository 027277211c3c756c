"""A browser that renews its subscription goes on getting pushes; nobody else can turn them to themselves."""

import pytest
from django.test import Client

from notices import addresses, deliveries, pushes
from notices.models import Address
from tests.fixtures.receiver import Receiver, TestNetwork
from tests.notices.test_push import Browser, Pushed, plain

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
    assert deliveries.send_due() == 2
    assert {taken.path for taken in receiver.taken} == {"/push/new"}
    assert {new.read(taken.body)["tag"] for taken in receiver.taken} == {waiting.token, told.token}
    assert Address.objects.get().label == ann.address.label


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
