"""What is slow holds up neither others nor the worker, and an outbid player hears within five seconds."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from secrets import token_hex

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import connection

from genius_site import tasks
from matches.models import clock
from notices import addresses, deliveries, outbox
from notices.models import Address, Delivery, Notice
from notices.routing import plan
from tests.fixtures.mail_server import MailServer
from tests.fixtures.processes import ask_until
from tests.fixtures.receiver import Receiver, TestNetwork
from tests.services.conftest import person
from tests.web.conftest import Table

pytestmark = pytest.mark.django_db


def hooked(receiver: Receiver, name: str) -> Address:
    return addresses.add_webhook(person(name), receiver.url(f"/{name}"))[0]


def tell(*to: Address) -> None:
    now = clock.now()
    made = [
        Notice(user=address.user, source=token_hex(8), event="outbid", title="Outbid", text="", url="/", at=now)
        for address in to
    ]
    plan(Notice.objects.bulk_create(made), now)


class Slow:
    """Answers to posts at one path only when it is let go."""

    def __init__(self, receiver: Receiver, *paths: str) -> None:
        self._paths, self.go = {f"/{path}" for path in paths}, threading.Event()
        self.began: list[str] = []
        receiver.behave = self._answer

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        self.began.append(handler.path)
        if handler.path in self._paths:
            self.go.wait(20)
        handler.send_response(204)
        handler.end_headers()


@pytest.fixture
def worker(receiver: Receiver, network: TestNetwork, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A worker with threads, which does the tasks that are queued."""

    def work(channel: str, address: int) -> None:
        try:
            tasks.deliver(channel, address)
        finally:
            connection.close()

    with ThreadPoolExecutor(20) as threads:
        monkeypatch.setattr(tasks.deliver, "apply_async", lambda given, **_: threads.submit(work, *given))
        yield


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("worker")
def test_others_are_served_while_one_receiver_does_not_answer(receiver: Receiver) -> None:
    slow = Slow(receiver, "slow")
    people = [hooked(receiver, f"ann{number}") for number in range(30)]
    tell(*[hooked(receiver, "slow")] * 20, *people)
    tasks.send()
    ask_until(lambda: len(slow.began) == 31, 15)
    assert slow.began.count("/slow") == 1
    slow.go.set()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("worker")
def test_many_slow_receivers_take_few_threads_and_hold_up_no_mail(receiver: Receiver, mail_server: MailServer) -> None:
    names = [f"ann{number}" for number in range(20)]
    slow = Slow(receiver, *names)
    tell(*[hooked(receiver, name) for name in names])
    for _ in range(3):
        tasks.send()
    ask_until(lambda: len(slow.began) == deliveries.AT_ONCE)
    bob = person("bob")
    EmailAddress.objects.create(user=bob, email=bob.email, verified=True, primary=True)
    tell(Address(user=bob))
    tasks.send()
    ask_until(lambda: len(mail_server.taken) == 1)
    assert len(slow.began) == deliveries.AT_ONCE
    slow.go.set()


def test_an_outbid_player_hears_within_five_seconds_with_the_page_closed(mail_server: MailServer, present) -> None:
    """The two tasks come every second; each comes two seconds late here."""
    for task in ("pass-on-notices", "send-notices"):
        assert settings.CELERY_BEAT_SCHEDULE[task]["schedule"] == 1.0
    table = Table(present).open().at(25)
    for user in table.users.values():
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    table.bid("bob", "X", 4)
    outbox.pass_on()
    bid_at = clock.now()
    table.bid("ann", "X", 5)
    present.forward(timedelta(seconds=2))
    outbox.pass_on()
    present.forward(timedelta(seconds=2))
    deliveries.send_due()
    told = [mail for mail in mail_server.taken if "outbid" in mail["Subject"]]
    assert [mail["To"] for mail in told] == ["bob@example.org"]
    assert Delivery.objects.get(notice__event="outbid").sent_at - bid_at < timedelta(seconds=5)
