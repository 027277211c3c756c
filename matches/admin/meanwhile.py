"""What others have changed since a host opened a form: it is said before what this host typed takes its place."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest

from matches.admin.commands.base import Sentences
from matches.models import Match, Submission
from matches.services.locking import undisturbed
from matches.services.storage.retry import retrying

FIELD = "as_of"
"""A hidden field: how long the match's log was when the form was made."""

_LONGEST = 18


def as_of(match: Match, typed: Mapping[str, Any] | None = None) -> int:
    """How long the log was for whoever typed this, or is now."""
    found = str(typed.get(FIELD, "")) if typed else ""
    is_number = found.isascii() and found.isdecimal() and len(found) <= _LONGEST
    return int(found) if is_number else match.log_count


@retrying
def unless_by_others(request: HttpRequest, match: Match, sentences: Sentences, save: Callable[[], None]) -> str:
    """Save, unless others have changed something by these commands: then what, in words. Nobody comes between the two.
    Raises what saving raises."""
    with undisturbed(match.pk):
        if said := _by_others(request, match, sentences):
            match.refresh_from_db()
        else:
            save()
        return said


def _by_others(request: HttpRequest, match: Match, sentences: Sentences) -> str:
    """What others have changed by these commands; empty if nothing. A form without the field asks nobody."""
    host: Any = request.user
    since = as_of(match, request.POST)
    rows = match.log.filter(kind=Submission.Kind.COMMAND, accepted=True, number__gt=since)
    said = []
    for row in rows.exclude(user=host).order_by("number"):
        payload = json.loads(row.payload)
        if tell := sentences.get(payload["command"]):
            said.append(f"{tell(payload)} ({row.actor.partition(':')[2] or row.actor}).")
    if not said:
        return ""
    return (
        f"Since you opened this page, others have changed something. {' '.join(said)} What you typed is not saved yet: "
        "look at it again, because saving it once more puts it in the place of that."
    )
