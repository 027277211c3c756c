"""Of what a webhook of a match can hear, in the order of the form."""

from __future__ import annotations

from typing import NamedTuple

from matches.engine import notice_events as events
from matches.engine.game import AnyGame


class Kind(NamedTuple):
    """A kind of news. `events`: which events belong to it."""

    key: str
    label: str
    events: frozenset[str]


_REST = "news"
TEST = "test"
"""Not one to choose: it is posted by a button."""

KINDS = (
    Kind(
        "match",
        "The match begins, pauses, goes on, is moved, ends",
        frozenset(
            {
                events.OPENED,
                events.PAUSED,
                events.RESUMED,
                events.MOVED,
                events.OUTAGE,
                events.CANCELLED,
                events.FINISHED,
            }
        ),
    ),
    Kind(
        "rounds",
        "Rounds open and close",
        frozenset({events.ROUND_OPENED, events.ROUND_CLOSED, events.DECISION_ASKED}),
    ),
    Kind("hosts", "Announcements of the hosts", frozenset({events.CLARIFIED})),
    Kind(_REST, "Everything else that everybody is told, such as each public bid", frozenset()),
)
BY_DEFAULT = ("match", "rounds", "hosts")

_OF_EVENT = {event: kind.key for kind in KINDS for event in kind.events}


def kind_of(rules: AnyGame, announcement: str) -> str:
    """Which kind of news an announcement to everybody is."""
    event = rules.notice_event(announcement)
    return _OF_EVENT.get(event, _REST) if event else _REST
