"""Tags for the templates of talk."""

from __future__ import annotations

from datetime import UTC, datetime

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from matches.models import clock
from matches.pages.templatetags.components import iso

register = template.Library()


@register.simple_tag
def both_times(at: datetime) -> SafeString:
    """`{% both_times line.at %}`: a moment in UTC and, where it is another, in the reader's own zone.

    Unlike `moment` it says both, also without scripts: when something was said is quoted."""
    here, there = timezone.localtime(at), at.astimezone(UTC)
    own = ""
    if here.utcoffset() != there.utcoffset():
        day = "" if here.date() == there.date() else f"{_day(here)}, "
        own = f" ({day}{here:%H:%M} your time)"
    return format_html('<time datetime="{}">{}</time>', iso(there), f"{_day(there)}, {there:%H:%M} UTC{own}")


def _day(at: datetime) -> str:
    year = "" if at.year == clock.now().year else f" {at.year}"
    return f"{at:%a} {at.day} {at:%b}{year}"
