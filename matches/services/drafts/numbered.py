"""Titles of repeated matches: “Night table”, “Night table 2”, “Night table 3”."""

from __future__ import annotations

import re
from itertools import count
from typing import Any

from matches.models import Match

_LONGEST: int = Match._meta.get_field("title").max_length or 120
_NUMBERED = re.compile(r"(.*\S) (\d{1,3})")  # more digits are a year, or part of a name


def next_title(title: str, host: Any, *, again: bool = False) -> str:
    """The title with the next number that no match of this host has; the title itself if none has it and this is not
    the same match `again`."""
    found = _NUMBERED.fullmatch(title)
    base, number = (found[1], int(found[2])) if found else (title, 1)
    base = base[: _LONGEST - 5].rstrip()
    titles = Match.objects.filter(hosts=host, title__istartswith=base).values_list("title", flat=True)
    taken = {each.lower() for each in titles}
    if not again and title.lower() not in taken:
        return title
    return next(each for n in count(number + 1) if (each := f"{base} {n}").lower() not in taken)
