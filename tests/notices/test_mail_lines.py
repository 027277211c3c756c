"""Many mails at once, at a real SMTP server: over few connections, what is urgent first, and each of them once."""

from __future__ import annotations

from collections import Counter

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from matches.models import clock
from notices.channels import mail_lines
from notices.models import Address, Delivery, Habits, Notice
from notices.services import sending
from notices.services.claiming import claim
from notices.services.noting import note
from notices.services.planning import plan
from tests.fixtures.mail_server import MailServer, hanging_up, saying
from tests.services.conftest import person

pytestmark = pytest.mark.django_db

THREADS = sending.THREADS[Address.Channel.EMAIL]


def readers(count: int) -> list[User]:
    found = [person(f"ann{number}") for number in range(count)]
    EmailAddress.objects.bulk_create(
        EmailAddress(user=user, email=user.email, verified=True, primary=True) for user in found
    )
    return found


def tell(users: list[User], event: str = "outbid", title: str = "Outbid") -> None:
    now = clock.now()
    made = [
        Notice(user=user, source=f"{event}:{number}", event=event, title=title, text="", url="/", at=now)
        for number, user in enumerate(users)
    ]
    plan(Notice.objects.bulk_create(made), now)


def arrived(server: MailServer) -> Counter[str]:
    return Counter(mail["To"] for mail in server.taken)


def test_a_connection_carries_many_mails(mail_server: MailServer) -> None:
    tell(users := readers(5 * THREADS))
    assert sending.send_due() == len(users)
    assert arrived(mail_server) == {user.email: 1 for user in users}
    assert len(mail_server.peers) <= THREADS


def test_a_connection_does_not_carry_more_than_servers_take(mail_server: MailServer, monkeypatch) -> None:
    monkeypatch.setattr(mail_lines, "MOST_MAILS", 2)
    monkeypatch.setitem(sending.THREADS, Address.Channel.EMAIL, 1)
    tell(readers(6))
    sending.send_due()
    assert (len(mail_server.taken), len(mail_server.peers)) == (6, 3)


def test_a_server_that_ends_connections_gets_each_mail_once(mail_server: MailServer) -> None:
    mail_server.to_mail.extend([hanging_up] * 10)
    tell(users := readers(20))
    sending.send_due()
    assert arrived(mail_server) == {user.email: 1 for user in users}
    assert set(Delivery.objects.values_list("status", "attempts")) == {("sent", 1)}


def test_one_refused_mail_does_not_touch_the_next_ones(mail_server: MailServer, monkeypatch) -> None:
    monkeypatch.setitem(sending.THREADS, Address.Channel.EMAIL, 1)
    mail_server.to_mail.extend([saying("250 OK"), saying("554 Not wanted"), saying("451 Later")])
    tell(readers(5))
    sending.send_due()
    assert Counter(Delivery.objects.values_list("status", flat=True)) == {"sent": 3, "failed": 1, "waiting": 1}


def test_what_is_urgent_goes_before_what_can_wait(mail_server: MailServer, monkeypatch) -> None:
    monkeypatch.setitem(sending.THREADS, Address.Channel.EMAIL, 1)
    monkeypatch.setitem(sending.AHEAD, Address.Channel.EMAIL, 2)
    users = readers(6)
    Habits.objects.bulk_create(Habits(user=user, digest=False) for user in users)
    tell(users[:4], "won", "routine")
    tell(users[4:], "outbid", "urgent")
    sending.send_due()
    assert [mail["Subject"].split()[-1] for mail in mail_server.taken] == ["urgent"] * 2 + ["routine"] * 4


def test_nothing_is_looked_for_at_each_free_thread_where_nothing_waited(mail_server: MailServer, monkeypatch) -> None:
    """Nothing is noted while the database is asked."""
    monkeypatch.setattr(sending, "_LOOK_SECONDS", 60.0)
    asked = []

    def claiming(free, busy):
        asked.append(sum(free.values()))
        return claim(free, busy)

    monkeypatch.setattr(sending, "claim", claiming)
    tell(users := readers(3 * THREADS))
    assert sending.send_due() == len(users)
    assert sum(count > 0 for count in asked) == 2, "once for all of them, and once when they were done"


@pytest.mark.parametrize("count", [2, 30])
def test_many_are_claimed_and_noted_with_as_many_statements_as_few(count: int) -> None:
    """The database is what a burst of mail waits for."""
    tell(readers(count))
    with CaptureQueriesContext(connection) as claiming:
        lanes = claim({Address.Channel.EMAIL: count}, [])
    assert len(lanes) == count
    for lane in lanes:
        lane.results, lane.is_over = [None], True
    with CaptureQueriesContext(connection) as noting:
        note(lanes)
    assert set(Delivery.objects.values_list("status", flat=True)) == {"sent"}
    assert len(claiming) <= 10
    assert len(noting) <= 4
