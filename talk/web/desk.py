"""What waits for hosts in the talk of their matches, for their overview."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Count
from django.urls import reverse

from matches.engine.sentences import counted
from matches.models import Match
from matches.pages.desk import Need
from talk.models import Message
from talk.queries.unread import unread_for


def needs_in(user: Any, matches: Sequence[Match]) -> Mapping[int, Sequence[Need]]:
    """Reported messages that nobody has looked at, and what the host has not read; two queries."""
    addresses = {match.pk: reverse("talk:talk", args=[match.public_id]) for match in matches}
    found: dict[int, list[Need]] = defaultdict(list)
    reported = Message.objects.filter(match__in=addresses, reports__isnull=False, reports__settled_at=None)
    reported = reported.filter(match__insiders__user=user).order_by()
    counts: dict[int, int] = dict(reported.values_list("match").annotate(count=Count("pk", distinct=True)))
    for pk, count in counts.items():
        found[pk].append(Need(f"{counted(count, 'reported message')}", addresses[pk]))
    unread: dict[int, int] = defaultdict(int)
    for channel in unread_for(user) if addresses else ():
        unread[channel.match_id] += channel.messages
    for pk in unread.keys() & addresses.keys():
        found[pk].append(Need(f"{counted(unread[pk], 'unread message')} in talk", addresses[pk], "unread"))
    return found
