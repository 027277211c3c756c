"""Mail of the account pages: stored at once, sent by a task afterwards.

A page that sent a mail itself would answer later when there is one to send, and a mail server that is slow or away
would hold up sign-ups. For a new password the page only notes the address: whether an account has it, and what the
mail says, is found out by the task, so the page cannot tell.
"""

import hashlib
from datetime import timedelta
from email.utils import make_msgid
from smtplib import SMTPException
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
"""Mails to one address. Further ones are not sent, and nobody is told so."""

GIVES_UP_AFTER = timedelta(days=1)
_CLAIM = timedelta(minutes=5)  # if the process dies while it sends, another one tries again
_AT_ONCE = 50

logger = structlog.get_logger(__name__)


def send(to: str, subject: str, text: str) -> None:
    """Send this mail soon."""
    if _may_be_sent(to):
        QueuedMail.objects.create(purpose=QueuedMail.Purpose.WRITTEN, to=to, subject=subject, text=text)


def ask_for_new_password(to: str) -> None:
    """Soon tell this address how to choose a new password, or that no account has it."""
    if _may_be_sent(to):
        QueuedMail.objects.create(purpose=QueuedMail.Purpose.NEW_PASSWORD, to=to)


def send_due() -> int:
    """Send what is due; how many mails were dealt with."""
    now = timezone.now()
    dealt_with = 0
    for mail in QueuedMail.objects.filter(due_at__lte=now).order_by("due_at")[:_AT_ONCE]:
        claimed = QueuedMail.objects.filter(pk=mail.pk, due_at=mail.due_at).update(due_at=now + _CLAIM)
        if claimed:
            _deal_with(mail)
            dealt_with += 1
    return dealt_with


def _may_be_sent(to: str) -> bool:
    key = f"mails.{hashlib.sha256(to.casefold().encode()).hexdigest()}"
    cache.add(key, 0, timedelta(days=1).total_seconds())
    try:
        return cache.incr(key) <= MOST_A_DAY
    except ValueError:  # the cache does not keep anything now
        return True


def _deal_with(mail: QueuedMail) -> None:
    if mail.purpose == QueuedMail.Purpose.NEW_PASSWORD:
        _write_of_new_password(mail)
        return
    try:
        _mail(mail).send()
    except (OSError, SMTPException) as error:
        _try_again_later(mail, error)
    else:
        mail.delete()


def _mail(mail: QueuedMail) -> EmailMessage:
    """Its Message-ID is of the site's name, not of the machine's; nobody's absence note answers it."""
    headers = {
        "Message-ID": make_msgid(domain=urlsplit(settings.SITE_URL).hostname),
        "Auto-Submitted": "auto-generated",
    }
    return EmailMessage(mail.subject, mail.text, settings.DEFAULT_FROM_EMAIL, [mail.to], headers=headers)


def _write_of_new_password(mail: QueuedMail) -> None:
    """Its mails are then rows of their own, due at once."""
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
    """A request to the site's own address, which the links of mails are made from."""
    request, site = HttpRequest(), urlsplit(settings.SITE_URL)
    request.META |= {"HTTP_HOST": site.netloc, "SERVER_NAME": site.hostname, "SERVER_PORT": str(site.port or 80)}
    return request
