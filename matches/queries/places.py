"""The places of a match: who is away, and who is invited."""

from datetime import datetime
from typing import Any, NamedTuple

from msgspec import Struct

from matches.models import Absence, Invitation, Link, Match, Player, clock
from matches.queries.match_info import Instant
from matches.queries.names import NamesNow, names_now
from matches.services.joining import code_of

# -- absences --------------------------------------------------------------------------------------------


class AwayTime(Struct, frozen=True):
    """A present or coming absence, as players may know it. `bot`: whether a bot plays for them meanwhile."""

    player: str
    since: Instant
    until: Instant
    bot: bool
    is_now: bool


class Away(AwayTime, frozen=True):
    """An absence in full, only for hosts and the person. `noted_by`: the host who noted it, empty if the person did."""

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
    """The `OwnPlace` of a player."""
    found = absences(match)
    own = next((each for each in found if each.player == player.handle), None)
    others = [AwayTime(each.player, each.since, each.until, each.bot, each.is_now) for each in found if each != own]
    return OwnPlace(player.handle, match.bots_stand_in, player.is_bot, own, others)


def absences(match: Match) -> list[Away]:
    """All present and coming absences, in full."""
    now = clock.now()
    found = Absence.objects.filter(match=match, ended_at=None, until__gt=now).select_related("player")
    return [
        Away(each.player.handle, each.since, each.until, each.bot, each.is_now(now), each.reason, each.noted_by)
        for each in found
    ]


# -- invitations -----------------------------------------------------------------------------------------

MOST = 100


class Sent(NamedTuple):
    """An invitation, for hosts. `code` is that of its link, empty if it no longer works. `became` is a word for what
    became of it, such as `used`, and `became_at` when. `who`: for whom it is meant, or who has used it."""

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
    """The latest invitations to a match, newest first."""
    now = clock.now()
    found = list(match.invitations.select_related("player", "sent_to", "used_by")[:MOST])
    names = names_now(match, {each.made_by for each in found})
    return [_sent(each, match, now, names) for each in found]


def _sent(each: Invitation, match: Match, now: datetime, names: NamesNow) -> Sent:
    shown = sent(each, each.player, now, is_over=match.is_over)
    made_by = names.get(each.made_by, each.made_by)
    return shown._replace(made_by=made_by, takes_over=each.takes_over, code=code_of(each) if shown.works else "")


def sent(each: Link, place: Any, now: datetime, *, is_over: bool) -> Sent:
    """An invitation to a place of a match or a season (which `is_over` or not), without its code."""
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
