"""The events that people can be notified of, most important first, each with its default channels."""

from collections.abc import Mapping
from typing import NamedTuple

from matches.engine import notice_events as of_matches

EMAIL, PUSH, WEBHOOK = "email", "push", "webhook"
CHANNELS = (EMAIL, PUSH, WEBHOOK)

ACT, LOST, WON, NEWS = GROUPS = ("act", "lost", "won", "news")
"""What a notice means to its receiver; lists show these groups in this order."""

SEASON_ASKS = "season_asks"
SEASON_NEWS = "season_news"
SEASON_ASKS_HOST = "season_asks_host"
REPLACED = "replaced"
APPLICATION = "application"
INVITED = "invited"
WEBHOOK_STOPPED = "webhook_stopped"
MESSAGE = "message"
MENTIONED = "mentioned"
TEST = "test"
"""Not an event of its own: the test button of an address sends it."""


class Event(NamedTuple):
    """An event. `group`: what it means to the receiver. `headline`: the beginning of titles and subject lines, which
    reveals nothing sealed. `urgent`: it cannot wait for a digest. `by_default`: the channels that it uses unless a
    person has chosen otherwise."""

    key: str
    group: str
    label: str
    headline: str
    urgent: bool = False
    by_default: frozenset[str] = frozenset(CHANNELS)
    for_hosts: bool = False


_OUT_LOUD = frozenset({PUSH, WEBHOOK})

_PLAYERS = (
    Event(of_matches.DECISION_ASKED, ACT, "I have to decide something", "You have to decide", True),
    Event(of_matches.DEADLINE_NEAR, ACT, "A deadline is near and I have sent nothing", "A deadline is near", True),
    Event(SEASON_ASKS, ACT, "I have to decide something in a season", "You have to decide", True),
    Event(of_matches.CANCELLED, NEWS, "A match is cancelled", "The match is cancelled", True),
    Event(of_matches.FINISHED, NEWS, "A match is finished", "The match is finished"),
    Event(of_matches.OUTBID, LOST, "I am outbid", "You have been outbid", True),
    Event(
        of_matches.LOST,
        LOST,
        "I lose something, or a bid or vote of mine does not count",
        "A bid or vote of yours has been settled",
    ),
    Event(of_matches.WON, WON, "I win something", "A bid or vote of yours has been settled"),
    Event(of_matches.OPENED, NEWS, "A match begins", "The match has begun", True),
    Event(of_matches.ROUND_CLOSED, NEWS, "A round closes, with my own results", "A round has closed"),
    Event(of_matches.ROUND_OPENED, NEWS, "A round opens", "A round has opened"),
    Event(
        of_matches.CORRECTED, NEWS, "A host changes something of mine", "A host has changed something of yours", True
    ),
    Event(of_matches.ADDED, NEWS, "A host adds me to a match", "A host has added you to a match", True),
    Event(INVITED, ACT, "I am invited to a match or a season", "You are invited to a match", True),
    Event(APPLICATION, NEWS, "Hosts decide on my application", "News of your application", True),
    Event(REPLACED, NEWS, "I no longer play in a match", "You no longer play in a match", True),
    Event(of_matches.PAUSED, NEWS, "A match is paused", "The match is paused"),
    Event(of_matches.RESUMED, NEWS, "A match resumes", "The match resumes", True),
    Event(of_matches.MOVED, NEWS, "A deadline or start moves", "A deadline has moved", True),
    Event(of_matches.OUTAGE, NEWS, "A deadline moves because the site was down", "A deadline has moved", True),
    Event(of_matches.CLARIFIED, NEWS, "A host announces or clarifies something", "News from the hosts"),
    Event(of_matches.ANSWERED, NEWS, "A host answers my question", "A host has answered your question"),
    Event(SEASON_NEWS, NEWS, "Something happens in one of my seasons", "News of the season"),
    Event(MENTIONED, NEWS, "Somebody mentions me", "Somebody mentions you", by_default=_OUT_LOUD),
    Event(MESSAGE, NEWS, "There are new messages", "New messages", by_default=frozenset({EMAIL})),
)
_HOSTS = (
    Event(SEASON_ASKS_HOST, ACT, "A season is waiting for its hosts", "A season is waiting for you", True),
    Event(of_matches.HOSTS_ASKED, ACT, "A match is waiting for its hosts", "A match is waiting for you", True),
    Event(of_matches.FAULT, ACT, "A match has a fault", "A match needs you", True),
    Event(of_matches.NOT_OPENED, ACT, "A match could not begin", "A match could not begin", True),
    Event(WEBHOOK_STOPPED, NEWS, "The site stops a webhook of a match", "The site has stopped a webhook"),
    Event(of_matches.ASKED, ACT, "A player asks something", "A player has a question", True),
    Event(of_matches.AWAY, NEWS, "A player says that they will be away", "A player will be away"),
    Event(of_matches.LEFT, NEWS, "A player leaves", "A player has left"),
    Event(
        of_matches.NOBODY_SUBMITTED,
        NEWS,
        "Half of the time has passed, and nobody has submitted",
        "Nobody has submitted yet",
    ),
    Event(of_matches.ALL_SUBMITTED, NEWS, "Everybody has submitted", "Everybody has submitted", by_default=_OUT_LOUD),
)

EVENTS: dict[str, Event] = {
    event.key: event for event in (*_PLAYERS, *(each._replace(for_hosts=True) for each in _HOSTS))
}
_WEIGHT = {key: place for place, key in enumerate(EVENTS)}

FROM_PEOPLE = frozenset({MENTIONED, MESSAGE, of_matches.ANSWERED, of_matches.CLARIFIED})
"""Events that are messages from people."""

TO_HOSTS_TOO = frozenset({of_matches.FINISHED, of_matches.OUTAGE})
"""Events for players that hosts are told of as well."""

MOOT: Mapping[str, frozenset[str]] = {
    of_matches.DECISION_ASKED: frozenset({of_matches.DECISION_ASKED, of_matches.DEADLINE_NEAR}),
    of_matches.OPENED: frozenset({of_matches.ADDED, of_matches.MOVED, INVITED}),
    of_matches.PAUSED: frozenset({of_matches.PAUSED, of_matches.RESUMED}),
    of_matches.RESUMED: frozenset({of_matches.PAUSED, of_matches.RESUMED, of_matches.MOVED}),
    of_matches.MOVED: frozenset({of_matches.MOVED, of_matches.OUTAGE}),
    of_matches.OUTAGE: frozenset({of_matches.MOVED, of_matches.OUTAGE}),
    of_matches.ROUND_OPENED: frozenset({of_matches.ROUND_OPENED}),
    of_matches.ROUND_CLOSED: frozenset({of_matches.ROUND_OPENED, of_matches.OUTBID, of_matches.DEADLINE_NEAR}),
    of_matches.ALL_SUBMITTED: frozenset({of_matches.ALL_SUBMITTED, of_matches.NOBODY_SUBMITTED}),
    of_matches.HOSTS_ASKED: frozenset({of_matches.HOSTS_ASKED}),
    of_matches.FAULT: frozenset({of_matches.FAULT}),
    of_matches.NOT_OPENED: frozenset({of_matches.NOT_OPENED}),
}
"""A notice of the key's event makes earlier notices of these events obsolete, for the same person and match."""

MATCH, ROUNDS, HOSTS = "match", "rounds", "hosts"
_OF_THE_MATCH = (of_matches.OPENED, of_matches.PAUSED, of_matches.RESUMED, of_matches.MOVED, of_matches.OUTAGE)
_OF_ROUNDS = (of_matches.ROUND_OPENED, of_matches.ROUND_CLOSED, of_matches.DECISION_ASKED)
POSTED_AS: Mapping[str, str] = {
    **dict.fromkeys((*_OF_THE_MATCH, of_matches.CANCELLED, of_matches.FINISHED), MATCH),
    **dict.fromkeys(_OF_ROUNDS, ROUNDS),
    of_matches.CLARIFIED: HOSTS,
}
"""The kind of news that public webhooks post an event as; all others are `NEWS`."""


def weight(key: str) -> int:
    """Return the rank of an event, 0 for the most important; unknown ones come last."""
    return _WEIGHT.get(key, len(_WEIGHT))


def heaviest(keys: set[str]) -> Event:
    """Return the most important of several events."""
    return EVENTS[min(keys, key=_WEIGHT.__getitem__)]


def is_default(key: str, channel: str) -> bool:
    """Whether people hear of this event through this channel by default."""
    return channel in EVENTS[key].by_default
