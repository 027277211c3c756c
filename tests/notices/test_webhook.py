"""Personal webhooks, at a real HTTPS receiver: what is posted, how it is signed, and what its answers lead to."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from matches.models import Match, clock
from notices.models import Address, Delivery, Habits, Notice
from notices.services import addresses, sending
from notices.services.addresses import Refused
from notices.services.noting import MOST_FAILURES, PAUSES
from notices.services.planning import plan
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
    assert sending.send_due() == 1
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


def test_the_signature_is_checked_by_the_library_of_receivers(receiver: Receiver, network: TestNetwork) -> None:
    ann = Hooked(receiver)  # by the real clock, which the library reads
    ann.tell()
    sending.send_due()
    [taken] = receiver.taken
    assert Webhook(ann.secret).verify(taken.body, taken.headers)["data"]["event"] == "outbid"
    with pytest.raises(WebhookVerificationError):
        Webhook(ann.secret).verify(taken.body + b" ", taken.headers)


@pytest.mark.parametrize("form", ["discord", "slack"])
def test_a_chat_shows_the_text_only_if_asked_to(receiver: Receiver, network: TestNetwork, form: str) -> None:
    ann = Hooked(receiver, form)
    ann.tell()
    sending.send_due()
    assert b"bids" not in receiver.taken[-1].body
    assert b"/matches/abc/" in receiver.taken[-1].body
    Habits.objects.create(user=ann.user, show_details=True)
    ann.tell()
    sending.send_due()
    assert b"Bob bids 4 on Y" in receiver.taken[-1].body


def test_discord_calls_nobody_and_formats_nothing(receiver: Receiver, network: TestNetwork) -> None:
    ann = Hooked(receiver, "discord")
    ann.tell(title=NASTY)
    assert sending.send_due() == 1
    said = json.loads(receiver.taken[0].body)
    assert said["allowed_mentions"] == {"parse": []}
    head, time, link = said["content"].split("\n")
    assert time.endswith("UTC")
    assert head == r"**Cup Bcc: eve@example.org @everyone \<!channel\> evil \*\*b\*\* \[x\](https://evil.example)**"
    assert link.startswith("<http")


def test_slack_calls_nobody(receiver: Receiver, network: TestNetwork) -> None:
    ann = Hooked(receiver, "slack")
    ann.tell(title=NASTY)
    sending.send_due()
    text = json.loads(receiver.taken[0].body)["text"]
    assert "&lt;!channel&gt;" in text
    assert "<" not in text
    assert "\u202e" not in text


def test_a_long_text_fits_into_discord(receiver: Receiver, network: TestNetwork) -> None:
    ann = Hooked(receiver, "discord")
    Habits.objects.create(user=ann.user, show_details=True)
    ann.tell(text="*" * 5000)
    sending.send_due()
    content = json.loads(receiver.taken[0].body)["content"]
    assert len(content) <= 2000
    assert content.endswith("#act>")


def test_gone_stops_the_address(receiver: Receiver, network: TestNetwork) -> None:
    ann = Hooked(receiver)
    receiver.replies.append(Reply(410))
    ann.tell()
    sending.send_due()
    assert ann.reload().stopped_at is not None
    assert "gone" in ann.address.last_error
    ann.tell()
    assert sending.send_due() == 0
    test = addresses.try_out(ann.user, ann.address.token)
    assert test is not None
    assert test.sent
    ann.tell()
    assert sending.send_due() == 1


def test_a_receiver_that_asks_to_be_left_alone_is_left_alone(receiver, network, present) -> None:
    ann = Hooked(receiver)
    receiver.replies.append(Reply(429, (("Retry-After", "900"),)))
    ann.tell()
    sending.send_due()
    ann.tell()  # not this one either
    present.forward(timedelta(seconds=899))
    assert sending.send_due() == 0
    present.forward(timedelta(seconds=1))
    assert sending.send_due() == 2
    assert len(receiver.taken) == 3
    assert set(Delivery.objects.values_list("status", flat=True)) == {"sent"}


def test_the_same_notice_has_the_same_id_again(receiver: Receiver, network: TestNetwork, present) -> None:
    ann = Hooked(receiver)
    receiver.replies.append(Reply(503))
    notice = ann.tell()
    sending.send_due()
    present.forward(PAUSES[0])
    sending.send_due()
    assert [taken.headers["webhook-id"] for taken in receiver.taken] == [notice.token, notice.token]


def test_what_waits_behind_a_failure_is_not_tried_one_by_one(receiver, network, present) -> None:
    ann = Hooked(receiver)
    receiver.replies.extend([Reply(500)] * 10)
    for _ in range(10):
        ann.tell()
    sending.send_due()
    assert len(receiver.taken) == 1
    assert set(Delivery.objects.values_list("attempts", flat=True)) == {1}


def test_a_refusal_of_one_keeps_the_next_from_nobody(receiver: Receiver, network: TestNetwork) -> None:
    ann = Hooked(receiver)
    receiver.replies.append(Reply(400))
    ann.tell()
    ann.tell()
    sending.send_due()
    assert list(Delivery.objects.values_list("status", flat=True)) == ["failed", "sent"]
    assert ann.reload().last_error == ""


def test_after_many_failures_over_a_day_the_address_is_stopped(receiver, network, present) -> None:
    ann = Hooked(receiver)
    receiver.replies.extend([Reply(500)] * 1000)
    tries = 0
    while ann.reload().stopped_at is None:
        ann.tell()
        tries += sending.send_due() > 0
        present.forward(timedelta(hours=1))
    assert tries == MOST_FAILURES
    assert ann.address.last_error == "The receiver answered with status 500."
    present.forward(timedelta(days=1))
    sending.send_due()
    assert not Delivery.objects.filter(status="waiting").exists()


def test_what_just_happened_waits_five_minutes_at_most_for_a_receiver_that_failed(receiver, network, present) -> None:
    ann = Hooked(receiver)
    receiver.replies.extend([Reply(500)] * 20)
    for _ in range(20):
        ann.tell()
        sending.send_due()
        present.forward(timedelta(minutes=5))
    fresh = ann.tell()
    sending.send_due()
    assert fresh.deliveries.get().status == "sent"


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://hooks.example.org/", "not_https"),
        ("https://127.0.0.1/", "not_public"),
        ("https://[::1]/", "not_public"),
        ("https://me:secret@hooks.example.org/", "credentials"),
        ("https://hooks.example.org/" + "x" * 1000, "url_length"),
        ("", "url_length"),
        ("https://hooks.example.org/\x00", "url_characters"),
        ("https://\ud800.example.org/", "host"),
    ],
)
def test_an_address_that_cannot_be_is_refused_at_its_field(url: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        addresses.add_webhook(person("ann"), url)
    assert (refused.value.code, refused.value.field) == (code, "url")
    assert refused.value.message.endswith(".")
    assert not Address.objects.exists()


def test_one_address_twice_and_too_many_are_refused(receiver: Receiver) -> None:
    ann = person("ann")
    for number in range(addresses.MOST_WEBHOOKS):
        addresses.add_webhook(ann, receiver.url(f"/{number}"))
    for url, code in ((receiver.url("/0"), "known"), (receiver.url("/more"), "too_many")):
        with pytest.raises(Refused) as refused:
            addresses.add_webhook(ann, url)
        assert refused.value.code == code
    with pytest.raises(Refused):
        addresses.add_webhook(person("bob"), receiver.url("/0"), "telegram")


def test_the_button_sends_a_test_and_says_what_came_of_it(receiver: Receiver, network: TestNetwork) -> None:
    ann = Hooked(receiver)
    outcome = addresses.try_out(ann.user, ann.address.token)
    assert outcome == addresses.Outcome(True, "The receiver has taken a test.")
    assert json.loads(receiver.taken[0].body)["data"]["title"] == "A test from Genius"
    receiver.replies.append(Reply(403))
    outcome = addresses.try_out(ann.user, ann.address.token)
    assert outcome == addresses.Outcome(False, "The receiver refused this with status 403.")
    assert ann.reload().last_error == outcome.message


def test_nobody_tries_or_removes_the_address_of_another(receiver: Receiver, network: TestNetwork) -> None:
    ann, bob = Hooked(receiver), person("bob")
    assert addresses.try_out(bob, ann.address.token) is None
    assert not addresses.remove(bob, ann.address.token)
    assert addresses.remove(ann.user, ann.address.token)
    assert receiver.taken == []
    assert not Match.objects.exists()


def test_what_was_read_on_the_site_is_not_sent_later(receiver: Receiver, network: TestNetwork) -> None:
    ann = Hooked(receiver)
    Notice.objects.filter(pk=ann.tell().pk).update(read_at=clock.now())
    sending.send_due()
    assert receiver.taken == []
    assert Delivery.objects.get().status == "dropped"
