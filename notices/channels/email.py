"""The channel for mail: sending it to a person's confirmed address, its words, and its styles."""

import hashlib
import re
import smtplib
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.template.loader import render_to_string

from matches.engine.notice_events import DEADLINE_NEAR
from notices import events
from notices.channels.base import GaveUp, Outgoing, TryAgain, by_when, lines_of, moment, one_line
from notices.inbox import by_match
from notices.models import Notice
from notices.preferences import DIGEST, unsubscribe_link
from notices.reminder_times import again_link, offer_again

MOST_SECONDS = 30.0
"""The limit for one mail, however slowly the server answers."""


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
        # Includes a changed password: that is not the reader's fault, and an operator will mend it.
        raise TryAgain("The site could not reach the mail server, or it closed the connection.") from error


@contextmanager
def _connected() -> Iterator[Any]:
    """Open a connection for one mail, cut off after `MOST_SECONDS`: its own timeout begins again with every answer."""
    connection = get_connection()
    watch = threading.Timer(MOST_SECONDS, _cut, [connection])
    watch.daemon = True
    watch.start()
    try:
        connection.open()
        yield connection
    finally:
        with suppress(smtplib.SMTPException, OSError):  # the mail has been accepted by now, or has failed
            connection.close()
        watch.cancel()


def _cut(connection: Any) -> None:
    """Close the connection at once, whatever it waits for, even while it is being opened."""
    smtp = getattr(connection, "connection", None) or getattr(connection, "_partial_connection", None)
    with suppress(OSError, AttributeError):  # closed already, or none by SMTP
        smtp.sock.shutdown(socket.SHUT_RDWR)  # type: ignore[union-attr]


def _mail(outgoing: Outgoing, connection: Any) -> EmailMultiAlternatives:
    words = words_of(outgoing)
    host, first = urlsplit(settings.SITE_URL).hostname, outgoing.items[0]
    headers = {
        # The same for the same notices, so that mail programs recognise a second copy.
        "Message-ID": f"<{_id(outgoing)}.{outgoing.address_token}@{host}>",
        "List-Unsubscribe": f"<{words.unsubscribe}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
    }
    if first.match_code and not outgoing.is_digest:
        headers["References"] = f"<match.{first.match_code}.{outgoing.address_token}@{host}>"  # one thread for a match
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
        return outgoing.items[0].token
    return hashlib.sha256(" ".join(item.token for item in outgoing.items).encode()).hexdigest()[:24]


def _refused(code: int, said: bytes | str) -> TryAgain | GaveUp:
    text = one_line(said.decode("utf-8", "replace") if isinstance(said, bytes) else said)[:200]
    if 400 <= code < 500:
        return TryAgain(f"The mail server has not accepted it yet ({code} {text}).")
    return GaveUp(f"The mail server refused it ({code} {text}).")


# -- words and styles ----------------------------------------------------------------------------------------

_TOKEN = re.compile(r"^\s*(--[\w-]+):\s*light-dark\((#[0-9a-f]{3,6}), (#[0-9a-f]{3,6})\);", re.MULTILINE)
_USED = re.compile(r"var\((--[\w-]+)\)")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{}]+){([^{}]*)}")


def styled(html: str) -> str:
    """Return the HTML with the mail styles inlined. It must have a `<head>`, and no styles of its own."""
    import css_inline  # slow to import

    by_day, by_night = _sheets()
    inliner = css_inline.CSSInliner(extra_css=by_day, load_remote_stylesheets=False)
    # After inlining, so that the inliner leaves it as it is.
    return inliner.inline(html).replace("</head>", f"<style>{by_night}</style></head>", 1)


@cache
def _sheets() -> tuple[str, str]:
    text = _COMMENT.sub("", Path(__file__).with_name("mail.css").read_text())
    tokens = (settings.BASE_DIR / "static" / "css" / "tokens.css").read_text()
    days = {name: day for name, day, _ in _TOKEN.findall(tokens)}
    nights = {name: night for name, _, night in _TOKEN.findall(tokens)}
    by_night = " ".join(_rule_by_night(head, body, nights) for head, body in _RULE.findall(text))
    return _with(text, days), f"@media (prefers-color-scheme: dark) {{ {by_night} }}"


def _rule_by_night(head: str, body: str, nights: dict[str, str]) -> str:
    """The dark colours of a rule, marked important so that they override the inlined ones."""
    coloured = [each.strip() for each in body.split(";") if "var(--" in each]
    if not coloured:
        return ""
    return f"{head.strip()} {{ {' '.join(f'{_with(each, nights)} !important;' for each in coloured)} }}"


def _with(text: str, values: dict[str, str]) -> str:
    return _USED.sub(lambda used: values[used[1]], text)


SETTINGS_PATH = "/profile/notices/"

_LONGEST_SUBJECT = 150
_LOCK_SCREEN = 150
"""Mail programs show about so many characters of a mail's beginning, where others may see them."""
_RULER = "\n".join(["", *["-" * 72] * 2])


class MailText(NamedTuple):
    """A mail's words; `unsubscribe` is the URL that switches this kind of mail off."""

    subject: str
    text: str
    html: str
    unsubscribe: str


def words_of(outgoing: Outgoing) -> MailText:
    """Return the words of one mail. Reads no database."""
    items = sorted(outgoing.items, key=lambda item: events.weight(item.event)) if outgoing.is_digest else outgoing.items
    named = DIGEST if outgoing.is_digest else items[0].event
    subject, preview = _subject(outgoing), one_line(items[0].title)
    if len(outgoing.items) > 1:
        preview = f"{subject}."
    context: dict[str, Any] = {
        "subject": subject,
        "preview": preview,
        # Pushes what follows out of the preview, unless others may see it.
        "filler": "" if outgoing.show_details else "\u200c\u00a0" * _LOCK_SCREEN,
        "gap": "" if outgoing.show_details else _RULER,
        "is_digest": outgoing.is_digest,
        "unsubscribe": f"{settings.SITE_URL}/notices/unsubscribe/{unsubscribe_link(outgoing.person, named)}/",
        "settings_url": settings.SITE_URL + SETTINGS_PATH,
    }
    if outgoing.is_digest:
        name, context["matches"] = "digest", _by_match(items, outgoing.zone)
    else:
        name, context["item"] = "notice", _shown(items[0], outgoing.zone)
        context["again"] = offer_again(items[0].at, items[0].by)
        context["again_url"] = _again_url(outgoing.person, items[0]) if context["again"] else ""
    text = render_to_string(f"notices/mail/{name}.txt", context)
    html = styled(render_to_string(f"notices/mail/{name}.html", context))
    return MailText(subject, text, html, context["unsubscribe"])


def _again_url(person: int, item: Notice) -> str:
    """The URL that asks for another reminder; empty for anything but a reminder."""
    if item.event != DEADLINE_NEAR or not item.match_code:
        return ""
    return f"{settings.SITE_URL}/notices/again/{again_link(person, item.match_code)}/"


def _subject(outgoing: Outgoing) -> str:
    """The subject line, without anything sealed unless the reader allows that."""
    if (count := len(outgoing.items)) > 1:
        matches = len({item.match_code for item in outgoing.items})
        return f"{count} notices from {f'{matches} matches' if matches > 1 else _match_of(outgoing.items[0])}"
    first = outgoing.items[0]
    subject = one_line(first.title)
    if outgoing.show_details and (lines := lines_of(first.text)):
        subject = f"{subject}: {lines[0]}"
    return subject if len(subject) <= _LONGEST_SUBJECT else f"{subject[: _LONGEST_SUBJECT - 1]}…"


def _match_of(item: Notice) -> str:
    return one_line(item.match_title) or "this site"


def _by_match(items: Sequence[Notice], zone: str) -> list[dict[str, Any]]:
    """Group items by match; matches and items stay in order."""
    return [
        {
            "title": _match_of(of_match[0]),
            "game_title": of_match[0].game_title,
            "items": [_shown(item, zone) for item in of_match],
        }
        for of_match in by_match(items)
    ]


def _by(item: Notice, zone: str) -> str:
    """Until when something is asked, saying so where the headline does not."""
    by = by_when(item, zone)
    return by if item.is_asking or not by else f"Your move: {by[0].lower()}{by[1:]}"


def _shown(item: Notice, zone: str) -> dict[str, Any]:
    return {
        "headline": one_line(item.headline),
        "match_title": one_line(item.match_title),
        "game_title": item.game_title,
        "lines": lines_of(item.text),
        "by": _by(item, zone),
        "is_asking": item.is_asking,
        "at": moment(item.at, zone),
        "head": item.head,
        "url": item.full_url,
        "button": "Open the match" if item.match_code else "Open the page",
    }
