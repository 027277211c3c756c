"""Senders that are killed, and that run at the same time: nothing is lost, and nothing doubled for a receiver that
looks at ids. `NOTICES_KILLS` and `NOTICES_DELIVERIES` make the first test larger (20 and 1000, say)."""

from __future__ import annotations

import os
import random
import sys
from collections import Counter
from contextlib import ExitStack

import pytest
from allauth.account.models import EmailAddress
from django.db import transaction

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
IN_FLIGHT = 4
"""The most that a killed sender can have sent without having noted it: one for each of its threads that is at it."""


class Post:
    """What is to be told, and where it arrives: half by webhook, half by mail, in turn to six people."""

    def __init__(self, receiver: Receiver, mail_server: MailServer) -> None:
        self.receiver, self.mail_server = receiver, mail_server
        self.told: set[str] = set()
        self._readers = [person(f"ann{number}") for number in range(6)]
        for reader in self._readers:
            addresses.add_webhook(reader, receiver.url(f"/{reader.username}"))
            EmailAddress.objects.create(user=reader, email=reader.email, verified=True, primary=True)

    def tell(self) -> Post:
        now = clock.now()
        fields = {"event": "outbid", "title": "You have been outbid · A match", "text": "Bob bids.", "url": "/"}
        made = [
            Notice(user=self._readers[number % 6], source=f"test:{number}", at=now, **fields)
            for number in range(DELIVERIES // 2)
        ]
        with transaction.atomic():
            plan(Notice.objects.bulk_create(made), now)
        self.told = {notice.token for notice in made}
        assert Delivery.objects.count() == DELIVERIES
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
def post(receiver: Receiver, mail_server: MailServer) -> Post:
    return Post(receiver, mail_server)


def start(stack: ExitStack, post: Post, count: int = 1) -> list[Fork]:
    return stack.enter_context(sending(count, certificate(HOST), post.mail_server.port))


def all_sent() -> bool:
    return not Delivery.objects.exclude(status="sent").exists()


def test_killed_at_any_moment_nothing_is_lost_and_ids_tell_what_is_double(post: Post) -> None:
    told, chance = post.tell(), random.Random(7)
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


def test_two_senders_at_once_send_each_thing_once(post: Post) -> None:
    with ExitStack() as stack:
        start(stack, post, 2)
        post.tell()
        ask_until(all_sent)
    assert set(post.by_webhook()) == set(post.by_mail()) == post.told
    assert post.doubled() == 0
