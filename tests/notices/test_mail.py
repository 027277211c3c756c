"""Mail, at a real SMTP server: what arrives, and what its refusals lead to."""

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.account.signals import email_changed
from django.db import OperationalError
from django.test import Client

from accounts.models import User
from matches.models import clock
from notices import addresses, deliveries
from notices.channels import email
from notices.deliveries import PAUSES
from notices.models import Address, Choice, Delivery, Habits, Notice
from notices.routing import plan
from tests.fixtures.mail_server import MailServer, hanging_up, saying
from tests.services.conftest import person

pytestmark = pytest.mark.django_db


class Reader:
    """A person who gets mail, to whom things are told one by one."""

    def __init__(self, name: str = "ann") -> None:
        self.user = person(name, time_zone="Europe/Berlin")
        EmailAddress.objects.create(user=self.user, email=f"{name}@example.org", verified=True, primary=True)
        self._told = 0

    def tell(self, event: str = "outbid", **more) -> Notice:
        self._told += 1
        fields = {"title": "You have been outbid · A match", "text": "Bob bids 4 on Y.", "url": "/matches/abc/", **more}
        made = Notice.objects.create(user=self.user, source=f"test:{self._told}", event=event, at=clock.now(), **fields)
        plan([made], clock.now())
        return made

    @property
    def address(self) -> Address:
        return Address.objects.get(user=self.user)


def test_a_mail_has_both_parts_and_the_headers_that_programs_want(mail_server: MailServer, settings) -> None:
    notice = Reader().tell()
    assert deliveries.send_due() == 1
    [mail] = mail_server.taken
    assert mail["Subject"] == "Genius: You have been outbid · A match"
    assert mail["To"] == "ann@example.org"
    assert mail["Message-ID"].startswith(f"<{notice.token}.")
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert mail["List-Unsubscribe"].strip().startswith(f"<{settings.SITE_URL}/notices/unsubscribe/")
    assert mail["Auto-Submitted"] == "auto-generated"
    text, html = mail.get_body(("plain",)), mail.get_body(("html",))
    assert "Bob bids 4 on Y." in text.get_content()
    assert "Bob bids 4 on Y." in html.get_content()


def test_a_title_cannot_add_headers_or_recipients(mail_server: MailServer) -> None:
    Reader().tell(title="Cup\r\nBcc: eve@example.org\r\n\r\nHello \u202e\x00 there")
    assert deliveries.send_due() == 1
    [mail] = mail_server.taken
    assert mail["Subject"] == "Genius: Cup Bcc: eve@example.org Hello there"
    assert mail["Bcc"] is None
    assert Delivery.objects.get().status == "sent"


def test_a_server_that_puts_off_is_asked_again_and_gets_the_same_mail(mail_server: MailServer, present) -> None:
    reader = Reader()
    reader.tell()
    mail_server.to_address.append("450 4.2.0 Greylisted, come back later")
    deliveries.send_due()
    delivery = Delivery.objects.get()
    assert (delivery.status, delivery.attempts) == ("waiting", 1)
    assert "Greylisted" in delivery.last_error
    assert reader.address.last_error == delivery.last_error
    present.forward(PAUSES[0] - timedelta(seconds=1))
    assert deliveries.send_due() == 0
    present.forward(timedelta(seconds=1))
    assert deliveries.send_due() == 1
    assert Delivery.objects.get().status == "sent"
    assert reader.address.last_error == ""


@pytest.mark.parametrize("where", ["address", "mail"])
def test_a_server_that_refuses_is_not_asked_again(mail_server: MailServer, where: str) -> None:
    reader = Reader()
    reader.tell()
    if where == "address":
        mail_server.to_address.append("550 5.1.1 No such user\r\n")
    else:
        mail_server.to_mail.append(saying("554 5.7.1 Not wanted"))
    deliveries.send_due()
    delivery = Delivery.objects.get()
    assert delivery.status == "failed"
    assert delivery.last_error.startswith("The mail server refused it (55")
    assert reader.address.stopped_at is None
    reader.tell()
    assert deliveries.send_due() == 1


def test_a_server_that_hangs_up_after_it_has_taken_a_mail_gets_no_second_one(mail_server: MailServer) -> None:
    mail_server.to_mail.append(hanging_up)
    Reader().tell()
    deliveries.send_due()
    assert list(Delivery.objects.values_list("status", "attempts")) == [("sent", 1)]
    assert len(mail_server.taken) == 1


def test_what_comes_after_a_mail_that_was_put_off_waits_for_it(mail_server: MailServer, present) -> None:
    reader = Reader()
    reader.tell(title="First")
    reader.tell(title="Second")
    mail_server.to_address.append("450 4.2.0 Greylisted, come back later")
    assert deliveries.send_due() == 1
    present.forward(PAUSES[0])
    assert deliveries.send_due() == 2
    assert [mail["Subject"] for mail in mail_server.taken] == ["Genius: First", "Genius: Second"]


@pytest.mark.django_db(transaction=True)
def test_a_sent_mail_is_recorded_once_the_database_is_back(mail_server: MailServer, monkeypatch) -> None:
    note, errors = deliveries.note, [OperationalError("the database is away")] * 2

    def noted(*result: object) -> None:
        if errors:
            raise errors.pop()
        note(*result)

    monkeypatch.setattr(deliveries, "note", noted)
    monkeypatch.setattr(deliveries, "_BETWEEN_TRIES", 0.0)
    Reader().tell()
    deliveries.send_due()
    assert Delivery.objects.get().status == "sent"


def test_a_task_that_is_done_after_its_claim_has_ended_leaves_the_next_claim_alone(present, monkeypatch) -> None:
    of_another = clock.now() + timedelta(minutes=2)
    monkeypatch.setattr(email, "send", lambda outgoing: Address.objects.update(claimed_until=of_another))
    reader = Reader()
    reader.tell()
    deliveries.send_due()
    assert Delivery.objects.get().status == "sent"
    assert reader.address.claimed_until == of_another


def test_what_is_urgent_goes_before_what_can_wait(mail_server: MailServer) -> None:
    ann, bob = Reader("ann"), Reader("bob")
    Habits.objects.create(user=ann.user, digest=False)
    ann.tell("won")
    bob.tell()
    deliveries.send_due()
    assert [mail["To"] for mail in mail_server.taken] == ["bob@example.org", "ann@example.org"]


def unsubscribe_path(mail, settings) -> str:
    found = re.fullmatch(r"<(.+)>", mail["List-Unsubscribe"].strip())
    return found[1].removeprefix(settings.SITE_URL)


@pytest.fixture
def link(mail_server: MailServer, settings) -> str:
    Reader().tell()
    deliveries.send_due()
    return unsubscribe_path(mail_server.taken[0], settings)


def test_mail_is_switched_off_by_one_click_without_signing_in(link: str, mail_server: MailServer) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(link, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert list(Choice.objects.values_list("event", "channel", "on")) == [("outbid", "email", False)]
    Notice.objects.all().delete()
    reader = Notice(user=Address.objects.get().user, source="next", event="outbid", at=clock.now())
    reader.save()
    plan([reader], clock.now())
    assert not reader.deliveries.exists()
    assert strict.post(link, {"List-Unsubscribe": "One-Click"}).status_code == 200


def test_looking_changes_nothing(link: str) -> None:
    for _ in range(2):
        answer = Client().get(link)
        assert answer.status_code == 200
        assert "I am outbid" in answer.content.decode()
    Client().head(link)
    assert not Choice.objects.exists()


@pytest.mark.parametrize("change", ["person", "event", "cut", "nonsense", "long", "nul"])
def test_a_forged_link_is_refused(link: str, change: str) -> None:
    reader = Address.objects.get().user
    other = person("bob")
    forged = {
        "person": link.replace(f"{reader.pk}:", f"{other.pk}:", 1),
        "event": link.replace("outbid", "won"),
        "cut": link[:-4] + "/",
        "nonsense": "/notices/unsubscribe/1:all/",
        "long": f"/notices/unsubscribe/{'x' * 5000}/",
        "nul": "/notices/unsubscribe/1%00:all/",
    }[change]
    assert forged != link
    for answer in (Client().get(forged), Client().post(forged)):
        assert answer.status_code in (400, 404)
    assert not Choice.objects.exists()


def test_mail_goes_to_the_address_as_it_is_when_it_is_sent(mail_server: MailServer) -> None:
    reader = Reader()
    reader.tell()
    EmailAddress.objects.update(email="new@example.org")
    deliveries.send_due()
    assert mail_server.taken[0]["To"] == "new@example.org"


def test_a_new_mailbox_gets_mail_though_the_old_one_was_given_up(mail_server: MailServer) -> None:
    reader = Reader()
    reader.tell()
    deliveries.send_due()
    Address.objects.update(stopped_at=clock.now(), failures=25)
    old = reader.user.emailaddress_set.get()
    old.email = "new@example.org"
    old.save()
    email_changed.send(EmailAddress, request=None, user=reader.user, from_email_address=old, to_email_address=old)
    reader.tell()
    deliveries.send_due()
    assert [mail["To"] for mail in mail_server.taken] == ["ann@example.org", "new@example.org"]


def test_without_a_confirmed_address_nothing_is_sent_and_it_says_so(mail_server: MailServer) -> None:
    reader = Reader()
    reader.tell()
    EmailAddress.objects.update(verified=False)
    deliveries.send_due()
    assert Delivery.objects.get().last_error == "There is no confirmed email address."
    assert addresses.try_out(reader.user, reader.address.token).sent is False


def test_nothing_goes_to_an_account_that_was_closed_since(mail_server: MailServer) -> None:
    reader = Reader()
    reader.tell()
    User.objects.update(is_active=False)
    deliveries.send_due()
    assert mail_server.taken == []
