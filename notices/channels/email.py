"""Mail to the confirmed address of a person."""

from __future__ import annotations

import hashlib
import smtplib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection

from notices.channels.base import GaveUp, Outgoing, TryAgain, one_line
from notices.channels.mail_text import words_of

MOST_SECONDS = 30.0
"""For one mail, however slowly the server answers."""


class _Connection(threading.local):
    """A thread's connection to the mail server, kept for the next mail or not."""

    connection: Any = None
    is_kept = False


_own = _Connection()


def send(outgoing: Outgoing) -> None:
    """Send one mail. Raises `TryAgain`, `GaveUp`."""
    if not outgoing.target:
        raise GaveUp("There is no confirmed email address.")
    try:
        with _connected() as connection:
            _mail(outgoing, connection).send()
    except smtplib.SMTPRecipientsRefused as error:
        code, said = next(iter(error.recipients.values()))
        raise _refused(code, said) from error
    except (smtplib.SMTPDataError, smtplib.SMTPSenderRefused) as error:
        raise _refused(error.smtp_code, error.smtp_error) from error
    except (smtplib.SMTPException, OSError) as error:
        # Also where it wants another password: that is not the reader's fault, and somebody will mend it.
        raise TryAgain("The mail server could not be reached, or it closed the connection.") from error


@contextmanager
def kept_open() -> Iterator[None]:
    """In this block a connection stays open for the next mail of this thread: to connect, encrypt and sign in takes
    longer than a mail does."""
    _own.is_kept = True
    try:
        yield
    finally:
        _own.is_kept = False
        _hang_up()


@contextmanager
def _connected() -> Iterator[Any]:
    """An open connection for one mail, cut off after `MOST_SECONDS`: its own timeout begins over with every answer. If
    the mail fails, it is not used again."""
    if not _is_good(_own.connection):
        _hang_up()
        _own.connection = get_connection()
    watch = threading.Timer(MOST_SECONDS, _cut, [_own.connection])
    watch.daemon = True
    watch.start()
    try:
        _own.connection.open()
        yield _own.connection
    except BaseException:
        _hang_up()
        raise
    finally:
        watch.cancel()
        if not _own.is_kept:
            _hang_up()


def _is_good(connection: Any) -> bool:
    """Whether it can carry another mail. The server is asked, for it may have ended the connection: found out while a
    mail is on its way, that would leave open whether it was taken."""
    smtp = getattr(connection, "connection", None)
    try:
        return isinstance(smtp, smtplib.SMTP) and smtp.rset()[0] == 250
    except (smtplib.SMTPException, OSError):
        return False


def _cut(connection: Any) -> None:
    """End it at once, whatever it waits for, also while it is being opened."""
    smtp = getattr(connection, "connection", None) or getattr(connection, "_partial_connection", None)
    with suppress(OSError, AttributeError):  # closed already, or none by SMTP
        smtp.sock.shutdown(socket.SHUT_RDWR)  # type: ignore[union-attr]


def _hang_up() -> None:
    """End it as is polite; a server that has gone is left alone."""
    connection, _own.connection = _own.connection, None
    if connection is not None:
        with suppress(smtplib.SMTPException, OSError):
            connection.close()


def _mail(outgoing: Outgoing, connection: Any) -> EmailMultiAlternatives:
    words = words_of(outgoing)
    host, first = urlsplit(settings.SITE_URL).hostname, outgoing.items[0]
    headers = {
        # The same for the same notices, so that mail programs know a second copy.
        "Message-ID": f"<{_id(outgoing)}.{outgoing.address_token}@{host}>",
        "List-Unsubscribe": f"<{words.unsubscribe}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
    }
    if first.match_id and not outgoing.is_digest:
        headers["References"] = f"<match.{first.match_id}.{outgoing.address_token}@{host}>"  # one thread for a match
    mail = EmailMultiAlternatives(
        subject=one_line(f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{words.subject}"),
        body=words.text,
        to=[outgoing.target],
        headers=headers,
        connection=connection,
    )
    mail.attach_alternative(words.html, "text/html")
    return mail


def _id(outgoing: Outgoing) -> str:
    if len(outgoing.items) == 1:
        return outgoing.items[0].id
    return hashlib.sha256(" ".join(item.id for item in outgoing.items).encode()).hexdigest()[:24]


def _refused(code: int, said: bytes | str) -> TryAgain | GaveUp:
    text = one_line(said.decode("utf-8", "replace") if isinstance(said, bytes) else said)[:200]
    if 400 <= code < 500:
        return TryAgain(f"The mail server has not accepted it yet ({code} {text}).")
    return GaveUp(f"The mail server refused it ({code} {text}).")
