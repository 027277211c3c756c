"""Links with which somebody can take an open place of a season's cast: making, sending, following and revoking them.

A link to an open place is also there without any of this (`invitation_of`); what is noted here says for whom it is,
until when it works, and what became of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any

from django.core import signing
from django.db import OperationalError

from matches.infra.db_waits import hurried
from matches.models import Player, clock
from matches.models.player import new_nonce
from matches.services import joining
from matches.services.commands import AlreadyDone
from matches.services.errors import CommandRefused
from matches.services.joining import need_duration
from matches.services.storage.retry import retrying
from seasons.models import Member, Season, SeasonInvitation, SeasonRole
from seasons.services.drafting import noting
from seasons.services.people import give_place, need_newcomer, record_person, with_matches
from seasons.services.roles import need_host
from seasons.services.writer import Writer, invited, locked_season

_SALT = "seasons.invitation"
_OVER = "The season has ended: nobody can join its cast any more."


@contextmanager
def _hosting(season: Season, host: Any, key: str = "") -> Iterator[tuple[Writer, str]]:
    """The season, locked, for a host's command, which is not done a second time with the same key; and what is noted
    of it with the invitation. The command is noted too."""
    with locked_season(season.pk) as writer:
        need_host(writer.season, host)
        noted = f"{host.username} {key}" if key else ""
        if noted and writer.season.invitations.filter(key=noted).exists():
            raise AlreadyDone("That has been done already.")
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
    """A new link to an open place; earlier links to it no longer work. `sent_to` gets it as a notice. `lasts`: how long
    it works; None: as long as the place is open.

    Raises `CommandRefused`, `NotAHost`, and for the same `key` a second time `AlreadyDone`."""
    with _hosting(season, host, key) as (writer, noted):
        member = _open_place(writer, place)
        need_duration(lasts)
        if sent_to is not None:
            need_newcomer(writer.season, sent_to)
        member.invitations.filter(used_at=None, revoked_at=None).update(revoked_at=writer.now)
        _renew(member)
        made = SeasonInvitation.objects.create(
            season=writer.season,
            member=member,
            nonce=member.invite_nonce,
            made_at=writer.now,
            made_by=host.username,
            sent_to=sent_to,
            label=label,
            expires_at=None if lasts is None else writer.now + lasts,
            key=noted,
        )
        _send(made)
        return made


@retrying
def send_again(season: Season, host: Any, number: int, *, key: str = "") -> SeasonInvitation:
    """Tell the person for whom a link is once more. Raises as `invite`."""
    with _hosting(season, host, key) as (writer, noted):
        found = _alive(writer, number)
        if found.sent_to is None:
            raise CommandRefused("This link was not made for somebody with an account here: send it yourself.")
        found.key = noted
        _send(found)
        return found


@retrying
def revoke(season: Season, host: Any, number: int, *, key: str = "") -> SeasonInvitation:
    """Make a link stop working at once. Raises as `invite`."""
    with _hosting(season, host, key) as (writer, noted):
        found = _alive(writer, number)
        found.revoked_at, found.key = writer.now, noted
        found.save(update_fields=["revoked_at", "key"])
        _renew(found.member)
        return found


@retrying
def renew_invitation(season: Season, host: Any, place: Member, *, nonce: str = "") -> None:
    """Make the links that were sent so far for an open place useless. `nonce`: that of the link which the host has
    seen; raises `AlreadyDone` if another has taken its place since."""
    with _hosting(season, host) as (writer, _):
        member = _open_place(writer, place)
        if nonce and member.invite_nonce != nonce:
            raise AlreadyDone(f"{member.handle} has a new link already.")
        _renew(member)


def _open_place(writer: Writer, place: Member) -> Member:
    member = writer.season.cast.get(pk=place.pk)
    if not member.is_open or member.status != Member.Status.IN:
        raise CommandRefused(f"{member.handle} is taken; an invitation is for an open place.", field="place")
    return member


def _renew(member: Member) -> None:
    member.invite_nonce = new_nonce()
    member.save(update_fields=["invite_nonce"])


def _alive(writer: Writer, number: int) -> SeasonInvitation:
    found = writer.season.invitations.select_related("member", "season", "sent_to").filter(pk=number).first()
    if found is None or not found.is_alive(writer.now) or not found.fits(found.member):
        message = "That invitation no longer works anyway: it was used, revoked, replaced, or is over."
        raise CommandRefused(message, code="invitation_gone")
    return found


def _send(invitation: SeasonInvitation) -> None:
    if invitation.sent_to is not None:
        invitation.times_sent += 1
        invitation.save(update_fields=["times_sent", "key"])
        code = invitation_of(invitation.member)
        invited.send(sender=SeasonInvitation, invitation=invitation, code=code)


# -- the link ------------------------------------------------------------------------------------------


def invitation_of(member: Member) -> str:
    """The code of the link with which one person can take this open place."""
    return signing.dumps({"m": member.pk, "n": member.invite_nonce}, salt=_SALT)


def _signed(code: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = signing.loads(code, salt=_SALT)
    except signing.BadSignature:
        return {"m": 0, "n": ""}
    return found


def invited_member(code: str) -> Member | None:
    """The open place that an invitation is for; None when it no longer works."""
    signed = _signed(code)
    places = Member.objects.select_related("season").filter(user=None, is_bot=False, status=Member.Status.IN)
    found = places.filter(pk=signed["m"], invite_nonce=signed["n"]).first()
    if found is None or found.season.status == Season.Status.ENDED or _has_ended(found):
        return None
    return found


def _has_ended(member: Member) -> bool:
    """Whether the present link to this place has an end that has come."""
    made = SeasonInvitation.objects.filter(member=member, nonce=member.invite_nonce).first()
    return made is not None and not made.is_alive(clock.now())


def taken_by(code: str, user: Any) -> Member | None:
    """The member whom an invitation was for, if it is this person by now: a second click has not come too late."""
    places = Member.objects.select_related("season").filter(user__isnull=False)
    return places.filter(pk=_signed(code)["m"], user_id=user.pk).first()


def note_opened(code: str, user: Any) -> None:
    """Note that somebody has followed a link that works; for the hosts' list. What cannot be noted now is not missed.
    Hosts who try their own links do not count."""
    now = clock.now()
    found = SeasonInvitation.objects.filter(nonce=_signed(code)["n"], opened_at=None)
    with suppress(OperationalError), hurried():
        if found.exists():
            hosted = SeasonRole.objects.filter(user_id=user.pk or 0).values("season_id")
            found.exclude(season__in=hosted).update(opened_at=now)


@retrying
def claim(code: str, user: Any) -> Member:
    """Take the open place that an invitation is for, in the season and in its matches; the link is good once."""
    invited = invited_member(code)
    if invited is None:
        raise CommandRefused("This invitation no longer works. Ask the host for a new one.")
    with with_matches(invited.season_id) as (writer, matches):
        member = writer.season.cast.filter(pk=invited.pk).first()
        if member is None or not member.is_open or member.invite_nonce != invited.invite_nonce or _has_ended(member):
            raise CommandRefused("This place was taken meanwhile. Ask the host for a new invitation.")
        if member.status != Member.Status.IN or writer.season.status == Season.Status.ENDED:
            raise CommandRefused("This place is not in the season any more.")
        need_newcomer(writer.season, user)
        _note_used(writer, member, user)
        give_place(writer.season, member, user)
        for match in matches:
            player = Player.objects.filter(match=match, handle=member.handle, user=None, is_bot=False).first()
            if player is not None:
                joining.claim(joining.invitation_of(player), user)
        if writer.season.status == Season.Status.RUNNING:
            record_person(writer, member, "", actor=f"member:{member.handle}", user=user)
        return member


def _note_used(writer: Writer, member: Member, user: Any) -> None:
    used = {"used_at": writer.now, "used_by": user}
    SeasonInvitation.objects.update_or_create(
        season=writer.season, member=member, nonce=member.invite_nonce, defaults=used
    )
