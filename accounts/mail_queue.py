"""Mail of the account pages: queued at once, sent by a task afterwards.

A page that sent mail itself would take longer whenever there is one to send, and a slow mail server would hold up
sign-ups. For a new password the page only queues the address; the task finds out whether it has an account, so the
page's answer cannot reveal that.
"""

import hashlib
from datetime import timedelta
from email.utils import make_msgid
from urllib.parse import urlsplit

import structlog
from allauth.account.forms import ResetPasswordForm
from allauth.core.context import request_context
from django.conf import settings
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import QueuedMail

MOST_A_DAY = 10
"""Mails to one address in a day; further ones are dropped without a message."""

GIVES_UP_AFTER = timedelta(days=1)
_CLAIM = timedelta(minutes=5)  # then another process tries again, as the first has died
_AT_ONCE = 50

logger = structlog.get_logger(__name__)


def send(to: str, subject: str, text: str, *, is_counted: bool = False) -> None:
    """Queue a mail, unless its address has had too many today. `is_counted`: it was counted when it was asked for."""
    if is_counted or _may_be_sent(to):
        QueuedMail.objects.create(purpose=QueuedMail.Purpose.WRITTEN, to=to, subject=subject, text=text)


def ask_for_new_password(to: str) -> None:
    """Queue a mail that tells this address how to choose a new password, or that it has no account."""
    if _may_be_sent(to):
        QueuedMail.objects.create(purpose=QueuedMail.Purpose.NEW_PASSWORD, to=to)


def send_due() -> int:
    """Send the mails that are due, and return how many were tried."""
    dealt_with = 0
    for mail in QueuedMail.objects.filter(due_at__lte=timezone.now()).order_by("due_at")[:_AT_ONCE]:
        # From now on: those before it may have taken longer than a claim lasts.
        claimed = QueuedMail.objects.filter(pk=mail.pk, due_at=mail.due_at).update(due_at=timezone.now() + _CLAIM)
        if claimed:
            _deal_with(mail)
            dealt_with += 1
    return dealt_with


def _may_be_sent(to: str) -> bool:
    key = f"mails.{hashlib.sha256(to.casefold().encode()).hexdigest()}"
    cache.add(key, 0, timedelta(days=1).total_seconds())
    try:
        return cache.incr(key) <= MOST_A_DAY
    except ValueError:  # the count has just expired
        return True


def _deal_with(mail: QueuedMail) -> None:
    if mail.purpose == QueuedMail.Purpose.NEW_PASSWORD:
        _write_of_new_password(mail)
        return
    try:
        _mail(mail).send()
    except Exception as error:  # the server is away, or this cannot be written: it must not keep the others
        _try_again_later(mail, error)
    else:
        mail.delete()


def _mail(mail: QueuedMail) -> EmailMessage:
    """Build the message, with the site's name in its Message-ID rather than the machine's, and marked as automatic so
    that absence notes do not answer it."""
    headers = {
        "Message-ID": make_msgid(domain=urlsplit(settings.SITE_URL).hostname),
        "Auto-Submitted": "auto-generated",
    }
    return EmailMessage(mail.subject, mail.text, settings.DEFAULT_FROM_EMAIL, [mail.to], headers=headers)


def _write_of_new_password(mail: QueuedMail) -> None:
    """Let allauth write the mail; it is queued as a row of its own, due at once."""
    form = ResetPasswordForm({"email": mail.to})
    with request_context(_request()) as request:
        if form.is_valid():
            form.save(request)
    mail.delete()


def _try_again_later(mail: QueuedMail, error: Exception) -> None:
    now = timezone.now()
    if now - mail.made_at > GIVES_UP_AFTER:
        logger.error("mail_given_up", mail=mail.pk, error=repr(error))
        mail.delete()
        return
    logger.warning("mail_not_sent", mail=mail.pk, error=repr(error))
    mail.tries += 1
    mail.due_at = now + timedelta(minutes=min(2**mail.tries, 60))
    mail.save(update_fields=["tries", "due_at"])


def _request() -> HttpRequest:
    """A request to the site's public address, from which allauth makes links."""
    request, site = HttpRequest(), urlsplit(settings.SITE_URL)
    request.META |= {"HTTP_HOST": site.netloc, "SERVER_NAME": site.hostname, "SERVER_PORT": str(site.port or 80)}
    return request
