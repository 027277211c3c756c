"""Who plays: joining, leaving, and invitations to open places. All of it ends when the match opens, but
for an open place whose invitation is still out."""

from __future__ import annotations

from typing import Any

from django.core import signing
from django.db import IntegrityError, transaction
from django.db.models import Max

from matches.models import Match, Player, clock
from matches.models.player import new_nonce
from matches.services.errors import CommandRefused
from matches.services.insiders import why_not_play
from matches.services.names import free_handle, free_name, names_in
from matches.services.storage.retry import retrying
from matches.services.writer import lock_row, tell_public

_SALT = "matches.invitation"
_BEFORE = (Match.Status.DRAFT, Match.Status.SCHEDULED)


def _next_position(match: Match) -> int:
    last: int | None = match.players.aggregate(last=Max("position"))["last"]
    return 0 if last is None else last + 1


def _locked_before_start(match: Match) -> Match:
    locked = lock_row(match.pk)
    if locked.status not in _BEFORE or _starts_now(locked):
        raise CommandRefused("The match has begun; its players are fixed.")
    return locked


def _starts_now(match: Match) -> bool:
    """Whether the start has come, even if nobody has opened the match yet."""
    start = match.starts_at
    return match.status == Match.Status.SCHEDULED and start is not None and start <= clock.now()


@retrying
def add_player(match: Match, handle: str = "", *, user: Any = None, **fields: Any) -> Player:
    """A new player of a match that has not begun: a person, a bot (`is_bot=True`) or an open place.
    `fields`: name, team, garnets, priority, blood_garnets."""
    with transaction.atomic():
        locked = _locked_before_start(match)
        if user is not None and (why_not := why_not_play(locked, user)):
            raise CommandRefused(why_not)
        wanted = handle or (user.username if user is not None else "player")
        taken = names_in(locked)
        player = Player(
            match=locked,
            handle=free_handle(wanted, taken),
            user=user,
            position=_next_position(locked),
            **fields,
        )
        if user is not None and not player.name:
            player.name = free_name(user, taken)
        try:
            with transaction.atomic():
                player.save(force_insert=True)
        except IntegrityError:
            raise CommandRefused("This person plays in this match already.") from None
        tell_public(locked)
        return player


@retrying
def join(match: Match, user: Any) -> Player:
    """Become a player of a coming match that anyone can join. Joining twice is joining once."""
    with transaction.atomic():
        locked = lock_row(match.pk)
        if mine := locked.players.filter(user=user).first():
            return mine
        is_coming = locked.status == Match.Status.SCHEDULED and not _starts_now(locked)
        if not is_coming or locked.joining != Match.Joining.OPEN:
            raise CommandRefused("This match takes no more players by itself.")
        if why_not := why_not_play(locked, user):
            raise CommandRefused(why_not)
        if locked.players.count() >= locked.places:
            raise CommandRefused("All places are taken.")
        return add_player(locked, user=user)


@retrying
def leave(match: Match, user: Any) -> None:
    """Stop being a player before the match begins. Where players are invited, an open place is left."""
    with transaction.atomic():
        locked = _locked_before_start(match)
        mine = locked.players.filter(user=user).first()
        if mine is None:
            return
        if locked.joining == Match.Joining.OPEN:
            mine.delete()
        else:
            mine.user, mine.invite_nonce = None, new_nonce()
            mine.save(update_fields=["user", "invite_nonce"])
        tell_public(locked)


def invitation_of(player: Player) -> str:
    """The code of the link that lets one person take this open place."""
    return signing.dumps({"p": player.pk, "n": player.invite_nonce}, salt=_SALT)


def invited_player(code: str) -> Player | None:
    """The open place that an invitation is for; None when it is no longer good."""
    try:
        facts = signing.loads(code, salt=_SALT)
    except signing.BadSignature:
        return None
    return (
        Player.objects.select_related("match")
        .filter(pk=facts["p"], invite_nonce=facts["n"], user=None, is_bot=False)
        .first()
    )


def taken_by(code: str, user: Any) -> Player | None:
    """The player whom an invitation was for, if this person plays it by now: a second click has not come too late."""
    try:
        facts = signing.loads(code, salt=_SALT)
    except signing.BadSignature:
        return None
    return Player.objects.select_related("match").filter(pk=facts["p"], user_id=user.pk, user__isnull=False).first()


@retrying
def claim(code: str, user: Any) -> Player:
    """Take the open place that an invitation is for; the link is good once."""
    with transaction.atomic():
        player = invited_player(code)
        if player is None:
            raise CommandRefused("This invitation is no longer good. Ask the host for a new one.")
        match = lock_row(player.match_id)
        nonce = player.invite_nonce
        player.refresh_from_db()
        if not player.is_open or player.invite_nonce != nonce:
            raise CommandRefused("This place was taken meanwhile. Ask the host for a new invitation.")
        if why_not := why_not_play(match, user):
            raise CommandRefused(why_not)
        if match.players.filter(user=user).exists():
            raise CommandRefused("You play in this match already.")
        if match.status in (Match.Status.FINISHED, Match.Status.CANCELLED):
            raise CommandRefused("This match is over.")
        player.user, player.invite_nonce = user, new_nonce()
        player.name = player.name or free_name(user, names_in(match, besides=player.pk))
        player.save(update_fields=["user", "invite_nonce", "name"])
        tell_public(match)
        return player
