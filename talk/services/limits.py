"""Limits on writing: what a text may contain, and how often and how much somebody may write."""

import unicodedata
from datetime import timedelta
from functools import cache
from typing import Any

from django.db.models import OuterRef, Subquery

from matches.infra.rate_limits import Buckets
from matches.models import clock
from matches.services.errors import Refused
from matches.services.texts import BadText, plain_text
from talk.models import Channel, Member, Message, Report
from talk.queries.home import Home

# -- how much one person may write -----------------------------------------------------------------------

_A_SECOND, _AT_ONCE = 0.5, 8.0
MOST_A_DAY = 500
MOST_CHANNELS = 60
MOST_REPORTS_A_DAY = 30
DAY = timedelta(days=1)


class TooMuch(Refused):
    """Somebody writes too fast or too much; the codes are `too_many_requests` and `too_many_messages` and the like."""

    code = "too_many_requests"
    status = 429

    def __init__(self, message: str, seconds: float, *, code: str | None = None) -> None:
        super().__init__(message, code=code)
        self.retry_after = max(1, int(seconds + 0.999))


@cache
def talk_rates() -> Buckets:
    """The limit on writing for each person, in each process."""
    return Buckets(_A_SECOND, _AT_ONCE)


def key_of(user: Any) -> str:
    """Return the key by which a person is counted."""
    return f"talk:{user.pk}"


def count_one(user: Any) -> None:
    """Count one write by a person. Raises `TooMuch` if they are too fast."""
    if wait := talk_rates().take(key_of(user)):
        error = TooMuch("", wait)
        error.message = f"That was too fast, so we did not send it. Try again in {error.retry_after} s."
        raise error


def need_messages_left(home: Home) -> None:
    """Raise `TooMuch` if a person has written too many messages in a match or a season within a day."""
    written = Message.objects.filter(author=home.user, at__gt=clock.now() - DAY, **home.rows)
    if written.count() >= MOST_A_DAY:
        message = f"You have written {MOST_A_DAY} messages in this {home.of} within a day, the most you can."
        raise TooMuch(message, 3600, code="too_many_messages")


def need_channels_left(home: Home) -> None:
    """Raise `TooMuch` if a person has opened too many private channels of a match or a season."""
    first = Member.objects.filter(channel=OuterRef("pk")).order_by("pk").values("user")[:1]  # whoever opened it
    rooms = Channel.objects.filter(kind=Channel.Kind.PRIVATE, **home.rows).annotate(opener=Subquery(first))
    if rooms.filter(opener=home.user.pk).count() >= MOST_CHANNELS:
        message = (
            f"You have opened {MOST_CHANNELS} private rooms in this {home.of}, the most you can. Write in one of them."
        )
        raise TooMuch(message, 3600, code="too_many_channels")


def need_reports_left(user: Any) -> None:
    """Raise `TooMuch` if a person has reported too many messages within a day."""
    if Report.objects.filter(by=user, at__gt=clock.now() - DAY).count() >= MOST_REPORTS_A_DAY:
        raise TooMuch("You have reported too many messages today. Try again tomorrow.", 3600, code="too_many_reports")


# -- what a text may contain -----------------------------------------------------------------------------

LONGEST = 2000
LONGEST_REASON = 300
MOST_LINES = 40
_MOST_MARKS = 5


def cleaned(text: str, *, longest: int = LONGEST, field: str = "text") -> str:
    """Return the text as it is stored. Raises `BadText` for what `plain_text` refuses, for too many lines
    (`text_too_long`), and for stacks of accents on one letter (`text_not_visible`), which cover the lines above."""
    text = plain_text(text, longest, missing="Write something first.", field=field)
    if text.count("\n") >= MOST_LINES:
        raise BadText(f"A message has at most {MOST_LINES} lines.", code="text_too_long", field=field)
    if _has_heaps(text):
        raise BadText("One letter has too many accents. Remove some.", code="text_not_visible", field=field)
    return text


def _has_heaps(text: str) -> bool:
    count = 0
    for character in text:
        count = count + 1 if unicodedata.combining(character) else 0
        if count > _MOST_MARKS:
            return True
    return False
