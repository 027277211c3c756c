"""Template tags for the components of the design. Most of them render a template in templates/components/.

Templates that are used inside a sentence end without a newline, which would put a space before the comma. A board may
have hundreds of amounts and marks and is rendered for every push, so these are cached.
"""

import html
from collections.abc import Collection, Iterable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from django import template
from django.shortcuts import resolve_url
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString

from matches.engine.sentences import asset_unit
from matches.pages import pictures, texts
from matches.pages.styles import icon_of

register = template.Library()


_cached = lru_cache(maxsize=4096, typed=True)  # typed: SafeString and str are escaped differently


@_cached
def component(template: str, **context: Any) -> SafeString:
    """Render a component, once for each set of values; all values must be hashable."""
    return render_to_string(f"components/{template}.html", context)


@register.simple_tag
@_cached
def icon(name: str, label: str = "") -> SafeString:
    """`{% icon "lock" %}` next to words; `{% icon "lock" "only you" %}` alone, with a label."""
    href = static("img/icons.svg") + f"#{name}"
    if label:
        return format_html('<svg class="icon" role="img" aria-label="{}"><use href="{}"></use></svg>', label, href)
    return format_html('<svg class="icon" aria-hidden="true"><use href="{}"></use></svg>', href)


@register.simple_tag
def bar(part: int, whole: int) -> SafeString:
    """`{% bar tally.won tally.played %}`: a bar that shows a share. Decorative: the number is next to it."""
    width = round(100 * part / whole) if whole else 0
    return format_html(
        '<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="bar__whole" width="100" height="8"></rect><rect width="{}" height="8"></rect></svg>',
        width,
    )


@register.filter
def most(rows: Collection[Any]) -> int:
    """`{% bar row.count table.rows|most %}`: the largest count of a table's rows."""
    return max((row.count for row in rows), default=0)


@register.simple_tag
def deadline(
    at: datetime | None,
    now: datetime,
    paused_since: datetime | None = None,
    verb: str = "closes",
    id: str = "",
) -> SafeString:
    """`{% deadline match.next_deadline_at now match.paused_since verb="opens" %}`: a moment with a countdown."""
    left = at - (paused_since or now) if at else timedelta(0)
    return component(
        "deadline",
        # In UTC for everybody: a fragment is rendered once and pushed to all viewers.
        at=at and at.astimezone(UTC),
        verb=verb,
        id=id,
        paused_since=paused_since and paused_since.astimezone(UTC),
        urgency="paused" if paused_since else texts.urgency(left),
        left=texts.in_words(left),
    )


_GOOD_FOR = {
    "garnet": "Garnets are money for all matches. You keep what you have left.",
    "priority": "Players with higher priority go first. You carry it from match to match.",
    "tol": "A Token of Life keeps you safe: you cannot become the Elimination Candidate, unless everybody who could is "
    "safe too. You give away any extra ones.",
    "chip": "You bid with chips. They are worth nothing after this match.",
}
"""What an asset of every match type is good for."""


@register.simple_tag
def good_for(asset: str) -> str:
    """`{% good_for "tol" %}`: what an asset is good for, in a sentence or two."""
    return _GOOD_FOR[asset]


@register.simple_tag
def purse_item(name: str, asset: str, count: Any, *, kind: str = "", what: str = "") -> SafeString:
    """`{% purse_item "garnets" "garnet" own.garnets %}`: an amount in a purse that explains on a tap what it is good
    for. `what`: that sentence, for an asset of one match type."""
    said = what or _GOOD_FOR[asset]
    return component("purse_item", name=name, asset=asset, count=str(count), kind=kind, what=said)


@register.simple_tag
def amount(
    asset_name: str,
    value: int | Decimal | str | None,
    *,
    show_unit: bool = False,
    kind: str = "",
    signed: bool = False,
) -> SafeString:
    """`{% amount "chip" 17 %}`; `show_unit=True` makes the unit's word visible; `kind="large"`; `signed=True` writes a
    plus before positive amounts."""
    said = str(value)
    text = f"−{said[1:]}" if said.startswith("-") else f"{'+' * signed}{said}"
    unit = asset_unit(asset_name, 1 if said == "1" else None)
    return component("amount", icon=icon_of(asset_name), value=text, unit=unit, show_unit=show_unit, kind=kind)


@register.simple_tag
def mark(
    handle: str, index: int, *, only_shape: bool = False, kind: str = "", team: bool = False, account: str = ""
) -> SafeString:
    """`{% mark player.handle player.index %}`: a player's mark and name. With `only_shape` the name is a tooltip, and
    for screen readers; otherwise it links to the profile of `account`, if given."""
    return _mark(str(handle), index, only_shape, kind, team, "" if only_shape else account)


@_cached
def _mark(handle: str, index: int, only_shape: bool, kind: str, team: bool, account: str) -> SafeString:
    context = {
        "name": handle,
        "initials": pictures.initials_of(handle),
        "href": static("img/marks.svg") + f"#{pictures.mark_of(index, team=team)}",
        "colour": pictures.colour_of(index),
        "only_shape": only_shape,
        "kind": kind,
        "profile": account and _profile_of(account),
    }
    return render_to_string("components/player_mark.html", context)


def _profile_of(account: str) -> str:
    """The path of a profile, also for names that are older than the rule for names."""
    return f"/people/{quote(account, safe='')}/"


@register.filter
@_cached
def person(account: str, name: str = "") -> SafeString:
    """`{{ note.host|person }}`: a person's name (the username, unless given) as a link to their profile."""
    if not account:
        return SafeString(escape(name))
    return format_html('<a class="person" href="{}">{}</a>', _profile_of(account), name or account)


@register.filter
def persons(accounts: Iterable[str]) -> SafeString:
    """`{{ hosts|persons }}`: several people, with commas."""
    return format_html_join(", ", "{}", ((person(account),) for account in accounts))


@register.simple_tag
def strip(amounts: Iterable[int], taken: Collection[int], lowest: int) -> SafeString:
    """`{% strip view.amounts_shown view.amounts_taken view.lowest_free %}`: the items of a strip of amounts. They are
    whole numbers, so nothing needs escaping."""
    return SafeString("".join(_strip_item(amount, amount == lowest, amount in taken) for amount in amounts))


def _strip_item(amount: int, is_lowest: bool, is_taken: bool) -> str:
    if is_lowest:
        word = '<span class="visually-hidden"> lowest free</span>'
        return f'<li class="strip__item strip__item--lowest">{amount:d}{word}</li>'
    if is_taken:
        return f'<li class="strip__item strip__item--taken">{amount:d}<span class="visually-hidden"> taken</span></li>'
    return f'<li class="strip__item ">{amount:d}</li>'


@register.simple_tag
def lot_lines(lines: Iterable[Any]) -> SafeString:
    """`{% lot_lines ahead.usable %}`: list items with the `amounts` of each `lot`, or else its `words`. Not rendered by
    a template, for speed: every player has one item per lot, and most bids change all of them."""
    said = ((line.lot, amounts, "" if amounts else line.words) for line in lines for amounts in (line.amounts,))
    return SafeString("".join([_lot_line(*each) for each in said]))


@_cached
def _lot_line(lot: str, amounts: str, words: str) -> str:
    kind, said = ("number", amounts) if amounts else ("soft", words)
    return f'<li><strong>{html.escape(lot)}</strong> <span class="{kind}">{html.escape(said)}</span></li>'


@register.simple_tag
def moment(at: datetime) -> SafeString:
    """`{% moment line.at %}`: a moment in UTC; clock.js adds the viewer's own zone."""
    return component("moment", at=at.astimezone(UTC))


@register.simple_tag
def dated(at: datetime) -> SafeString:
    """`{% dated note.at %}`: a moment with its date, in UTC and the viewer's own zone, however long ago it was."""
    return component("dated", at=at.astimezone(UTC))


@register.simple_tag
def knowledge(kind: str = "public", text: str = "") -> SafeString:
    """A label that says who knows something: `{% knowledge "mine" %}`, `"sealed"`, `"public"`."""
    return component("knowledge", kind=kind, text=text)


@register.simple_tag
def copy(*id: object, what: str = "", kind: str = "button") -> SafeString:
    """`{% copy "link" place.pk what="the link" %}`: a button that copies `#link-17`. Only heard: what that is."""
    return component("copy", id="-".join(map(str, id)), what=what, kind=kind)


@register.simple_block_tag
def copy_field(content: SafeString, value: str, *id: object, look: str = "secret", what: str = "") -> SafeString:
    """`{% copy_field secret "token" %}Token{% endcopy_field %}`: text that people only copy, with its label and button.
    `look`: "secret", "link" (the parts of a row) or "text" (several lines). `what`: for the button of a text; the id of
    what explains a secret."""
    context = {"label": content, "value": value, "id": "-".join(map(str, id)), "look": look, "what": what}
    return SafeString(render_to_string("components/copy_field.html", context))  # not cached: it may be secret


@register.simple_block_tag(takes_context=True)
def post(context: template.Context, content: SafeString, to: str = "", *args: object) -> SafeString:
    """`{% post "matches:join" match.id %}<button …>{% endpost %}`: a form that is sent once, to a view or a path."""
    action = format_html(' action="{}"', resolve_url(to, *args)) if to else ""
    token = format_html('<input type="hidden" name="csrfmiddlewaretoken" value="{}">', context["csrf_token"])
    return format_html('<form method="post"{} data-once>{}{}</form>', action, token, content)


@register.simple_block_tag
def panel(content: SafeString, title: str = "", kind: str = "public", *, id: str = "", level: int = 2) -> SafeString:
    """`{% panel "Your purse" "mine" %} … {% endpanel %}`: a panel with a label that says who knows its contents."""
    context = {"content": content, "title": title, "kind": kind, "id": id, "level": level}
    return SafeString(render_to_string("components/panel.html", context))


@register.simple_block_tag
def panel_head(content: SafeString, id: str, kind: str = "public", text: str = "") -> SafeString:
    """`{% panel_head "counts-title" "mine" %}Where you stand{% endpanel_head %}`: a panel's title, and who knows it."""
    context = {"title": content, "id": id, "kind": kind, "text": text}
    return SafeString(render_to_string("components/panel_head.html", context))


@register.simple_block_tag
def note(
    content: SafeString, tone: str = "", title: str = "", *, icon_name: str = "", alert: bool = False
) -> SafeString:
    """`{% note "garnet" "Not ready yet" %} … {% endnote %}`: a note in the console. With `icon_name` it is a sentence
    after an icon; with `alert` screen readers say it at once."""
    context = {"content": content, "tone": tone, "title": title, "icon_name": icon_name, "alert": alert}
    return SafeString(render_to_string("components/note.html", context))


@register.simple_block_tag
def table(
    content: SafeString,
    label: str,
    *columns: str,
    more: Iterable[str] = (),
    look: str = "scores",
    caption: str = "",
    panel: bool = False,
) -> SafeString:
    """`{% table "Everybody's coins" "Player" "Gold|num icon" %} <tr>… {% endtable %}`: a table that scrolls in a box of
    its own. `label` is its accessible name, or `#` and the id of a heading. Words after the bar of a column: it holds
    numbers (`num`), is hidden on a phone (`wide`), is headed by the icon of its name (`icon`). `more`: other titles."""
    how, name = ("labelledby", label[1:]) if label.startswith("#") else ("label", label)
    context = {
        "content": content,
        "columns": [_column(*each.partition("|")[::2]) for each in columns] + [_column(each, "") for each in more],
        "named": format_html('aria-{}="{}"', how, name),
        "look": look,
        "caption": caption,
        "panel": panel,
    }
    return SafeString(render_to_string("components/table.html", context))


def _column(title: str, kinds: str) -> dict[str, Any]:
    classes = " ".join(name for kind, name in (("num", "num"), ("wide", "scores__wide")) if kind in kinds)
    return {"title": icon(title.lower(), title) if "icon" in kinds else title, "classes": classes}


@register.simple_tag
def empty(title: str, text: str = "", *, href: str = "", action: str = "", icon_name: str = "spade") -> SafeString:
    """`{% empty "No tokens yet" %}`: what a list or board says when it is empty."""
    return component("empty", icon=icon_name, title=title, text=text, href=href, action=action)


@register.filter
def duration(span: timedelta | float) -> str:
    """`{{ config.bid_timer|duration }}`: “24 h”, “10 days”. Takes a timedelta or seconds."""
    return texts.in_round_words(span)


@register.filter
def iso(at: datetime) -> str:
    """`<time datetime="{{ at|iso }}">`: HTML allows milliseconds and nothing smaller."""
    return at.isoformat(timespec="milliseconds" if at.microsecond else "seconds")


@register.filter
def utc(at: datetime | str) -> str:
    """`{{ match.starts_at|utc }}`: “Sat 21 Nov, 14:00 UTC”; words stay as they are."""
    return at if isinstance(at, str) else texts.moment_in_words(at)
