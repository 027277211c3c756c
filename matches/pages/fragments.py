"""Pieces of a part: elements that a push may send by themselves.

A bid changes one seat of a board of a hundred, and a board goes to everybody who watches: what is sent is what
changed. A template puts an element between `{% fragment %}` and `{% endfragment %}`; it then stands on a line of
its own, with a name, its id, that the whole page knows once. Where two texts of a part differ in such lines only, those
elements are sent and not the part.
"""

from __future__ import annotations

import re

_OPENING = re.compile(r'\s*<([a-z]+) id="([\w-]+)"')
_FRAGMENT = re.compile(r'<[a-z]+ data-fragment id="([\w-]+)"')


def mark(html: str) -> str:
    """An element as a fragment: on one line, and known as one.

    `html` is one element whose first attribute is its id. Raises ValueError for anything else.
    """
    opening = _OPENING.match(html)
    if opening is None:
        raise ValueError(f"A fragment is one element, and its first attribute its id: {html.strip()[:60]!r}")
    tag, name = opening.groups()
    rest = " ".join(html[opening.end() :].rstrip().splitlines())
    return f'\n<{tag} data-fragment id="{name}"{rest}\n'


def changed(before: str, after: str) -> dict[str, str] | None:
    """Id -> new text of the elements in which two texts of one part differ; None where that is not all."""
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
