"""Many mails at once, at a real SMTP server: over few connections, what is urgent first, and each of them once."""

from collections import Counter

import pytest
from allauth.account.models import EmailAddress

from accounts.models import User
from matches.models import clock
from notices import deliveries
from notices.models import Delivery, Habits, Notice
from notices.routing import plan
from tests.fixtures.mail_server import MailServer, hanging_up
from tests.services.conftest import person

pytestmark = pytest.mark.django_db


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


def test_a_server_that_ends_connections_gets_each_mail_once(mail_server: MailServer) -> None:
    mail_server.to_mail.extend([hanging_up] * 10)
    tell(users := readers(20))
    deliveries.send_due()
    assert arrived(mail_server) == {user.email: 1 for user in users}
    assert set(Delivery.objects.values_list("status", "attempts")) == {("sent", 1)}


def test_what_is_urgent_goes_before_what_can_wait(mail_server: MailServer) -> None:
    users = readers(6)
    Habits.objects.bulk_create(Habits(user=user, digest=False) for user in users)
    tell(users[:4], "won", "routine")
    tell(users[4:], "outbid", "urgent")
    deliveries.send_due()
    assert [mail["Subject"].split()[-1] for mail in mail_server.taken] == ["urgent"] * 2 + ["routine"] * 4
