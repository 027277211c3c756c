"""What hosts do to a season that its log does not have: its draft, from making to deleting it, and its invitations.

The log begins with the season, and a draft that comes to nothing can be deleted. So these commands stand in the history
of the administrators, which nobody changes in the console and which outlasts the draft: who, when, what stood before,
and what afterwards. People are in it by the number of their account, links by a fingerprint.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.admin.models import ADDITION, CHANGE, DELETION, LogEntry
from django.contrib.contenttypes.models import ContentType

from matches.engine.canonical import canonical
from matches.models import clock
from seasons.models import Season

_OF_THE_SEASON = ("title", "description", "settings", "usual_hour", "zone")
_OF_A_MEMBER = ("user_id", "is_bot", "position", "team", "garnets", "priority", "blood_garnets")
_OF_A_LINK = ("made_at", "made_by", "sent_to_id", "label", "expires_at", "revoked_at", "times_sent")


def note_made(season: Season, by: Any) -> None:
    """A draft was made."""
    _note(season, by, ADDITION, _differences({}, _facts(season)))


@contextmanager
def noting(season: Season, host: Any) -> Iterator[None]:
    """What this host changes of a locked season in the block is noted, if anything, or that it is gone."""
    number, title, before = season.pk, str(season), _facts(season)
    yield
    if season.pk is None:
        season.pk = number  # Django takes it from a row that is deleted
        _note(season, host, DELETION, "", title)
        season.pk = None
    elif told := _differences(before, _facts(season)):
        _note(season, host, CHANGE, told)


def noted_of(season: Season, first: int, count: int) -> list[LogEntry]:
    """What was noted of a season, the latest first."""
    of_seasons = ContentType.objects.get_for_model(Season)
    found = LogEntry.objects.filter(content_type=of_seasons, object_id=str(season.pk)).select_related("user")
    return list(found.order_by("-pk")[first : first + count])


def rename(season: Season, username: str, name: str) -> None:
    """Show a name in place of the username of a host who has left, which invitations were noted with."""
    made_by, shown = (canonical({"made_by": each})[1:-1] for each in (username, name))
    of_seasons = ContentType.objects.get_for_model(Season)
    noted = LogEntry.objects.filter(content_type=of_seasons, object_id=str(season.pk), change_message__contains=made_by)
    for entry in noted:
        entry.change_message = entry.change_message.replace(made_by, shown)
        entry.save(update_fields=["change_message"])


def _note(season: Season, host: Any, flag: int, told: str, title: str = "") -> None:
    LogEntry.objects.create(
        action_time=clock.now(),
        user_id=host.pk,
        content_type=ContentType.objects.get_for_model(Season),
        object_id=str(season.pk),
        object_repr=(title or str(season))[:200],
        action_flag=flag,
        change_message=told,
    )


def _facts(season: Season) -> dict[str, str]:
    found = {name: _shown(getattr(season, name)) for name in _OF_THE_SEASON}
    for member in season.cast.all():
        told = {name: getattr(member, name) for name in _OF_A_MEMBER}
        # Names are people's own and go with their account; that one is another is told.
        told["link"], told["name"] = _fingerprint(member.invite_nonce), _fingerprint(member.name)
        found[f"cast, {member.handle}"] = _shown(told)
    for link in season.invitations.select_related("member"):
        told = {name: getattr(link, name) for name in _OF_A_LINK}
        found[f"invitation {link.pk} to {link.member.handle}"] = _shown(told)
    return found


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return canonical({name: each if isinstance(each, int | None) else str(each) for name, each in value.items()})
    return str(value)


def _fingerprint(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _differences(before: dict[str, str], after: dict[str, str]) -> str:
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    return "\n".join(f"{name}: {before.get(name, 'nothing')} → {after.get(name, 'nothing')}" for name in names)
