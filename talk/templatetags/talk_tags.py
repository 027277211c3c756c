"""Template tags for talk."""

import re
from datetime import UTC, datetime

from django import template
from django.template import Context
from django.utils import timezone
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from matches.models import clock
from matches.pages.templatetags.components import iso, mark
from matches.pages.templatetags.match_tags import who
from talk.queries.messages import wrapped

register = template.Library()


@register.simple_tag
def both_times(at: datetime) -> SafeString:
    """`{% both_times line.at %}`: a time in UTC and, if it differs, in the reader's own zone.

    Unlike `moment` it shows both even without scripts, since people quote times.
    """
    here, there = timezone.localtime(at), at.astimezone(UTC)
    own = ""
    if here.utcoffset() != there.utcoffset():
        day = "" if here.date() == there.date() else f"{_day(here)}, "
        own = f" ({day}{here:%H:%M} your time)"
    return format_html('<time datetime="{}">{}</time>', iso(there), f"{_day(there)}, {there:%H:%M} UTC{own}")


@register.simple_tag(takes_context=True)
def at(context: Context, name: str, *args: str) -> str:
    """`{% at "channel" each.channel %}`: the path of a page of talk in the match or season shown."""
    address: str = context["at"](name, *args)
    return address


@register.simple_tag(takes_context=True)
def of_cast(context: Context, handle: str, name: str, *, plain: bool = False) -> SafeString:
    """`{% of_cast line.member line.name %}`: a member's mark, and the name as a link to the profile (not with
    `plain=True`). A former holder of the place gets neither."""
    member = context["people"].get(handle)
    if member is None or member.name != name:
        return mark(name, 0)
    return mark(name, member.mark, account="" if plain else member.username or "")


@register.simple_tag(takes_context=True)
def of_match(context: Context, handle: str, name: str) -> SafeString:
    """`{% of_match line.player line.name %}`: the same for a player of a match."""
    return who(context, handle) if context["people"].name(handle) == name else mark(name, 0)


@register.filter
def marked(html: SafeString, words: str) -> SafeString:
    """`{{ line.html|marked:words }}`: HTML in whose text each of these words is marked."""
    either = "|".join(re.escape(escape(word)) for word in words.split())
    what = re.compile(rf"({either})|&#?\w+;", re.IGNORECASE)  # skips HTML entities
    return wrapped(html, what, lambda found: f"<mark>{found[1]}</mark>" if found[1] else found[0])


def _day(at: datetime) -> str:
    year = "" if at.year == clock.now().year else f" {at.year}"
    return f"{at:%a} {at.day} {at:%b}{year}"
