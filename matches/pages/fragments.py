"""Fragments: elements of a part that a push can send on their own.

A bid often changes one seat on a board of a hundred, and the board goes to everybody who watches, so only the changed
elements are sent. A template puts an element between `{% fragment %}` and `{% endfragment %}`; it is then written on a
line of its own, and its id must be unique on the page. If two versions of a part differ only in such lines, those
elements are sent instead of the whole part.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping

_OPENING = re.compile(r'\s*<([a-z]+) id="([\w-]+)"')
_FRAGMENT = re.compile(r'<[a-z]+ data-fragment id="([\w-]+)"')


def mark(html: str) -> str:
    """An element marked as a fragment, on one line.

    `html` is one element whose first attribute is its id. Raises ValueError for anything else.
    """
    opening = _OPENING.match(html)
    if opening is None:
        raise ValueError(f"A fragment is one element, and its first attribute its id: {html.strip()[:60]!r}")
    tag, name = opening.groups()
    rest = " ".join(html[opening.end() :].rstrip().splitlines())
    return f'\n<{tag} data-fragment id="{name}"{rest}\n'


def changed(before: str, after: str) -> dict[str, str] | None:
    """Id -> new text of the elements in which two versions of a part differ; None if they differ elsewhere too."""
    old, new = before.split("\n"), after.split("\n")
    if len(old) != len(new):
        return None
    found: dict[str, str] = {}
    for was, now in zip(old, new, strict=True):
        if was == now:
            continue
        name = _FRAGMENT.match(now)
        if name is None or not was.startswith(name[0]):
            return None
        found[name[1]] = now
    return found


def sums(parts: Mapping[str, str]) -> dict[str, str]:
    """The checksum of each part. All are of one length, so that the length of a page tells nothing of its texts."""
    return {name: f"{zlib.crc32(text.encode()):08x}" for name, text in parts.items()}


def checksums(parts: Mapping[str, str]) -> str:
    """The same as JSON, for a page: by these it knows what of its first frame it was made of already."""
    return json.dumps(sums(parts))
