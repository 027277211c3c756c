"""What a row of expectations is: addresses that answer alike, and what each role gets there."""

from typing import NamedTuple

Expected = str | dict[str, str]
"""A status for each of a family's roles in their order, or one for all of them; where it depends on the match's status,
one of these for each."""


class Row(NamedTuple):
    """Addresses that answer alike."""

    what: str
    get: Expected
    post: Expected
    routes: str


class Family(NamedTuple):
    """Part of the site, and in which roles it is visited."""

    roles: tuple[str, ...]
    rows: tuple[Row, ...]
