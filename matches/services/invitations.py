"""Links with which somebody can take a place: making, sending, following and revoking them.

A link to an open place is also there without any of this (`joining.invitation_of`); what is noted here says for whom
it is, until when it works, and what became of it. A link can also be to a place in which somebody plays: they play on
until it is used, and leave the place then as if a host had named the substitute (`places.change_hands`).
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.core import signing
from django.db import OperationalError

from matches.engine.step import EVERYONE
from matches.infra.db_waits import hurried
from matches.models import Invitation, Match, Player, clock
from matches.models.player import new_nonce
from matches.services import signals
from matches.services.commands import command, command_row, need_own, need_status
from matches.services.errors import CommandRefused
from matches.services.locking import locked_match
from matches.services.names import own_name
from matches.services.places import change_hands, need_newcomer, where
from matches.services.storage.retry import retrying

SALT = "matches.invitation"
LONGEST = timedelta(days=365)

_ANY = (*Match.BEFORE, *Match.RUNNING)
_GONE = "This invitation no longer works. Ask the host for a new one."


@retrying
def invite(
    match: Match,
    host: Any,
    place: Player,
    *,
    sent_to: Any = None,
    label: str = "",
    lasts: timedelta | None = None,
    key: str = "",
) -> Invitation:
    """A new link to a place, open or (while the match runs) to take over; earlier links to it no longer work. `sent_to`
    gets it as a notice. `lasts`: how long it works, in real time; None: as long as the place is as it is.

    Raises `CommandRefused`, `NotAHost`, and for the same `key` a second time `AlreadyDone`."""
    with command(match, host, key=key) as writer:
        need_status(writer, *_ANY, otherwise="Nobody can join any more.")
        need_own(match, place)
        player = Player.objects.get(pk=place.pk)
        if not player.is_open and writer.match.status not in Match.RUNNING:
            raise CommandRefused(f"{player.handle} is taken. Change the list of players instead.", field="place")
        need_duration(lasts)
        if sent_to is not None:
            need_newcomer(writer, sent_to)
        player.invitations.filter(used_at=None, revoked_at=None).update(revoked_at=writer.now)
        if player.is_open:
            player.invite_nonce = new_nonce()
            player.save(update_fields=["invite_nonce"])
        made = Invitation.objects.create(
            match=writer.match,
            player=player,
            nonce=player.invite_nonce if player.is_open else new_nonce(),
            made_at=writer.now,
            made_by=host.username,
            sent_to=sent_to,
            label=label,
            takes_over=not player.is_open,
            instead_of_id=player.user_id,
            expires_at=None if lasts is None else writer.now + lasts,
        )
        # For whom it is stays out of the log, which everybody reads in the end.
        data = {"player": player.handle, "takes_over": made.takes_over}
        writer.record(command_row(writer, host, "invite", key=key, **data))
        _send(made)
        writer.save()
        return made


def need_duration(lasts: timedelta | None) -> None:
    """Raise `CommandRefused` for a link that would work for too long, or not at all."""
    if lasts is not None and not timedelta() < lasts <= LONGEST:
        raise CommandRefused(f"It can work for more than 0 and at most {LONGEST.days} days.", field="lasts")


@retrying
def send_again(match: Match, host: Any, number: int, *, key: str = "") -> Invitation:
    """Tell the person for whom a link is once more. Raises `CommandRefused`, `NotAHost`, and for
    the same `key` a second time `AlreadyDone`."""
    with command(match, host, key=key) as writer:
        found = _alive(writer.match, number, writer.now)
        if found.sent_to is None:
            raise CommandRefused("This link was not made for somebody with an account here: send it yourself.")
        writer.record(command_row(writer, host, "invite_again", key=key, player=found.player.handle))
        _send(found)
        writer.save()
        return found


@retrying
def revoke(match: Match, host: Any, number: int, *, key: str = "") -> Invitation:
    """Make a link stop working at once. Raises as `send_again`."""
    with command(match, host, key=key) as writer:
        found = _alive(writer.match, number, writer.now)
        found.revoked_at = writer.now
        found.save(update_fields=["revoked_at"])
        if not found.takes_over:
            Player.objects.filter(pk=found.player_id).update(invite_nonce=new_nonce())
        writer.record(command_row(writer, host, "revoke_invitation", key=key, player=found.player.handle))
        writer.save()
        return found


def _alive(match: Match, number: int, now: datetime) -> Invitation:
    found = match.invitations.select_related("player", "sent_to").filter(pk=number).first()
    if found is None or not found.is_alive(now) or not found.fits(found.player):
        message = "That invitation no longer works anyway: it was used, revoked, replaced, or is over."
        raise CommandRefused(message, code="invitation_gone")
    return found


def _send(invitation: Invitation) -> None:
    if invitation.sent_to is not None:
        invitation.times_sent += 1
        invitation.save(update_fields=["times_sent"])
        signals.invited.send(sender=Invitation, invitation=invitation, code=code_of(invitation))


# -- the link ---------------------------------------------------------------------------------------


def code_of(invitation: Invitation) -> str:
    """What the link of an invitation ends with."""
    if invitation.takes_over:
        return signing.dumps({"i": invitation.nonce}, salt=SALT)
    return open_code(invitation.player_id, invitation.nonce)


def open_code(player_id: int, nonce: str) -> str:
    """The code of a link to an open place."""
    return signing.dumps({"p": player_id, "n": nonce}, salt=SALT)


def read_code(code: str) -> dict[str, Any]:
    """What a link's code says; empty for one that this site has not made."""
    try:
        said: dict[str, Any] = signing.loads(code, salt=SALT)
    except signing.BadSignature:
        return {}
    return said


def offer_of(code: str) -> Invitation | None:
    """The invitation to take over a place in which somebody plays; None if it is none, or no longer works."""
    nonce = read_code(code).get("i")
    found = Invitation.objects.select_related("player__match").filter(nonce=nonce, takes_over=True).first()
    if nonce is None or found is None or not found.is_alive(clock.now()) or not found.fits(found.player):
        return None
    return found if found.player.match.status in Match.RUNNING else None


def has_ended(player_id: int, nonce: str) -> bool:
    """Whether a link to an open place has an end that has come."""
    found = Invitation.objects.filter(player=player_id, nonce=nonce).first()
    return found is not None and not found.is_alive(clock.now())


def note_opened(code: str, user: Any) -> None:
    """Note that somebody has followed a link that works; for the hosts' list. What cannot be noted now is not missed.
    Hosts who try their own links do not count."""
    said, now = read_code(code), clock.now()
    found = Invitation.objects.filter(nonce=said.get("i") or said.get("n") or "")
    with suppress(OperationalError), hurried():
        if found.exists():
            host_ids = Match.hosts.through.objects.filter(user_id=user.pk or 0).values("match_id")
            found.filter(opened_at=None).exclude(match__in=host_ids).update(opened_at=now)


def note_used(player: Player, nonce: str, user: Any, now: datetime) -> None:
    """Note who has taken an open place by a link, in the transaction in which they do."""
    found, _ = Invitation.objects.get_or_create(match_id=player.match_id, player=player, nonce=nonce)
    found.used_at, found.used_by = now, user
    found.save(update_fields=["used_at", "used_by"])


@retrying
def take_over(code: str, user: Any) -> Player:
    """Take the place to which an invitation is, from whoever plays there. Raises `CommandRefused`."""
    offer = offer_of(code)
    if offer is None:
        raise CommandRefused(_GONE)
    with locked_match(offer.match_id) as writer:
        writer.pass_due()
        offer = offer_of(code)
        if offer is None or writer.match.status not in Match.RUNNING:
            raise CommandRefused(_GONE)
        player = Player.objects.select_related("user").get(pk=offer.player_id)
        need_newcomer(writer, user)
        before, had_somebody = player.shown_name, player.user is not None
        stands = where(writer)
        offer.used_at, offer.used_by = writer.now, user
        offer.save(update_fields=["used_at", "used_by"])
        entry = change_hands(writer, player, user)
        shown = {"player": player.handle, "name": own_name(user), "where": stands, "reason": ""}
        left = {"left" if had_somebody else "was": before} if before != player.shown_name else {}
        if entry is not None:
            writer.announce(entry, EVERYONE, "place_taken_over", **shown, **left)
        writer.save()
        return player
