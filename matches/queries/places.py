"""The places of a match: who is away, and who is invited."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from msgspec import Struct

from matches.models import Absence, Match, Player, clock
from matches.queries.match_info import Instant
from matches.queries.names import names_now
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


def sent_in(match: Match) -> list[Any]:
    """The latest invitations to a match, newest first, as `latest` gives them."""
    found = latest(match.invitations.select_related("player", "sent_to", "used_by"), code_of, is_over=match.is_over)
    names = names_now(match, {each.made_by for each in found})
    for each in found:
        each.made_by = names.get(each.made_by, each.made_by)
    return found


def latest(invitations: QuerySet[Any], code_of: Callable[[Any], str], *, is_over: bool) -> list[Any]:
    """The latest of the invitations to a match or a season (which `is_over` or not), for hosts to read, not to save.

    Each gets `code`, that of its link, empty if it no longer works; `who`: for whom it is meant, or who has used it;
    `became`: a word for what became of it, such as `used`; and `became_at`, when.
    """
    now, found = clock.now(), list(invitations[:MOST])
    for each in found:
        meant_for = ", ".join(filter(None, (each.sent_to.username if each.sent_to else "", each.label)))
        each.who = each.used_by.username if each.used_by else meant_for
        each.became, each.became_at = _became(each, now)
        each.code = "" if each.became or is_over else code_of(each)
    return found


def _became(each: Any, now: datetime) -> tuple[str, datetime | None]:
    if each.used_at is not None:
        return "used", each.used_at
    if each.revoked_at is not None:
        return "revoked", each.revoked_at
    if not each.fits(each.place):
        return "replaced", None
    if not each.is_alive(now):
        return "expired", each.expires_at
    return "", None
