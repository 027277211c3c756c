"""What stands on a page: its text, and pieces of it."""

from __future__ import annotations

import re
from html import unescape

_TAGS = re.compile(r"<[^>]+>")
_CHANGING = re.compile(
    r'server-now" content="[^"]+|"X-CSRFToken": "[^"]+|csrfmiddlewaretoken" value="[^"]+|'
    r'name="key"(?: id="[^"]+")? value="[^"]+'
)


def text_of(html: str) -> str:
    """What a person reads, in one line."""
    return " ".join(unescape(_TAGS.sub(" ", html)).split())


def part(html: str, begin: str, end: str = "</section>") -> str:
    """What stands from a piece of HTML to the next end."""
    start = html.index(begin)
    return html[start : html.index(end, start)]


def element(html: str, ident: str) -> str:
    """The opening tag of an element, and what follows up to the next element with an id."""
    start = html.index(f'id="{ident}"')
    return html[html.rindex("<", 0, start) : html.find(' id="', start + 5)]


def steady(html: str) -> str:
    """A page without what differs at each look."""
    return _CHANGING.sub("", html)
