"""Template tags of the seasons' pages. Their `people` is handle -> `CastLine`."""

from collections.abc import Iterable, Mapping

from django import template
from django.utils.html import conditional_escape, format_html_join
from django.utils.safestring import SafeString

from matches.engine.sentences import joined
from matches.pages.templatetags.components import person
from seasons.engine.state import shown_blood
from seasons.queries.news import NewsLine
from seasons.queries.standing import CastLine

register = template.Library()

register.filter(shown_blood)

People = Mapping[str, CastLine]


@register.filter
def all_shown_in(handles: Iterable[str], people: People) -> SafeString:
    """`{{ between|all_shown_in:people }}`: the names of these members in a sentence, as links."""
    return SafeString(joined(shown_in(handle, people) for handle in handles))


@register.filter
def shown_in(handle: str, people: People) -> SafeString:
    """`{{ handle|shown_in:people }}`: the name of a member, as a link to the profile of the person behind it."""
    member = people.get(handle)
    return conditional_escape(handle) if member is None else person(member.username or "", member.name)


@register.filter
def plain_in(handle: str, people: People) -> str:
    """`{{ handle|plain_in:people }}`: only the name, for labels."""
    member = people.get(handle)
    return handle if member is None else member.name


@register.filter
def told_in(line: NewsLine, people: People) -> SafeString:
    """`{{ line|told_in:people }}`: a piece of news, with its names as links."""

    def name(handle: str) -> str:
        return line.then[handle] if handle in line.then else shown_in(handle, people)

    pieces = ((name(each) if place % 2 else each,) for place, each in enumerate(line.pieces))
    return format_html_join("", "{}", pieces)
