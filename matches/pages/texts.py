"""Lengths of time, moments, links, formatted texts and rows of the log, as people read them."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote, urlsplit

from django.utils.html import format_html
from django.utils.safestring import SafeString
from markdown_it import MarkdownIt
from markdown_it.token import Token

from matches.engine.sentences import joined
from matches.infra.text import moment_in_words as moment_in_words
from matches.models import Match, Submission
from matches.queries.feed import Names
from matches.queries.host_acts import command_in_words
from matches.queries.names import NamesNow, shown_in

# -- durations -------------------------------------------------------------------------------------------
# Lengths of time and moments in words. static/js/clock.js then updates the same words every second.

MINUTE, HOUR, DAY = 60, 3600, 86400
ALMOST_A_WEEK = timedelta(days=6)
SOON = timedelta(hours=2)
URGENT = timedelta(minutes=15)
FEW = timedelta(minutes=2)


def in_words(span: timedelta | float) -> str:
    """Return a length of time in its two largest units: “2 days 4 h”, “24 h”, “20 min”, “4 min 05 s”, “9 s”.

    Up to two days it counts in hours, because the rules speak of 24 h, not of a day.
    """
    total = max(0, int(span.total_seconds() if isinstance(span, timedelta) else span))
    minutes = total // MINUTE % 60
    if total >= 2 * DAY:
        days, hours = total // DAY, total // HOUR % 24
        return f"{days} days {hours} h" if hours else f"{days} days"
    if total >= HOUR:
        return f"{total // HOUR} h {minutes} min" if minutes else f"{total // HOUR} h"
    if total >= URGENT.total_seconds():
        return f"{minutes} min"
    if total >= MINUTE:
        return f"{minutes} min {total % MINUTE:02d} s"
    return f"{total} s"


def in_few_words(span: timedelta | float) -> str:
    """Return a length of time for countdowns on a board: “2h 59m”, with seconds only in the last two minutes."""
    total = max(0, int(span.total_seconds() if isinstance(span, timedelta) else span))
    if FEW.total_seconds() <= total < URGENT.total_seconds():
        return f"{total // MINUTE} min"
    if HOUR <= total < 2 * DAY:
        return in_words(total).replace(" h", "h").replace(" min", "m")
    return f"{total} s" if total < FEW.total_seconds() else in_words(total)


def in_round_words(span: timedelta | float) -> str:
    """Return a length of time for rules: “5 min”, not “5 min 00 s”."""
    return in_words(span).removesuffix(" 00 s")


def in_real_words(span: timedelta | float, speed: int = 1) -> str:
    """Return a length of match time in real time, for a clock that runs `speed` times as fast: “24 h”, or “3 h (24 h of
    match time)”."""
    length = span if isinstance(span, timedelta) else timedelta(seconds=span)
    said = in_round_words(length)
    return said if speed == 1 else f"{in_round_words(length / speed)} ({said} of match time)"


def moment_in_short(at: datetime, now: datetime) -> str:
    """Return a moment as “Sat 14:00 UTC” within six days of now, when the weekday is enough; else in full."""
    at = at.astimezone(UTC)
    return f"{at:%a} {at:%H:%M} UTC" if abs(at - now) < ALMOST_A_WEEK else moment_in_words(at)


def urgency(left: timedelta) -> str:
    """Return how urgent a deadline is: `calm`, `soon`, `urgent` or `passed`. `left` is real time, not match time."""
    if left <= timedelta(0):
        return "passed"
    if left < URGENT:
        return "urgent"
    return "soon" if left < SOON else "calm"


# -- links -----------------------------------------------------------------------------------------------
# Turns the web addresses in a text into links, but only where what is shown cannot deceive anybody.

_ADDRESS = re.compile(r"\bhttps?://[^\s<>\"`{}|\\^]+", re.IGNORECASE)
_HOST = re.compile(r"(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*\.?", re.IGNORECASE)
_ENDINGS = ".,:;!?'*_~…”’"
_PAIRS = {")": "(", "]": "["}
_TURNING = dict.fromkeys(map(ord, "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"))
"""Characters that change the writing direction, which could make an address read like another one."""


def linked(text: str) -> SafeString:
    """Return a text as HTML with links; its lines stay as they are.

    An http or https address becomes a link that shows exactly where it leads: non-ASCII letters after the host as
    %-codes. Addresses with other letters in the host (or `xn--`, which browsers decode) may look like another host and
    become no link, nor do those with a user name (https://bank.example@evil.example). Characters that change the
    writing direction are removed.
    """
    text, parts, end = text.translate(_TURNING), [], 0
    for found in _ADDRESS.finditer(text):
        address = _trimmed(found[0])
        if (target := _target(address)) is not None:
            parts += [format_html("{}", text[end : found.start()]), _link(target)]
            end = found.start() + len(address)
    parts.append(format_html("{}", text[end:]))
    return SafeString("".join(parts))


def _link(target: str) -> str:
    # With its own direction, so that letters of another script next to it do not reorder its parts.
    return format_html('<a href="{0}" rel="nofollow ugc noopener noreferrer" dir="ltr">{0}</a>', target)


def _trimmed(address: str) -> str:
    """The address without punctuation at its end that belongs to the sentence around it."""
    while address and (address[-1] in _ENDINGS or _closes_nothing(address)):
        address = address[:-1]
    return address


def _closes_nothing(address: str) -> bool:
    opening = _PAIRS.get(address[-1])
    return opening is not None and address.count(opening) < address.count(address[-1])


def _target(address: str) -> str | None:
    """Where a link leads; None for an address that must not become a link."""
    try:
        parts = urlsplit(address)
        known_port = parts.port is None or parts.port > 0
    except ValueError:
        return None
    host = parts.netloc.partition(":")[0]
    is_plain = _HOST.fullmatch(host) and "xn--" not in host.lower()
    if "@" in parts.netloc or not known_port or not is_plain or not address.isprintable():
        return None
    return quote(address, safe="!#$%&'()*+,/:;=?@[]~")


# -- formatted texts -------------------------------------------------------------------------------------
# Long texts of hosts: paragraphs, lists, emphasis and links. Any other markup is shown as it was typed.


def _reader() -> MarkdownIt:
    reader = MarkdownIt("zero", {"html": False, "breaks": True})
    reader.enable(["list", "emphasis", "link", "newline", "escape"])
    reader.validateLink = lambda url: _target(url) is not None  # type: ignore[method-assign]
    reader.normalizeLink = lambda url: _target(url) or url  # type: ignore[method-assign]
    return reader


_READER = _reader()


def formatted(text: str) -> SafeString:
    """Return a text with simple Markdown as HTML; plain addresses become links, too."""
    tokens = _READER.parse(text.translate(_TURNING))
    for child in (child for token in tokens for child in _outside_links(token.children or ())):
        child.type, child.content = "html_inline", linked(child.content)
    for link in (child for token in tokens for child in token.children or () if child.type == "link_open"):
        link.attrSet("rel", "nofollow ugc noopener noreferrer")
    return SafeString(_READER.renderer.render(tokens, _READER.options, {}))


def _outside_links(children: Iterable[Token]) -> Iterator[Token]:
    depth = 0
    for child in children:
        depth += {"link_open": 1, "link_close": -1}.get(child.type, 0)
        if child.type == "text" and not depth:
            yield child


# -- log words -------------------------------------------------------------------------------------------
# Rows of a log in words: what was sent or what happened. The JSON behind them is what was hashed.


def row_in_words(match: Match, row: Submission, names: Names, now: NamesNow | None = None) -> str:
    """Return what a row of the log says, with every detail; the caller checks who may read it. `names`: what players
    were called then; `now`: what to show instead of the names of deleted accounts."""
    payload = shown_in(json.loads(row.payload), now or {})
    if row.kind == Submission.Kind.DEADLINE:
        return "A deadline passed"
    if row.kind == Submission.Kind.COMMAND and isinstance(payload, dict):
        return _sentence("The match began" if payload.get("command") == "open" else _command(match, payload, names))
    return action_in_words(payload, names)


def _command(match: Match, payload: dict[str, Any], names: Names) -> str:
    said, who = command_in_words(match, payload, names), payload.get("player")
    if said == _word(payload["command"]) and isinstance(who, str):  # no game or app has a sentence for it
        return f"{said}: {names.get(who, who)}"
    return said


def action_in_words(payload: object, names: Mapping[str, str]) -> str:
    """Return what a player sent: its type, and each field that is not empty. `names`: handle -> the name to show."""
    if not isinstance(payload, dict) or not isinstance(payload.get("type"), str):
        return "Something that is not an action"
    said = payload["type"].replace("_", " ")
    given = {key: value for key, value in payload.items() if key != "type" and _says_something(value)}
    if len(given) == 1 and isinstance(alone := next(iter(given.values())), dict):
        return _sentence(f"{said}: {joined(_amount(key, each, names) for key, each in alone.items() if each)}")
    fields = [f"{_word(key)} {_value(value, names)}" for key, value in given.items()]
    is_empty = not fields and len(payload) > 1
    return _sentence(f"{said}: {', '.join(fields)}" if fields else f"{said}: nothing" if is_empty else said)


def _amount(of: str, value: Any, names: Mapping[str, str]) -> str:
    """An amount for a player, or on something; a dict has amounts of several kinds."""
    if isinstance(value, dict):
        value = joined(f"{each} {kind}" for kind, each in value.items() if each)
    return f"{value} for {names[of]}" if of in names else f"{value} on {of}"


def _value(value: Any, names: Mapping[str, str]) -> str:
    if isinstance(value, dict):
        inner = [f"{_value(key, names)}: {_value(each, names)}" for key, each in value.items() if each]
        return f"({', '.join(inner)})" if inner else "nothing"
    if isinstance(value, list):
        return joined(_value(each, names) for each in value) if value else "nothing"
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    return names.get(value, value) if isinstance(value, str) else str(value)


def _says_something(value: object) -> bool:
    """Whether a field is worth mentioning: not if it is off or empty, but a number always is."""
    return bool(value) or (isinstance(value, int) and not isinstance(value, bool))


def _word(key: object) -> str:
    return str(key).replace("_", " ")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
