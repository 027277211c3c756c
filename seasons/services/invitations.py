"""Invitations: links with which somebody can take an open place of a season's cast.

Every open place has a link even without a row of `SeasonInvitation` (`invitation_of`); the row records for whom a link
is, until when it works, and what became of it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core import signing

from matches.models import Match, Player
from matches.services import joining, links
from matches.services.commands import AlreadyDone, need_host
from matches.services.errors import CommandRefused, retrying
from seasons.models import Member, Season, SeasonInvitation, SeasonRole
from seasons.services.drafts import noting
from seasons.services.people import give_place, need_newcomer, record_person, with_matches
from seasons.services.writer import Writer, locked_season

_SALT = "seasons.invitation"
_OVER = "The season has ended, so nobody can join its cast."


@contextmanager
def _hosting(season: Season, host: Any, key: str = "") -> Iterator[Writer]:
    """Lock the season for a host's command and record the command. Raises `AlreadyDone` if the key was used before."""
    with locked_season(season.pk) as writer:
        need_host(writer.season, host)
        if key and writer.season.invitations.filter(key=key).exists():
            raise AlreadyDone
        if writer.season.status == Season.Status.ENDED:
            raise CommandRefused(_OVER)
        with noting(writer.season, host):
            yield writer


def _place_now(writer: Writer, place: Member, sent_to: Any) -> tuple[Member, dict[str, Any]]:
    member = need_open_place(writer, place)
    if sent_to is not None:
        need_newcomer(writer.season, sent_to)
    return member, {"season": writer.season}


def _note(writer: Writer, host: Any, name: str, place: Member, link: SeasonInvitation | None, key: str) -> None:
    if link is not None:
        link.key = key
        link.save(update_fields=["key"])


def need_open_place(writer: Writer, place: Member) -> Member:
    """Return the place as it is now. Raises `CommandRefused` if somebody has it."""
    member = writer.season.cast.get(pk=place.pk)
    if not member.is_open or member.status != Member.Status.IN:
        raise CommandRefused(links.taken(member), field="place")
    return member


# -- the link ------------------------------------------------------------------------------------------------


def invitation_of(member: Member) -> str:
    """Return the code of the link to this open place."""
    return signing.dumps({"m": member.pk, "n": member.invite_nonce}, salt=_SALT)


OF_A_SEASON = links.Inviting(_hosting, _place_now, _note, lambda link: invitation_of(link.member))
invite, renew_invitation = OF_A_SEASON.invite, OF_A_SEASON.renew
send_again, revoke = OF_A_SEASON.send_again, OF_A_SEASON.revoke


def invited_member(code: str) -> Member | None:
    """Return the open place of an invitation, or None if that no longer works."""
    said = links.read_code(code, _SALT)
    places = Member.objects.select_related("season").filter(user=None, is_bot=False, status=Member.Status.IN)
    found = places.filter(pk=said.get("m", 0), invite_nonce=said.get("n", "")).first()
    return None if found is None or found.season.is_over or links.has_ended(found) else found


def taken_by(code: str, user: Any) -> Member | None:
    """Return the member of an invitation if this person has the place already, as after a second click."""
    places = Member.objects.select_related("season").filter(user__isnull=False)
    return places.filter(pk=links.read_code(code, _SALT).get("m", 0), user_id=user.pk).first()


def note_opened(code: str, user: Any) -> None:
    """Record that somebody has opened a working link (`links.note_opened`)."""
    found = SeasonInvitation.objects.filter(nonce=links.read_code(code, _SALT).get("n", ""))
    links.note_opened(found, season__in=SeasonRole.objects.filter(user_id=user.pk or 0).values("season_id"))


@retrying
def claim(code: str, user: Any) -> Member:
    """Take the open place of an invitation, in the season and in its matches. Works once."""
    wanted = invited_member(code)
    if wanted is None:
        raise CommandRefused(links.GONE)
    with with_matches(wanted.season_id) as (writer, matches):
        member = writer.season.cast.filter(pk=wanted.pk).first()
        if (
            member is None
            or not member.is_open
            or member.invite_nonce != wanted.invite_nonce
            or links.has_ended(member)
        ):
            raise CommandRefused(links.TAKEN)
        if member.status != Member.Status.IN or writer.season.status == Season.Status.ENDED:
            raise CommandRefused("This place is no longer in the season.")
        need_newcomer(writer.season, user)
        links.note_used(member, user, writer.now, season=writer.season)
        take_place(writer, matches, member, user)
        return member


def take_place(writer: Writer, matches: list[Match], member: Member, user: Any, reason: str = "") -> None:
    """Give an open place to somebody, also in these locked matches."""
    give_place(writer.season, member, user)
    for match in matches:
        player = Player.objects.filter(match=match, handle=member.handle, user=None).first()
        if player is not None and player.is_bot:
            joining.take_from_bot(player, user)
        elif player is not None:
            joining.claim(joining.invitation_of(player), user)
    if writer.season.status == Season.Status.RUNNING:
        record_person(writer, member, reason, actor=f"member:{member.handle}", user=user)
