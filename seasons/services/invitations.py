"""Invitations: links with which somebody can take an open place of a season's cast.

Every open place has a link even without a row of `SeasonInvitation` (`invitation_of`); the row records for whom a link
is, until when it works, and what became of it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.core import signing

from matches.models import Match, Player
from matches.services import joining, links
from matches.services.commands import AlreadyDone, need_host
from matches.services.errors import CommandRefused, retrying
from seasons.models import Member, Season, SeasonInvitation, SeasonRole
from seasons.services.drafts import noting
from seasons.services.people import give_place, need_newcomer, record_person, with_matches
from seasons.services.writer import Writer, invited, locked_season

_SALT = "seasons.invitation"
_OVER = "The season has ended, so nobody can join its cast."


@contextmanager
def _hosting(season: Season, host: Any, key: str = "") -> Iterator[tuple[Writer, str]]:
    """Lock the season for a host's command and record the command. Yields the writer, and the key to store with the
    invitation. Raises `AlreadyDone` if the key was used before."""
    with locked_season(season.pk) as writer:
        need_host(writer.season, host)
        noted = f"{host.username} {key}" if key else ""
        if noted and writer.season.invitations.filter(key=noted).exists():
            raise AlreadyDone
        if writer.season.status == Season.Status.ENDED:
            raise CommandRefused(_OVER)
        with noting(writer.season, host):
            yield writer, noted


@retrying
def invite(
    season: Season,
    host: Any,
    place: Member,
    *,
    sent_to: Any = None,
    label: str = "",
    lasts: timedelta | None = None,
    key: str = "",
) -> SeasonInvitation:
    """Make a new link to an open place; earlier links to it stop working. `sent_to` gets it as a notice. `lasts`: how
    long it works; None: as long as the place is open.

    Raises `CommandRefused`, `NotAHost`, and `AlreadyDone` if the `key` was used before.
    """
    with _hosting(season, host, key) as (writer, noted):
        member = need_open_place(writer, place)
        if sent_to is not None:
            need_newcomer(writer.season, sent_to)
        meant = {"sent_to": sent_to, "label": label, "lasts": lasts}
        made: SeasonInvitation = links.make(member, host, writer.now, **meant, season=writer.season, key=noted)
        links.send(made, invitation_of(member), invited)
        return made


@retrying
def send_again(season: Season, host: Any, number: int, *, key: str = "") -> SeasonInvitation:
    """Send a link again to the person whom it is for. Raises as `invite`."""
    with _hosting(season, host, key) as (writer, noted):
        found: SeasonInvitation = links.alive(writer.season.invitations, number, writer.now, to_send=True)
        found.key = noted
        found.save(update_fields=["key"])
        links.send(found, invitation_of(found.member), invited)
        return found


@retrying
def revoke(season: Season, host: Any, number: int, *, key: str = "") -> SeasonInvitation:
    """Make a link stop working at once. Raises as `invite`."""
    with _hosting(season, host, key) as (writer, noted):
        found: SeasonInvitation = links.alive(writer.season.invitations, number, writer.now)
        found.key = noted
        found.save(update_fields=["key"])
        links.revoke(found, writer.now)
        return found


@retrying
def renew_invitation(season: Season, host: Any, place: Member, *, nonce: str = "") -> None:
    """Make all earlier links to an open place useless. `nonce`: that of the link which the host has seen; raises
    `AlreadyDone` if it has been replaced since."""
    with _hosting(season, host) as (writer, _):
        links.renew(need_open_place(writer, place), nonce)


def need_open_place(writer: Writer, place: Member) -> Member:
    """Return the place as it is now. Raises `CommandRefused` if somebody has it."""
    member = writer.season.cast.get(pk=place.pk)
    if not member.is_open or member.status != Member.Status.IN:
        raise CommandRefused(f"The place {member.handle} is taken. Choose an open one.", field="place")
    return member


# -- the link ------------------------------------------------------------------------------------------------


def invitation_of(member: Member) -> str:
    """Return the code of the link to this open place."""
    return signing.dumps({"m": member.pk, "n": member.invite_nonce}, salt=_SALT)


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
