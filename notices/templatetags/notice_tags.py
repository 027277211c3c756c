"""Template tags for notices."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django import template
from django.template import Context
from django.utils import timezone
from django.utils.safestring import SafeString

from matches.engine.notice_events import DEADLINE_NEAR
from matches.models import clock
from matches.pages import fragments, texts
from matches.pages.templatetags.components import component
from notices import inbox
from notices.channels.base import zone_name
from notices.models import Notice
from notices.reminder_times import offer_again

register = template.Library()


@register.simple_tag(takes_context=True)
def own_notices(context: Context) -> dict[str, str] | None:
    """`{% own_notices as told %}`: the signed-in person's `bell` and `card`, and `texts`, the checksums of both; None
    for visitors, and for those who must use a second factor first."""
    request: Any = context.get("request")
    user: Any = getattr(request, "user", None)
    if user is None or not user.is_authenticated or getattr(request, "owed", None):
        return None
    found = inbox.unread(user)
    shown = inbox.fragments(found)
    texts = fragments.checksums(shown)
    return {"bell": SafeString(shown["bell"]), "card": SafeString(shown["notices"]), "texts": texts}


@register.filter
def again(notice: Notice) -> str:
    """`{{ notice|again }}`: when another reminder would come; empty for other notices, or when it is too late."""
    return offer_again(clock.now(), notice.by) if notice.event == DEADLINE_NEAR else ""


@register.simple_tag
def instant(at: datetime) -> SafeString:
    """`{% instant notice.at %}`: “Sat 21 Nov, 15:00 CET”, followed by the relative time.

    It is in the time zone of the page's reader; clock.js keeps the relative time up to date.
    """
    local = timezone.localtime(at)
    words = f"{local:%a} {local.day} {local:%b}, {local:%H:%M} {zone_name(local)}"
    return component("instant", at=at.astimezone(UTC), words=words, relative=_relative(at - clock.now()))


def _relative(span: timedelta) -> str:
    words = texts.in_few_words(abs(span))
    return f"in {words}" if span > timedelta() else f"{words} ago"
