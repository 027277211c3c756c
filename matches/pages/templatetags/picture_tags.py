"""Tags for pictures of matches: texts that fit, marks, icons, and grids of things.

Positions are pixels of the 1200 × 630 of a picture; a text's `y` is its base line, everything else's its upper edge.
Colours are design tokens by name: `fill="ink-soft"` here, `class="fill-felt line-felt-line"` on shapes.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django import template
from django.template import Context
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from matches.pages import pictures
from matches.pages.context import Headline, People

register = template.Library()


def _text(x: float, y: float, text: str, size: float, fill: str, bold: bool, anchor: str) -> SafeString:
    return format_html(
        '<text class="fill-{}" x="{}" y="{}" font-size="{}" font-weight="{}" text-anchor="{}">{}</text>',
        *(fill, _short(x), _short(y), _short(size), "700" if bold else "400", anchor, text),
    )


def _short(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


@register.simple_tag
def text(
    x: float, y: float, value: Any, *, size: float = 26, room: float = 1200, fill: str = "ink", bold: bool = False,
    anchor: str = "start",
) -> SafeString:  # fmt: skip
    """`{% text 40 80 match.title size=40 room=360 bold=True %}`: one line, made smaller or cut if it is too long."""
    fitting, at = pictures.fitted(pictures.drawable(str(value)), float(room), float(size), bold=bold)
    return _text(float(x), float(y), fitting, at, fill, bold, anchor)


@register.simple_tag
def number(
    x: float, y: float, value: int, *, size: float = 26, room: float = 1200, fill: str = "ink", bold: bool = True,
    anchor: str = "middle",
) -> SafeString:  # fmt: skip
    """`{% number 40 80 seat.amount room=90 %}`: a whole number of any length; a very long one as 1.23×10⁶⁹."""
    fitting, at = pictures.fitted_number(int(value), float(room), float(size), bold=bold)
    return _text(float(x), float(y), fitting, at, fill, bold, anchor)


@register.simple_tag
def paragraph(
    x: float, y: float, value: Any, *, size: float = 26, room: float = 1200, most: int = 3, leading: float = 1.22,
    fill: str = "ink", bold: bool = False, anchor: str = "start", up: bool = False,
) -> SafeString:  # fmt: skip
    """A text in at most `most` lines that begins at `y` or, with `up=True`, ends there."""
    found = pictures.lines(pictures.drawable(str(value)), float(room), float(size), int(most), bold=bold)
    step = float(size) * leading
    first = float(y) - step * (len(found) - 1) if up else float(y)
    return format_html_join(
        "", "{}", ((_text(float(x), first + step * n, line, size, fill, bold, anchor),) for n, line in enumerate(found))
    )


@register.simple_tag
def headlines(headline: Headline, x: float, bottom: float, *, size: float = 26, room: float = 390) -> SafeString:
    """`{% headlines headline 40 592 %}`: what is going on, the phase large, then the details; ends at `bottom`."""
    written = [(line, at, "brass", True) for line, at in _one_or_two(headline.where, room, size * 1.38, bold=True)]
    for place, detail in enumerate(headline.details[:3]):
        fill = "ink-soft" if place and place == len(headline.details) - 1 else "ink"
        written += [(line, at, fill, False) for line, at in _one_or_two(detail, room, size)]
    drawn, y = [], float(bottom)
    for line, at, fill, bold in reversed(written):
        drawn.append((_text(float(x), y, line, at, fill, bold, "start"),))
        y -= at * 1.32
    return format_html_join("", "{}", drawn)


def _one_or_two(text: str, room: float, size: float, *, bold: bool = False) -> list[tuple[str, float]]:
    """A text in one line if it can be made small enough, otherwise in two."""
    shown = pictures.drawable(text)
    line, at = pictures.fitted(shown, room, size, bold=bold)
    return [(line, at)] if line == shown else [(each, size) for each in pictures.lines(shown, room, size, 2, bold=bold)]


@register.simple_tag
def shape(name: str, x: float, y: float, size: float, *, fill: str = "none", ink: str = "ink") -> SafeString:
    """`{% shape "icons:trophy" 40 60 32 ink="brass" %}`: a symbol of `static/img` or of the game's static files."""
    return format_html(
        '<use class="{}ink-{}" href="#{}" x="{}" y="{}" width="{}" height="{}"/>',
        *("" if fill == "none" else f"fill-{fill} ", ink, name, _short(x), _short(y), _short(size), _short(size)),
    )


@register.simple_tag(takes_context=True)
def mark(context: Context, handle: str, x: float, y: float, size: float) -> SafeString:
    """`{% mark seat.player 40 60 48 %}`: a player's mark with the initials, as on every board of the match."""
    x, y, size = float(x), float(y), float(size)
    people: People = context["people"]
    person = people.get(handle)
    index = 0 if person is None else person.index if person.mark is None else person.mark
    initials = pictures.drawable(pictures.initials_of(people.name(handle))).replace(pictures.MISSING, "")
    at = min(size * 0.45, size * 0.66 / max(pictures.width(initials, 1, bold=True), 0.01))
    return format_html(
        "{}{}",
        shape(f"marks:{pictures.mark_of(index)}", x, y, size, fill=f"mark-{pictures.colour_of(index)}", ink="mark-ink"),
        _text(x + size / 2, y + size * 0.645, initials, at, "mark-ink", True, "middle"),
    )


@register.simple_tag(takes_context=True)
def who(
    context: Context, handle: str, x: float, y: float, *, size: float = 40, room: float = 300, fill: str = "ink",
    bold: bool = False, text_size: float = 0,
) -> SafeString:  # fmt: skip
    """`{% who seat.player 40 60 size=40 room=200 %}`: a player's mark with the name next to it."""
    x, y, size = float(x), float(y), float(size)
    name = pictures.drawable(context["people"].name(handle))
    gap, wanted = size * 0.25, float(text_size) or size * 0.62
    fitting, at = pictures.fitted(name, max(0.0, float(room) - size - gap), wanted, bold=bold)
    return format_html(
        "{}{}",
        mark(context, handle, x, y, size),
        _text(x + size + gap, y + size / 2 + at * 0.36, fitting, at, fill, bold, "start"),
    )


# -- things in rows ------------------------------------------------------------------------------


class Cell(NamedTuple):
    """The rectangle of one item in a grid."""

    item: Any
    x: float
    y: float
    width: float
    height: float
    number: int

    @property
    def short(self) -> float:
        """The length of the shorter side."""
        return min(self.width, self.height)

    @property
    def icon(self) -> float:
        """How large an icon may be that has a number next to it."""
        return min(self.width * 0.44, self.height * 0.82)

    @property
    def is_roomy(self) -> bool:
        """Whether three lines of words can be read in it."""
        return self.width > 96 and self.height > 84


class Cells(NamedTuple):
    """All cells of a grid, and how many items did not fit."""

    cells: Sequence[Cell]
    left_out: int

    def __iter__(self) -> Any:
        return iter(self.cells)


@register.simple_tag
def cells(
    items: Iterable[Any], *, x: float, y: float, width: float, height: float, columns: int = 0, gap: float = 10,
    aspect: float = 1.0, most: int = 1000, tallest: float = 10_000, widest: float = 10_000,
) -> Cells:  # fmt: skip
    """`{% cells view.seats x=480 y=60 width=660 height=510 columns=4 as seats %}`: a grid of items in an area, filled
    row by row. Without `columns`, with as many as make the cells largest at about this `aspect` (width / height)."""
    every = list(items)
    taken = every[:most]
    count = len(taken)
    if not count:
        return Cells((), len(every))
    beside = columns or max(range(1, count + 1), key=lambda n: _largest(n, count, width, height, gap, aspect))
    rows = math.ceil(count / beside)
    step_x = min((width - gap * (beside - 1)) / beside, widest) + gap
    step_y = min((height - gap * (rows - 1)) / rows, tallest) + gap
    found = [
        Cell(item, x + step_x * (place % beside), y + step_y * (place // beside), step_x - gap, step_y - gap, place)
        for place, item in enumerate(taken)
    ]
    return Cells(found, len(every) - count)


def _largest(beside: int, count: int, width: float, height: float, gap: float, aspect: float) -> float:
    """The size of a cell with this many columns."""
    rows = math.ceil(count / beside)
    return min((width - gap * (beside - 1)) / beside, (height - gap * (rows - 1)) / rows * aspect)


# -- arithmetic ----------------------------------------------------------------------------------


@register.filter
def across(cell: Cell, share: float) -> float:
    """`{{ cell|across:0.5 }}`: an x in a cell, as a share of its width from the left."""
    return cell.x + cell.width * float(share)


@register.filter
def down(cell: Cell, share: float) -> float:
    """`{{ cell|down:0.5 }}`: a y in a cell, as a share of its height from the top."""
    return cell.y + cell.height * float(share)


@register.filter
def wide(cell: Cell, share: float) -> float:
    """Return a share of a cell's width."""
    return cell.width * float(share)


@register.filter
def high(cell: Cell, share: float) -> float:
    """Return a share of a cell's height."""
    return cell.height * float(share)


@register.filter
def plus(value: float, more: float) -> float:
    """`{{ cell.x|plus:12 }}`."""
    return float(value) + float(more)


@register.filter
def times(value: float, factor: float) -> float:
    """`{{ place.x|times:54 }}`."""
    return float(value) * float(factor)


@register.filter
def px(value: float) -> str:
    """`x="{{ cell.x|px }}"`: a number as SVG needs it, whatever the language."""
    return _short(float(value))


@register.simple_tag
def box(cell: Cell, *, radius: float = 9, fill: str = "none", line: str = "felt-line", stroke: float = 2,
        dashed: bool = False) -> SafeString:  # fmt: skip
    """Draw the rectangle of a cell."""
    return format_html(
        '<rect class="{}line-{}" x="{}" y="{}" width="{}" height="{}" rx="{}" stroke-width="{}"{}{}/>',
        *("" if fill == "none" else f"fill-{fill} ", line, _short(cell.x), _short(cell.y)),
        *(_short(cell.width), _short(cell.height), _short(float(radius)), _short(float(stroke))),
        SafeString(' stroke-dasharray="5 5"' if dashed else ""),
        SafeString(' fill="none"' if fill == "none" else ""),
    )
