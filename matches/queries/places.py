"""The places of a match: who is away, and who is invited."""

from datetime import datetime
from typing import Any, NamedTuple

from msgspec import Struct

from matches.models import Absence, Invitation, Link, Match, Player, clock
from matches.queries.match_info import Instant
from matches.queries.names import NamesNow, names_now
from matches.services.joining import code_of

# -- leniency --------------------------------------------------------------------------------------------
# What players may know of absences in their match.


class AwayTime(Struct, frozen=True):
    """Somebody is away, or will be. `bot`: a bot plays for them meanwhile."""

    player: str
    since: Instant
    until: Instant
    bot: bool
    is_now: bool


class Away(AwayTime, frozen=True):
    """An absence in full, for hosts and the person alone. `noted_by`: the host who noted it, empty if it was they."""

    reason: str
    noted_by: str


class OwnPlace(Struct, frozen=True):
    """Your place. `bots_stand_in`: whether a bot can play for players who are away. `bot_plays`: whether one plays now.
    `away`: other players' absences."""

    player: str
    bots_stand_in: bool
    bot_plays: bool
    own: Away | None
    away: list[AwayTime]


def own_place(match: Match, player: Player) -> OwnPlace:
    """For the player who has it."""
    found = absences(match)
    own = next((each for each in found if each.player == player.handle), None)
    others = [AwayTime(each.player, each.since, each.until, each.bot, each.is_now) for each in found if each != own]
    return OwnPlace(player.handle, match.bots_stand_in, player.is_bot, own, others)


def absences(match: Match) -> list[Away]:
    """Who is away or will be, with what only hosts and the person may know."""
    now = clock.now()
    found = Absence.objects.filter(match=match, ended_at=None, until__gt=now).select_related("player")
    return [
        Away(each.player.handle, each.since, each.until, each.bot, each.is_now(now), each.reason, each.noted_by)
        for each in found
    ]


# -- invitations -----------------------------------------------------------------------------------------
# What hosts may know of the invitations to their match.

MOST = 100


class Sent(NamedTuple):
    """One invitation. `code`: of its link, empty for one that no longer works. `became`: what became of it, in a
    word, and `became_at` when; `who`: for whom it is meant, or who has used it."""

    number: int
    handle: str
    who: str
    made_at: datetime | None
    made_by: str
    opened_at: datetime | None
    expires_at: datetime | None
    became: str
    became_at: datetime | None
    works: bool
    can_be_sent: bool
    takes_over: bool = False
    code: str = ""


def sent_in(match: Match) -> list[Sent]:
    """The invitations that were made, sent or used, the latest first."""
    now = clock.now()
    found = list(match.invitations.select_related("player", "sent_to", "used_by")[:MOST])
    names = names_now(match, {each.made_by for each in found})
    return [_sent(each, match, now, names) for each in found]


def _sent(each: Invitation, match: Match, now: datetime, names: NamesNow) -> Sent:
    shown = sent(each, each.player, now, is_over=match.is_over)
    made_by = names.get(each.made_by, each.made_by)  # as it was, it is sealed
    return shown._replace(made_by=made_by, takes_over=each.takes_over, code=code_of(each) if shown.works else "")


def sent(each: Link, place: Any, now: datetime, *, is_over: bool) -> Sent:
    """An invitation to a place of a match or a season that is over or not, without its code."""
    became, became_at = _became(each, place, now)
    works = became == "" and not is_over
    meant_for = ", ".join(filter(None, (each.sent_to.username if each.sent_to else "", each.label)))
    return Sent(
        number=each.pk,
        handle=place.handle,
        who=each.used_by.username if each.used_by else meant_for,
        made_at=each.made_at,
        made_by=each.made_by,
        opened_at=each.opened_at,
        expires_at=each.expires_at,
        became=became,
        became_at=became_at,
        works=works,
        can_be_sent=works and each.sent_to is not None,
    )


def _became(each: Any, place: Any, now: datetime) -> tuple[str, datetime | None]:
    if each.used_at is not None:
        return "used", each.used_at
    if each.revoked_at is not None:
        return "revoked", each.revoked_at
    if not each.fits(place):
        return "replaced", None
    if not each.is_alive(now):
        return "expired", each.expires_at
    return "", None
