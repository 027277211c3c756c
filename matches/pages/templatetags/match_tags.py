"""Tags for templates that show a match. They read `people`, `times` and `now` from its context."""

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django import template
from django.template import Context
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString

from matches.engine.sentences import joined, unmarked
from matches.games import registry
from matches.pages import fragments, styles, texts
from matches.pages.context import MatchTimes, People
from matches.pages.desk import entries_for
from matches.pages.fragments import template_of
from matches.pages.templatetags.components import component, deadline, iso, mark
from matches.pages.templatetags.components import person as linked_name
from matches.pages.texts import action_in_words, formatted, linked
from matches.queries.feed import ToldLine
from matches.queries.names import set_apart

register = template.Library()

register.simple_tag(styles.sheets_for, name="sheets_for")
register.simple_tag(entries_for, name="looked_after")


@register.simple_block_tag(end_name="endfragment")
def fragment(content: str) -> SafeString:
    """`{% fragment %}<li id="lot-7" …>…</li>{% endfragment %}`: an element that can be pushed without the rest of its
    part (`matches.pages.fragments`). Its first attribute is its id."""
    return SafeString(fragments.mark(content))


@register.simple_tag(takes_context=True)
def who(context: Context, handle: str, *, only_shape: bool = False, kind: str = "", plain: bool = False) -> SafeString:
    """`{% who seat.player %}`: the mark and name of a player by handle. Where people are linked, the name is a link to
    the profile, except with `plain=True`: inside a link, a label or a summary."""
    people: People = context["people"]
    person = people.get(handle)
    if person is None:
        return mark(handle, 0, only_shape=only_shape, kind=kind)
    account = person.account if people.are_linked and not plain else ""
    look = person.index if person.mark is None else person.mark
    return mark(person.name, look, only_shape=only_shape, kind=kind, account=account)


@register.filter
def index_of(people: People, handle: str | None) -> int | str:
    """`data-owner="{{ people|index_of:seat.player }}"`: lets the page mark what is the viewer's own."""
    return people.index(handle)


@register.filter
def indices_of(people: People, handles: tuple[str, ...]) -> str:
    """Like `index_of` for several players, separated by spaces."""
    return " ".join(str(index) for handle in handles if (index := people.index(handle)) != "")


@register.filter
def name_of(people: People, handle: str | None) -> str:
    """The name to show in a sentence; empty for nobody."""
    return set_apart(people.name(handle)) if handle else ""


@register.filter
def names_of(people: People, handles: str | Sequence[str]) -> str:
    """The names of one or several players; words that are no handles stay as they are."""
    return joined(set_apart(people.name(each)) for each in ([handles] if isinstance(handles, str) else handles))


_HASH = re.compile(r"\b([0-9a-f]{64})\b")


def hashes_apart(text: str) -> SafeString:
    """Mark the hashes in a line of news, so that a style sheet can shorten them."""
    parts = enumerate(_HASH.split(text))  # text and hash alternate
    return format_html_join(
        "", "{}", ((format_html('<code class="hash">{}</code>', each) if n % 2 else each,) for n, each in parts)
    )


@register.filter
def news_line(line: ToldLine, people: People) -> SafeString:
    """`{{ line|news_line:people }}`: a line of news; hashes are marked, and names are links where people are linked."""
    people = people.then(line.then)
    return format_html_join("", "{}", ((_piece(each, n % 2 == 1, people),) for n, each in enumerate(line.pieces)))


@register.filter
def as_of(people: People, names: dict[str, str]) -> People:
    """`{% with people=people|as_of:line.then %}`: the same people under the names that they had then."""
    return people.then(names)


def _piece(piece: str, is_name: bool, people: People) -> str:
    if not is_name:
        return hashes_apart(piece)
    found = people.get(piece)
    if found is None:
        return piece
    return linked_name(found.account, found.name) if people.are_linked else found.name


@register.filter
def in_words(payload: str, people: People) -> str:
    """`{{ receipt.payload|in_words:people }}`: the action that was sent, in words."""
    return action_in_words(json.loads(payload), {person.handle: person.name for person in people})


@register.filter
def with_links(text: str) -> SafeString:
    """`{{ match.description|with_links }}`: a text that people wrote, with its web addresses as links."""
    return linked(text)


register.filter("unmarked", unmarked)


@register.filter
def as_formatted(text: str) -> SafeString:
    """`{{ config.rules|as_formatted }}`: a text that hosts wrote, with paragraphs, lists, emphasis and links."""
    return formatted(text)


@register.filter
def of(mapping: dict[str, Any], key: str) -> Any:
    """`{{ standings|of:person.handle }}`: an entry of a dict whose key is a variable; None without a dict."""
    return mapping.get(key) if mapping else None


@register.filter
def given(mapping: dict[str, Any]) -> dict[str, Any]:
    """`{% for number in action.bids|given %}`: what is more than nothing, such as 2 or `{"gold": 1}`."""
    return {key: each for key, each in mapping.items() if (any(each.values()) if isinstance(each, dict) else each)}


@register.filter
def shape_of(game: str) -> tuple[str, ...]:
    """`{% include game.slug|shape_of %}`: the template with the shape of a game's board, a small picture."""
    return template_of(game, "shape")


# -- times -----------------------------------------------------------------------------------------


@register.simple_tag(takes_context=True)
def until(context: Context, time: float | datetime | None, verb: str = "closes", id: str = "") -> SafeString:
    """`{% until view.opens_at "opens" %}`: a match time in UTC and the viewer's zone, with a countdown. `id`, unique on
    the page: marks another deadline, so that a push replaces the one before instead of changing it."""
    if context["times"].stands_still:
        return _of_play(context, time, verb)
    instant, paused = _at(context, time), context["times"].paused_at
    return deadline(instant, context["now"], paused, verb, id)


@register.simple_tag(takes_context=True)
def time_left(context: Context, time: float | None, verb: str = "", *, short: bool = False) -> SafeString:
    """Like `until`, for little room: the countdown, and the moment in small print.

    `short=True`: with as few words as possible, for seats on a board.
    """
    if context["times"].stands_still:
        return _of_play(context, time, verb, short=short)
    instant = _at(context, time)
    if instant is None:
        return SafeString("")
    now, paused = context["now"], context["times"].paused_at
    left = instant - (paused or now)
    urgency = "paused" if paused else texts.urgency(left)
    words = texts.in_few_words(left) if short else texts.in_words(left)
    if paused:
        words = f"{words} left, paused"
    elif urgency == "passed":
        words = "time is up"
    elif not short:
        words = f"in {words}"
    at, title, kind = iso(instant), texts.moment_in_words(instant), '="short"' if short else ""
    # Not rendered by a template, for speed: a board and a purse have dozens, and their words change all the time.
    return SafeString(
        f'<span class="time-left" data-deadline="{at}" data-urgency="{urgency}"'
        + (f' data-paused="{paused.isoformat()}">' if paused else ">")
        + (f"<span>{escape(verb)}</span> " if verb else "")
        + f'<span class="time-left__left" data-deadline-left{kind}>{words}</span> '
        + f'<time class="time-left__at" datetime="{at}" data-moment="short" title="{title}">'
        + f"{texts.moment_in_short(instant, now)}</time></span>"
    )


def _of_play(context: Context, time: float | datetime | None, verb: str, *, short: bool = False) -> SafeString:
    """`until` and `time_left` where time stands still: how much play is left, without a countdown."""
    if time is None or isinstance(time, datetime):
        return SafeString("")
    left = context["times"].left(time)
    words = texts.in_few_words(left) if short else f"in {texts.in_words(left)} of play"
    return format_html(
        '<span class="time-left">{}<span class="time-left__left">{}</span></span>', f"{verb} " if verb else "", words
    )


def _at(context: Context, time: float | datetime | None) -> datetime | None:
    instant: datetime | None = time if isinstance(time, datetime) else context["times"].instant(time)
    return instant and instant.astimezone(UTC)


@register.simple_tag(takes_context=True)
def since(context: Context, time: float | None) -> SafeString:
    """A past match time as a moment; in practice counted from the opening. If the clock has moved since, its moment is
    not known."""
    times = context["times"]
    return component("since", at=times.past(time), counted=time if times.stands_still else None)


@register.simple_tag(takes_context=True)
def lasts(context: Context, span: timedelta | float) -> str:
    """`{% lasts view.bid_timer %}`: a length of match time in real time."""
    return texts.in_real_words(span, _speed(context))


@register.simple_tag(takes_context=True)
def really(context: Context, span: timedelta | float) -> str:
    """`{% really config.bid_timer %}`: like `lasts`, without the match time in parentheses."""
    length = span if isinstance(span, timedelta) else timedelta(seconds=span)
    return texts.in_round_words(length / _speed(context))


def _speed(context: Context) -> int:
    """How many times as fast as real time the match's clock runs; 1 on pages without a match."""
    return context["match"].clock.speed if context.get("match") else 1


@register.filter
def has_passed(time: float, times: MatchTimes) -> bool:
    """`{% if view.bids_close_at|has_passed:times %}`."""
    return times.has_passed(time)


@register.filter
def at(time: float, times: MatchTimes) -> datetime | str | None:
    """`{{ view.opens_at|at:times|utc }}`: a match time in UTC or, while time stands still, how much play is left."""
    stands = times.stands_still or times.paused_at is not None
    return f"in {texts.in_words(times.left(time))} of play" if stands else times.instant(time)


@register.filter
def clock_time(moment: datetime) -> str:
    """A time to the second, for receipts: “14:03:07 UTC”."""
    return f"{moment.astimezone(UTC):%H:%M:%S} UTC"


# -- helps -------------------------------------------------------------------------------------------


@register.simple_tag(takes_context=True)
def prospects(context: Context) -> Any:
    """`{% prospects as ahead %}`: the game's summary of a player's options, from the views in the context."""
    return registry.game_of(context["match"].game).prospects(context["view"], context["own"])
