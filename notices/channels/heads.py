"""The fingerprint of a log beside a notice: that of the moment of which the notice tells, if one was published then.

Other apps register where theirs come from in `AppConfig.ready`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping

from matches.queries.heads import heads_of
from notices.models import Delivery

Read = Callable[[Collection[str]], Mapping[str, str]]
"""From sources of notices to fingerprints; sources without one are left out."""


def _of_matches(sources: Collection[str]) -> dict[str, str]:
    rows = {int(number): source for source in sources if (number := source.partition(":")[2]).isdecimal()}
    return {rows[row]: head for row, head in heads_of(rows).items()}


_readers: dict[str, Read] = {"log": _of_matches}


def register(kind: str, read: Read) -> None:
    """From now on `read` knows the fingerprints of notices whose source begins with this word and a colon."""
    _readers[kind] = read


def heads_in(deliveries: Iterable[Delivery]) -> dict[str, str]:
    """The fingerprints beside what these tell of, by the notices' sources."""
    of_kind: defaultdict[str, set[str]] = defaultdict(set)
    for delivery in deliveries:
        of_kind[delivery.notice.source.partition(":")[0]].add(delivery.notice.source)
    return {
        source: head
        for kind, sources in of_kind.items()
        if kind in _readers
        for source, head in _readers[kind](sources).items()
    }
