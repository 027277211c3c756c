"""What is slow holds up neither others nor the worker, and an outbid player hears within five seconds."""

import threading
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from secrets import token_hex

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import connection

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


def work(channel: str) -> None:
    """What a task of a worker does, in a thread of its own."""
    deliveries.deliver(channel)
    connection.close()


@pytest.mark.django_db(transaction=True)
def test_others_are_served_while_one_receiver_does_not_answer(receiver: Receiver, network: TestNetwork) -> None:
    slow = Slow(receiver, "slow")
    people = [hooked(receiver, f"ann{number}") for number in range(30)]
    tell(*[hooked(receiver, "slow")] * 20, *people)
    others = threading.Event()

    def watch() -> None:
        ask_until(lambda: len(slow.began) == 31, 15)
        others.set()
        slow.go.set()

    threading.Thread(target=watch, daemon=True).start()
    with ThreadPoolExecutor(20) as worker:
        while not others.is_set():
            wait(worker.submit(work, channel) for channel in deliveries.waiting().elements())
    assert others.is_set()
    first = slow.began.index("/slow")
    assert slow.began[first + 1 : 31].count("/slow") == 0  # one thread alone was busy with it
    assert set(Delivery.objects.values_list("status", flat=True)) <= {"sent", "waiting"}


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
