"""What hosts may know of the invitations to their match."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from matches.models import Invitation, Match, clock
from matches.services.invitations import code_of

MOST = 100


class Sent(NamedTuple):
    """One invitation. `code`: of its link, empty for one that no longer works. `became`: what became of it, in a
    word, and `became_at` when; `who`: for whom it is meant, or who has used it."""

    number: int
    handle: str
    takes_over: bool
    who: str
    made_at: datetime | None
    made_by: str
    opened_at: datetime | None
    expires_at: datetime | None
    became: str
    became_at: datetime | None
    code: str
    can_be_sent: bool


def sent_in(match: Match) -> list[Sent]:
    """The invitations that were made, sent or used, the latest first."""
    now = clock.now()
    found = match.invitations.select_related("player", "sent_to", "used_by")[:MOST]
    return [_sent(each, match, now) for each in found]


def sent_one(number: int) -> Sent:
    """One invitation, as it stands now."""
    found = Invitation.objects.select_related("player", "sent_to", "used_by", "match").get(pk=number)
    return _sent(found, found.match, clock.now())


def _sent(each: Invitation, match: Match, now: datetime) -> Sent:
    became, became_at = _became(each, now)
    works = became == "" and not match.is_over
    meant_for = ", ".join(filter(None, (each.sent_to.username if each.sent_to else "", each.label)))
    return Sent(
        number=each.pk,
        handle=each.player.handle,
        takes_over=each.takes_over,
        who=each.used_by.username if each.used_by else meant_for,
        made_at=each.made_at,
        made_by=each.made_by,
        opened_at=each.opened_at,
        expires_at=each.expires_at,
        became=became,
        became_at=became_at,
        code=code_of(each) if works else "",
        can_be_sent=works and each.sent_to is not None,
    )


def _became(each: Invitation, now: datetime) -> tuple[str, datetime | None]:
    if each.used_at is not None:
        return "used", each.used_at
    if each.revoked_at is not None:
        return "revoked", each.revoked_at
    if not each.fits(each.player):
        return "replaced", None
    if not each.is_alive(now):
        return "expired", each.expires_at
    return "", None
