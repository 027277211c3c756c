"""Makes the web addresses in a text links, where nobody can be deceived by what is shown."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

from django.utils.html import format_html
from django.utils.safestring import SafeString

_ADDRESS = re.compile(r"\bhttps?://[^\s<>\"`{}|\\^]+", re.IGNORECASE)
_HOST = re.compile(r"(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*\.?", re.IGNORECASE)
_ENDINGS = ".,:;!?'*_~…”’"
_PAIRS = {")": "(", "]": "["}
_TURNING = dict.fromkeys(map(ord, "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"))
"""Characters that turn the writing direction: what follows could be read as another address than it is."""


def linked(text: str) -> SafeString:
    """A text as HTML, its lines as they are.

    An address of http or https becomes a link that shows exactly where it leads: letters beyond ASCII after the host
    as %-codes. Without a link stay addresses with other letters in the host (also coded as `xn--`, which browsers
    decode), which may look like those of another host, and with a name before it
    (https://bank.example@evil.example). Signs that turn the writing direction are left out.
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
    # The direction is its own, so that letters of another script beside it do not turn its parts around.
    return format_html('<a href="{0}" rel="nofollow ugc noopener noreferrer" dir="ltr">{0}</a>', target)


def _trimmed(address: str) -> str:
    """Without the signs at its end that belong to the sentence around it."""
    while address and (address[-1] in _ENDINGS or _closes_nothing(address)):
        address = address[:-1]
    return address


def _closes_nothing(address: str) -> bool:
    opening = _PAIRS.get(address[-1])
    return opening is not None and address.count(opening) < address.count(address[-1])


def _target(address: str) -> str | None:
    """Where a link leads; None for an address that becomes none."""
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
