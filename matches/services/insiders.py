"""People who may know a match's secrets: its present and former hosts and observers, everybody who has opened its
console, and those who have played in it and left their place to somebody else.

They can never play in it. The record stays when somebody stops hosting, because they still know the secrets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from matches.models import Insider, Match, MatchRole, Player
from matches.services import belonging
from matches.services.storage import sql


def is_insider(match: Match, user: Any) -> bool:
    """Whether a person may know more of this match than its players."""
    where = "match_id = %s AND user_id = %s AND played_id IS NULL"
    return user.pk is not None and bool(sql.select(Insider, ("id",), where, match.pk, user.pk))


def why_not_play(match: Match, user: Any) -> str:
    """Why a person may not have a place in this match, in a sentence that names them; empty if they may."""
    return why_none_plays(match, [user])[0]


def why_none_plays(match: Match, people: Sequence[Any]) -> list[str]:
    """For each of these people what `why_not_play` says. It reads as much for many as for one."""
    known = [person.pk for person in people if person.pk is not None]
    of_these = f"match_id = %s AND user_id IN ({', '.join(['%s'] * len(known)) or 'NULL'})"
    hosts = {pk for (pk,) in sql.select(Match.hosts.through, ("user_id",), of_these, match.pk, *known)}
    observers = {pk for (pk,) in sql.select(MatchRole, ("user_id",), of_these, match.pk, *known)}
    insiders = dict(sql.select(Insider, ("user_id", "played_id"), of_these, match.pk, *known))
    group = belonging.group_of(match)

    def why_not(person: Any) -> str:
        if person.pk in hosts:
            return f"{person} hosts this match, and a host never plays in it."
        if person.pk in observers:
            return f"{person} observes this match, and an observer never plays in it."
        if person.pk not in insiders:
            return group.why_not_play(person) if group else ""
        if insiders[person.pk] is None:
            return f"{person} has hosted this match or seen its settings, and can never play in it."
        return f"{person} has played in this match and knows a player's secrets, so they can never play in it again."

    return [why_not(person) for person in people]


def note_insiders(match: Match, people: Iterable[Any], now: datetime) -> None:
    """Note for good that these people may know more; for a locked match."""
    found = [Insider(match=match, user_id=person.pk, since=now) for person in people]
    Insider.objects.bulk_create(found, ignore_conflicts=True)
    match.insiders.filter(user__in=[each.user_id for each in found]).exclude(played=None).update(played=None)


def note_leaver(player: Player, user: Any, now: datetime) -> None:
    """Note for good that somebody has played in this place of a running match; for a locked match."""
    Insider.objects.get_or_create(match_id=player.match_id, user=user, defaults={"since": now, "played": player})
