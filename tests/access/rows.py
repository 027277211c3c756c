"""What a row of expectations is: addresses that answer alike, and what each role gets there."""

from typing import NamedTuple

Expected = str | dict[str, str]
"""A status for each of a family's roles in their order, the last one for all that follow; where it depends on the
match's status, one of these for each."""


class Row(NamedTuple):
    """Addresses that answer alike; in place of what differs from one match or row to the next there is a star."""

    what: str
    get: Expected
    post: Expected
    routes: str


class Family(NamedTuple):
    """Part of the site, and in which roles it is visited."""

    roles: tuple[str, ...]
    rows: tuple[Row, ...]
