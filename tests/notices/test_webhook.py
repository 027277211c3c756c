"""Personal webhooks, at a real HTTPS receiver: what is posted, how it is signed, and what its answers lead to."""

import json
from datetime import timedelta

import pytest
from standardwebhooks import Webhook

from matches.models import clock
from notices import addresses, deliveries
from notices.deliveries import MOST_FAILURES
from notices.models import Address, Delivery, Habits, Notice
from notices.routing import plan
from tests.fixtures.receiver import Receiver, Reply, TestNetwork
from tests.services.conftest import person

pytestmark = pytest.mark.django_db

NASTY = "Cup\r\nBcc: eve@example.org @everyone <!channel> \u202eevil **b** [x](https://evil.example) \x00"


class Hooked:
    """A person with a webhook, to whom things are told one by one."""

    def __init__(self, receiver: Receiver, form: str = "json") -> None:
        self.user = person("ann")
        self.address, self.secret = addresses.add_webhook(self.user, receiver.url("/hook/s3cret"), form)
        self._told = 0

    def tell(self, title: str = "You have been outbid · A match", text: str = "Bob bids 4 on Y.", **more) -> Notice:
        self._told += 1
        made = Notice.objects.create(user=self.user, source=f"test:{self._told}", event="outbid", title=title,
                                     text=text, url="/matches/abc/?lot=Y#act", at=clock.now(), **more)  # fmt: skip
        plan([made], clock.now())
        return made

    def reload(self) -> Address:
        self.address.refresh_from_db()
        return self.address


def test_a_program_gets_the_notice_signed(receiver: Receiver, network: TestNetwork, present, settings) -> None:
    ann = Hooked(receiver)
    notice = ann.tell(by=clock.now() + timedelta(hours=2))
    assert deliveries.send_due() == 1
    [taken] = receiver.taken
    said = json.loads(taken.body)
    assert said["type"] == "notice.outbid"
    assert said["data"]["id"] == taken.headers["webhook-id"] == notice.token
    assert said["data"]["text"] == "Bob bids 4 on Y."
    assert said["data"]["url"] == settings.SITE_URL + "/matches/abc/?lot=Y#act"
    assert said["data"]["by"] == "2026-03-01T16:00:00+00:00"
    at = clock.now()
    signature = Webhook(ann.secret).sign(notice.token, at, taken.body.decode())
    assert taken.headers["webhook-signature"] == signature
    assert taken.headers["webhook-timestamp"] == str(int(at.timestamp()))
    assert ann.reload().last_sent_at == at


@pytest.mark.parametrize("form", ["discord", "slack"])
def test_a_chat_shows_the_text_only_if_asked_to(receiver: Receiver, network: TestNetwork, form: str) -> None:
    ann = Hooked(receiver, form)
    ann.tell()
    deliveries.send_due()
    assert b"bids" not in receiver.taken[-1].body
    assert b"/matches/abc/" in receiver.taken[-1].body
    Habits.objects.create(user=ann.user, show_details=True)
    ann.tell()
    deliveries.send_due()
    assert b"Bob bids 4 on Y" in receiver.taken[-1].body


def test_discord_calls_nobody_and_formats_nothing(receiver: Receiver, network: TestNetwork) -> None:
    ann = Hooked(receiver, "discord")
    ann.tell(title=NASTY)
    assert deliveries.send_due() == 1
    said = json.loads(receiver.taken[0].body)
    assert said["allowed_mentions"] == {"parse": []}
    head, time, link = said["content"].split("\n")
    assert time.endswith("UTC")
    expected = r"**Cup Bcc: eve@example.org @everyone \<!channel\> evil \*\*b\*\* \[x\](https://evil.example)**"
    assert head == expected.replace("@", "@\u200b")
    assert link.startswith("<http")


def test_gone_stops_the_address(receiver: Receiver, network: TestNetwork) -> None:
    ann = Hooked(receiver)
    receiver.replies.append(Reply(410))
    ann.tell()
    deliveries.send_due()
    assert ann.reload().stopped_at is not None
    assert "gone" in ann.address.last_error
    ann.tell()
    assert deliveries.send_due() == 0
    test = addresses.try_out(ann.user, ann.address.token)
    assert test is not None
    assert test.sent
    ann.tell()
    assert deliveries.send_due() == 1


def test_after_many_failures_over_a_day_the_address_is_stopped(receiver, network, present) -> None:
    ann = Hooked(receiver)
    receiver.replies.extend([Reply(500)] * 1000)
    tries = 0
    while ann.reload().stopped_at is None and tries <= MOST_FAILURES:
        ann.tell()
        tries += deliveries.send_due() > 0
        present.forward(timedelta(hours=1))
    assert tries == MOST_FAILURES
    assert ann.address.last_error == "The receiver answered with status 500."
    present.forward(timedelta(days=1))
    deliveries.send_due()
    assert not Delivery.objects.filter(status="waiting").exists()
