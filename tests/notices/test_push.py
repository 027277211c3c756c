"""Web Push, at a receiver that does what a push service and a browser do: it checks the signature and decrypts."""

import base64
import json
import os
import time
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import http_ece
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.test import Client

from matches.models import clock
from notices import addresses, deliveries
from notices.channels import push
from notices.channels.base import moment
from notices.models import Address, Delivery, Notice
from notices.routing import plan
from tests.fixtures.receiver import Receiver, Reply, TestNetwork
from tests.services.conftest import person

pytestmark = pytest.mark.django_db


def plain(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Browser:
    """A browser that subscribes at a push service, and can read what is pushed to it."""

    def __init__(self, endpoint: str) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(16)
        self.subscription = {
            "endpoint": endpoint,
            "p256dh": plain(self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)),
            "auth": plain(self._auth),
            "server_key": push.public_key(),
        }

    def read(self, body: bytes) -> dict[str, str]:
        return json.loads(http_ece.decrypt(body, private_key=self._key, auth_secret=self._auth, version="aes128gcm"))


class Pushed:
    """A person with a browser, to whom things are told one by one."""

    def __init__(self, receiver: Receiver, name: str = "ann") -> None:
        self.user = person(name)
        self.browser = Browser(receiver.url(f"/push/{name}"))
        self.address = addresses.add_browser(self.user, **self.browser.subscription)
        self._told = 0

    def tell(self, event: str = "outbid", title: str = "You have been outbid · A match", **more) -> Notice:
        self._told += 1
        made = Notice.objects.create(
            user=self.user, source=f"test:{self._told}", event=event, title=title, text="Bob bids 4 on Y.",
            url="/matches/abc/?lot=Y#act", at=clock.now(), **more
        )  # fmt: skip
        plan([made], clock.now())
        return made


def claims_of(header: str) -> dict[str, Any]:
    """What a push service reads, if the key that the header names has signed it."""
    token, key = header.removeprefix("vapid t=").split(",k=")
    point = base64.urlsafe_b64decode(key + "=" * (-len(key) % 4))
    signer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    return jwt.decode(token, signer, algorithms=["ES256"], options={"verify_aud": False})


def test_only_the_browser_can_read_it_and_the_text_is_not_in_it(receiver: Receiver, network: TestNetwork) -> None:
    ann = Pushed(receiver)
    notice = ann.tell()
    assert deliveries.send_due() == 1
    [taken] = receiver.taken
    assert b"outbid" not in taken.body
    assert taken.headers["content-encoding"] == "aes128gcm"
    assert ann.browser.read(taken.body) == {
        "title": "You have been outbid · A match", "body": moment(notice.at, "UTC"),
        "url": "/matches/abc/?lot=Y#act", "tag": notice.token,
    }  # fmt: skip


def test_the_site_signs_for_that_push_service(receiver: Receiver, network: TestNetwork) -> None:
    Pushed(receiver).tell()
    deliveries.send_due()
    header = receiver.taken[0].headers["authorization"]
    assert header.endswith(f",k={push.public_key()}")
    claims = claims_of(header)
    endpoint = urlsplit(receiver.url())
    assert claims["aud"] == f"{endpoint.scheme}://{endpoint.netloc}"
    assert claims["sub"].startswith("mailto:")
    assert time.time() < claims["exp"] <= time.time() + 24 * 3600


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_has_unsubscribed_is_stopped(receiver: Receiver, network: TestNetwork, status: int) -> None:
    ann = Pushed(receiver)
    receiver.replies.append(Reply(status))
    ann.tell()
    deliveries.send_due()
    ann.address.refresh_from_db()
    assert ann.address.stopped_at is not None
    ann.tell()
    assert deliveries.send_due() == 0
    again = addresses.add_browser(ann.user, **ann.browser.subscription)
    assert (again.pk, again.stopped_at) == (ann.address.pk, None)


@pytest.mark.parametrize(
    ("asked", "seconds"),
    [("30", 30), ("in a while", 10), ("Sun, 01 Jan 2090 00:00:00 GMT", 86_400), ("Sun, 01 Jan 2012 00:00:00 GMT", 10)],
)
def test_a_push_service_that_is_busy_is_asked_again_later(receiver, network, present, asked, seconds) -> None:
    Pushed(receiver).tell()
    receiver.replies.append(Reply(429, (("Retry-After", asked),)))
    deliveries.send_due()
    assert Delivery.objects.get().due_at == clock.now() + timedelta(seconds=seconds)


def test_an_endpoint_inside_is_not_posted_to(receiver: Receiver, network: TestNetwork) -> None:
    """It passed the look at its form; its name resolves to this machine when something is sent."""
    ann = Pushed(receiver)
    network.allowed.clear()
    ann.tell()
    deliveries.send_due()
    assert receiver.taken == []
    assert "public internet" in Delivery.objects.get().last_error


BAD = {
    "not_https": {"endpoint": "http://push.example.org/x"},
    "not_public": {"endpoint": "https://169.254.169.254/latest"},
    "url_length": {"endpoint": "https://push.example.org/" + "x" * 1000},
    "foreign": {"server_key": plain(b"\x04" + b"x" * 64)},
    "keys": {"p256dh": plain(b"\x04" + b"x" * 64)},
}


@pytest.mark.parametrize("code", BAD)
def test_a_subscription_that_cannot_be_used_is_refused_with_a_sentence(code: str) -> None:
    client, ann = Client(), person("ann")
    client.force_login(ann)
    given = {**Browser("https://push.example.org/x").subscription, **BAD[code]}
    answer = client.post("/notices/push/on/", given)
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert answer.json()["message"].endswith(".")
    assert not Address.objects.exists()


def test_the_page_adds_and_removes_this_browser(receiver: Receiver) -> None:
    client, ann = Client(), person("ann")
    client.force_login(ann)
    subscription = Browser(receiver.url("/push/1")).subscription
    agent = "Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0"
    for _ in range(2):
        assert client.post("/notices/push/on/", subscription, headers={"User-Agent": agent}).status_code == 200
    assert Address.objects.get().label == "Firefox 130 on Android"
    assert client.post("/notices/push/off/", {"endpoint": subscription["endpoint"]}).status_code == 200
    assert not Address.objects.exists()
