"""Mails of the account pages: sent by a task, once, again if the mail server is away, and not without end."""

from datetime import timedelta
from smtplib import SMTPServerDisconnected
from urllib.parse import urlsplit

import pytest
import time_machine
from django.conf import settings
from django.core import mail
from django.core.mail import EmailMessage
from django.utils import timezone

from accounts import mail_queue
from accounts.models import QueuedMail, User
from genius_site.tasks import send_mail
from tests.accounts.conftest import deliver


def test_a_mail_is_sent_once_and_then_gone(db: None) -> None:
    mail_queue.send("ann@example.org", "Hello", "Text")
    send_mail()
    send_mail()
    assert [(mail.to, mail.subject, mail.body) for mail in mail.outbox] == [(["ann@example.org"], "Hello", "Text")]
    headers = mail.outbox[0].message()
    assert headers["Message-ID"].endswith(f"@{urlsplit(settings.SITE_URL).hostname}>")
    assert headers["Auto-Submitted"] == "auto-generated"
    assert not QueuedMail.objects.exists()


def test_one_that_another_process_sends_is_left_to_it(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    mail_queue.send("ann@example.org", "Hello", "Text")
    monkeypatch.setattr(mail_queue, "_deal_with", lambda mail: None)  # it dies while it sends
    assert mail_queue.send_due() == 1
    monkeypatch.undo()
    assert mail_queue.send_due() == 0
    QueuedMail.objects.update(due_at=timezone.now())  # some minutes later
    deliver()
    assert len(mail.outbox) == 1


def test_while_the_mail_server_is_away_it_is_tried_again_for_a_day(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(mail: EmailMessage) -> None:
        raise SMTPServerDisconnected("gone")

    monkeypatch.setattr(EmailMessage, "send", fail)
    mail_queue.send("ann@example.org", "Hello", "Text")
    waits = []
    for _ in range(8):
        mail_queue.send_due()
        waits.append(round((QueuedMail.objects.get().due_at - timezone.now()) / timedelta(minutes=1)))
        QueuedMail.objects.update(due_at=timezone.now())
    assert waits == [2, 4, 8, 16, 32, 60, 60, 60]
    QueuedMail.objects.update(made_at=timezone.now() - timedelta(days=2))
    mail_queue.send_due()
    assert not QueuedMail.objects.exists()


def test_one_that_cannot_be_written_does_not_keep_the_others(db: None) -> None:
    mail_queue.send("ann@example.org", "Two\nlines", "Text")
    mail_queue.send("bob@example.org", "Hello", "Text")
    assert mail_queue.send_due() == 2
    assert [each.to for each in mail.outbox] == [["bob@example.org"]]
    assert QueuedMail.objects.get().tries == 1


def test_each_is_claimed_from_when_its_turn_comes(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or, where a server takes its time, a second process would send the last ones of many as well."""

    def take_long(queued: QueuedMail) -> None:
        assert QueuedMail.objects.get(pk=queued.pk).due_at > timezone.now()
        traveller.shift(timedelta(minutes=4))

    monkeypatch.setattr(mail_queue, "_deal_with", take_long)
    for name in ("ann", "bob", "cat"):
        mail_queue.send(f"{name}@example.org", "Hello", "Text")
    with time_machine.travel(timezone.now(), tick=False) as traveller:
        assert mail_queue.send_due() == 3


def test_nobody_is_sent_letters_without_end(ann: User) -> None:
    for _ in range(15):
        mail_queue.ask_for_new_password("ann@example.org")
        mail_queue.ask_for_new_password("ANN@example.org")
    assert QueuedMail.objects.count() == mail_queue.MOST_A_DAY
    deliver()
    assert len(mail.outbox) == mail_queue.MOST_A_DAY


def test_links_lead_to_the_sites_own_address(ann: User, settings: object) -> None:
    settings.SITE_URL = "https://genius.example.org"  # type: ignore[attr-defined]
    settings.ALLOWED_HOSTS = ["genius.example.org", "elsewhere.example.org"]  # type: ignore[attr-defined]
    mail_queue.ask_for_new_password("ann@example.org")
    deliver()
    assert "://genius.example.org/accounts/password/reset/key/" in mail.outbox[0].body
