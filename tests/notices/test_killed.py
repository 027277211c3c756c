"""Senders that are killed, frozen, and that run at the same time: nothing is lost, and nothing doubled for a receiver
that looks at ids. `NOTICES_KILLS` and `NOTICES_DELIVERIES` make the first test larger (20 and 1000, say)."""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler

import pytest
from allauth.account.models import EmailAddress
from django.db import transaction

from accounts.models import User
from matches.models import clock
from notices import addresses
from notices.models import Delivery, Notice
from notices.routing import plan
from tests.fixtures.forks import Fork
from tests.fixtures.mail_server import MailServer
from tests.fixtures.processes import ask_until
from tests.fixtures.receiver import HOST, Receiver, certificate
from tests.notices.sender import sending
from tests.services.conftest import person

# Dozens of processes: once is enough, on the database that several of them would share.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

KILLS = int(os.environ.get("NOTICES_KILLS", 3))
DELIVERIES = int(os.environ.get("NOTICES_DELIVERIES", 100))
IN_FLIGHT = 12
"""The most that a killed sender can have sent without having noted it: one for each of its threads that is at it."""


class Post:
    """What is to be told, and where it arrives: half by webhook, half by mail, in turn to some people."""

    def __init__(self, receiver: Receiver, mail_server: MailServer, count: int, people: int = 6) -> None:
        self.receiver, self.mail_server = receiver, mail_server
        self.told: set[str] = set()
        self._count = count
        self._readers = [person(f"ann{number}") for number in range(people)]
        for reader in self._readers:
            addresses.add_webhook(reader, receiver.url(f"/{reader.username}"))
            EmailAddress.objects.create(user=reader, email=reader.email, verified=True, primary=True)

    def tell(self) -> Post:
        now, people = clock.now(), len(self._readers)
        fields = {"event": "outbid", "title": "You have been outbid · A match", "text": "Bob bids.", "url": "/"}
        made = [
            Notice(user=self._readers[number % people], source=f"test:{number}", at=now, **fields)
            for number in range(self._count // 2)
        ]
        with transaction.atomic():
            plan(Notice.objects.bulk_create(made), now)
        self.told = {notice.token for notice in made}
        assert Delivery.objects.count() == self._count
        return self

    def arrived(self) -> int:
        return len(self.receiver.taken) + len(self.mail_server.taken)

    def by_webhook(self) -> Counter[str]:
        return Counter(taken.headers["webhook-id"] for taken in list(self.receiver.taken))

    def by_mail(self) -> Counter[str]:
        return Counter(mail["Message-ID"].strip("<").partition(".")[0] for mail in list(self.mail_server.taken))

    def doubled(self) -> int:
        return sum((self.by_webhook() + self.by_mail()).values()) - len(self.by_webhook()) - len(self.by_mail())


@pytest.fixture
def post(receiver: Receiver, mail_server: MailServer) -> Callable[..., Post]:
    return lambda count, people=6: Post(receiver, mail_server, count, people)


def start(stack: ExitStack, post: Post, count: int = 1) -> list[Fork]:
    return stack.enter_context(sending(count, certificate(HOST), post.mail_server.port))


def all_sent() -> bool:
    return not Delivery.objects.exclude(status="sent").exists()


def test_killed_at_any_moment_nothing_is_lost_and_ids_tell_what_is_double(post: Callable[..., Post]) -> None:
    told, chance = post(DELIVERIES).tell(), random.Random(7)
    for kill in range(KILLS):
        with ExitStack() as stack:
            [process] = start(stack, told)
            enough = max(told.arrived() + 1, DELIVERIES * kill // (KILLS + 1) + chance.randrange(1, DELIVERIES // 20))
            ask_until(lambda enough=enough: told.arrived() >= enough)
            process.kill()
    with ExitStack() as stack:
        start(stack, told)
        ask_until(all_sent, 200)
    assert set(told.by_webhook()) == set(told.by_mail()) == told.told
    assert told.doubled() <= KILLS * IN_FLIGHT
    sys.stdout.write(f"{KILLS} kills, {DELIVERIES} deliveries: {told.doubled()} arrived twice, with the same id\n")


def test_two_senders_at_once_send_each_thing_once(post: Callable[..., Post]) -> None:
    told = post(DELIVERIES)
    with ExitStack() as stack:
        start(stack, told, 2)
        told.tell()
        ask_until(all_sent)
    assert set(told.by_webhook()) == set(told.by_mail()) == told.told
    assert told.doubled() == 0


class Freezer:
    """Freezes the sender at its first post, which is answered; all others are taken."""

    def __init__(self, receiver: Receiver) -> None:
        self.pid = 0
        self.frozen = threading.Event()
        receiver.behave = self._answer

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        if self.pid and not self.frozen.is_set():
            self.frozen.set()
            os.kill(self.pid, signal.SIGSTOP)
        handler.send_response(204)
        handler.end_headers()


def thawed(told: Post) -> int:
    """One sender is frozen at the first post of a turn until its claim is over and another one has sent everything;
    then it wakes up. How many things arrived twice in the end."""
    freezer = Freezer(told.receiver)
    with ExitStack() as stack:
        [frozen] = start(stack, told)
        freezer.pid = frozen.pid
        told.tell()
        assert freezer.frozen.wait(30)
        with ExitStack() as other:
            start(other, told)
            ask_until(all_sent)
        # Awake, it is done with that turn when it sends to the same address what is told only now.
        later = Notice.objects.create(
            user=User.objects.get(), source="later", event="outbid", title="Later", text="", url="/", at=clock.now()
        )
        plan([later], clock.now())
        frozen.send_signal(signal.SIGCONT)
        ask_until(all_sent)
        told.told.add(later.token)
    assert set(told.by_webhook()) == set(told.by_mail()) == told.told
    return told.doubled()


def test_frozen_for_longer_than_its_claim_a_sender_goes_on_with_nothing(post: Callable[..., Post]) -> None:
    assert thawed(post(20, people=1)) <= 2  # what each of its two threads was at in that moment
