"""Letters of the account pages: sent by a task, once, again if the mail server is away, and not without end."""

from __future__ import annotations

from datetime import timedelta
from smtplib import SMTPServerDisconnected
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.core import mail
from django.core.mail import EmailMessage
from django.utils import timezone

from accounts import letters
from accounts.models import Letter, User
from accounts.tasks import send_letters
from tests.accounts.conftest import deliver


def test_a_letter_is_sent_once_and_then_gone(db: None) -> None:
    letters.send("ann@example.org", "Hello", "Text")
    send_letters()
    send_letters()
    assert [(letter.to, letter.subject, letter.body) for letter in mail.outbox] == [
        (["ann@example.org"], "Hello", "Text")
    ]
    headers = mail.outbox[0].message()
    assert headers["Message-ID"].endswith(f"@{urlsplit(settings.SITE_URL).hostname}>")
    assert headers["Auto-Submitted"] == "auto-generated"
    assert not Letter.objects.exists()


def test_one_that_another_process_sends_is_left_to_it(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    letters.send("ann@example.org", "Hello", "Text")
    monkeypatch.setattr(letters, "_deal_with", lambda letter: None)  # it dies while it sends
    assert letters.send_due() == 1
    monkeypatch.undo()
    assert letters.send_due() == 0
    Letter.objects.update(due_at=timezone.now())  # some minutes later
    deliver()
    assert len(mail.outbox) == 1


def test_one_that_another_process_has_just_begun_is_left_to_it(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ann", "bob"):
        letters.send(f"{name}@example.org", "Hello", "Text")
    sent = []

    def deal_with(letter: Letter) -> None:
        sent.append(letter.to)
        Letter.objects.exclude(pk=letter.pk).update(due_at=timezone.now() + timedelta(minutes=5))  # by the other one

    monkeypatch.setattr(letters, "_deal_with", deal_with)
    assert letters.send_due() == len(sent) == 1


def test_while_the_mail_server_is_away_it_is_tried_again_for_a_day(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(letter: EmailMessage) -> None:
        raise SMTPServerDisconnected("gone")

    monkeypatch.setattr(EmailMessage, "send", fail)
    letters.send("ann@example.org", "Hello", "Text")
    waits = []
    for _ in range(8):
        letters.send_due()
        waits.append(round((Letter.objects.get().due_at - timezone.now()) / timedelta(minutes=1)))
        Letter.objects.update(due_at=timezone.now())
    assert waits == [2, 4, 8, 16, 32, 60, 60, 60]
    Letter.objects.update(made_at=timezone.now() - timedelta(days=2))
    letters.send_due()
    assert not Letter.objects.exists()


def test_nobody_is_sent_letters_without_end(ann: User) -> None:
    for _ in range(15):
        letters.ask_for_new_password("ann@example.org")
        letters.ask_for_new_password("ANN@example.org")
    assert Letter.objects.count() == letters.MOST_A_DAY


def test_links_lead_to_the_sites_own_address(ann: User, settings: object) -> None:
    settings.SITE_URL = "https://genius.example.org"  # type: ignore[attr-defined]
    settings.ALLOWED_HOSTS = ["genius.example.org", "elsewhere.example.org"]  # type: ignore[attr-defined]
    letters.ask_for_new_password("ann@example.org")
    deliver()
    assert "://genius.example.org/accounts/password/reset/key/" in mail.outbox[0].body
