"""The public history of hosts' commands in a match, each with the host's name, the time and the reason.

Until the match is over it leaves out details that would reveal a secret, such as amounts of private balances, and what
an amendment changed.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

import msgspec
from django.db.models import Q, QuerySet

from matches.engine.sentences import Name
from matches.models import Match, Submission
from matches.queries.feed import Names, NamesThen
from matches.queries.names import NamesNow, names_in_data, names_now, shown_in
from matches.services.commands import HISTORY, Payload

FOR_HOSTS: Payload = {"told_to": "hosts"}
"""Part of the payload of a command that only hosts may read about until the match is over."""

_CORRECTS = '"asset":'  # in the payload of corrections, and of taking one back
_FOR_HOSTS = '"told_to":"hosts"'  # as stored; cannot occur inside a text, where quotation marks are escaped


class HostAct(msgspec.Struct, frozen=True):
    """One act: `what` continues after the host's name, such as “paused the match”; `reason` may be empty."""

    at: datetime
    host: str
    what: str
    reason: str


def host_act_rows(match: Match) -> QuerySet[Submission]:
    """The commands of hosts in the log that everybody may read about, latest first.

    Replies to private questions are always left out. Until the match is over, so are refused commands, commands marked
    `FOR_HOSTS`, and reminders, because they show that somebody had not acted. Refused corrections are included at once,
    but without the amount, because hosts can learn something about sealed bids from them."""
    rows = match.log.filter(kind=Submission.Kind.COMMAND, player=None, actor__startswith="host:").order_by("-number")
    rows = rows.exclude(payload__startswith='{"command":"reply",')
    if match.is_over:
        return rows
    return (
        rows.filter(Q(accepted=True) | Q(payload__contains=_CORRECTS))
        .exclude(payload='{"command":"remind"}')
        .exclude(payload__contains=_FOR_HOSTS)
    )


def host_acts(match: Match, rows: QuerySet[Submission] | list[Submission]) -> list[HostAct]:
    """Rows of `host_act_rows` in words."""
    names, rows = NamesThen(match), list(rows)
    now = names_now(match, named_in(rows))
    return [_act(match, row, _namer(names.at(row.number)), now) for row in rows]


def _namer(names: Names) -> Name:
    return lambda handle: names.get(handle, handle)


def named_in(rows: Iterable[Submission]) -> Iterator[str]:
    """The names of people in the commands among these rows of the log."""
    for row in rows:
        if row.kind == Submission.Kind.COMMAND:
            yield row.actor.removeprefix("host:")
            yield from names_in_data(json.loads(row.payload))


def command_in_words(match: Match, payload: Payload, names: Names) -> str:
    """What a command did, in words that follow the host's name: “paused the match”."""
    return _what(match, payload, _namer(names))


def _what(match: Match, payload: Payload, name: Name) -> str:
    command = str(payload["command"])
    if say := HISTORY.get(command):
        return say(match, payload, name)
    # Commands of other apps have their words in the payload.
    return str(_OF_DRAFTS.get(command) or payload.get("said") or command.replace("_", " "))


def _act(match: Match, row: Submission, name: Name, now: NamesNow) -> HostAct:
    payload = shown_in(json.loads(row.payload), now)
    what = _what(match, payload, name)
    if not row.accepted and not match.is_over and payload["command"] == "act":
        what = f"{what} (refused: nothing changed)"
    elif not row.accepted and not match.is_over:
        what = f"tried to correct one of {name(payload['player'])}'s balances (refused: nothing changed)"
    elif not row.accepted:
        what = f"{what} (refused: nothing changed)"
    # `why` is a reason that would reveal a secret before the match is over.
    reason = payload.get("reason") or (payload.get("why") if match.is_over else "")
    host = row.actor.removeprefix("host:")
    return HostAct(row.received_at, now.get(host, host), what, str(reason or "").strip())


_OF_DRAFTS: Mapping[str, str] = {
    "create": "created the match",
    "update": "changed the draft",
    "players": "changed the list of players",
}
"""The words for what hosts do on other pages than the console, while the match is a draft."""
