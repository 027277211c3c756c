"""Joining and leaving a match, and invitations to open places. All of this is logged, and ends when the match opens,
except for open places whose invitation has not been used yet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max

from matches.engine.step import HOSTS
from matches.models import Match, Player
from matches.models.player import new_nonce
from matches.services import invitations
from matches.services.announcements import let_go
from matches.services.errors import CommandRefused
from matches.services.insiders import why_not_play
from matches.services.locking import locked_match
from matches.services.names import free_handle, free_name, name_beside, names_in
from matches.services.opening import start_has_come
from matches.services.refusals import refuse_beyond_rows, told_lately
from matches.services.storage.retry import retrying
from matches.services.writer import Writer


@contextmanager
def _before_start(match: Match) -> Iterator[Writer]:
    """The match locked, as long as it has not begun."""
    with locked_match(match.pk) as writer:
        if writer.match.status not in Match.BEFORE or start_has_come(writer.match, writer.now):
            raise CommandRefused("The match has begun; its players are fixed.")
        yield writer


def _note(writer: Writer, command: str, player: Player, by: Any = None, *, name: str = "", **data: Any) -> None:
    """A row of the log about who plays, and the match stored. The row names the player by handle alone: a player who
    leaves is deleted, and rows of the log never are. `name`: of somebody who has left, of whom hosts are told."""
    payload = {"command": command, "player": player.handle, **data}
    if by is None:
        row = writer.row(payload, actor="site", user_id=player.user_id)
    else:
        row = writer.row(payload, actor=f"player:{player.handle}", user_id=by.pk)
    writer.record(row)
    if name and not told_lately(writer.match, "player_left", by.pk, writer.now):
        writer.announce(row, HOSTS, "player_left", name=name)
    writer.touch(public=True)
    writer.save()


@retrying
def add_player(match: Match, handle: str = "", *, user: Any = None, **fields: Any) -> Player:
    """A new player of a match that has not begun: a person, a bot (`is_bot=True`) or an open place.
    `fields`: name, team, garnets, priority, blood_garnets. For programs of the site; hosts have `roster`."""
    with _before_start(match) as writer:
        player = _new_player(writer, handle, user, fields)
        _note(writer, "add_player", player, person=user is not None)
        return player


def _new_player(writer: Writer, handle: str, user: Any, fields: dict[str, Any]) -> Player:
    match = writer.match
    if user is not None and (why_not := why_not_play(match, user)):
        raise CommandRefused(why_not)
    wanted = handle or (user.username if user is not None else "player")
    taken = names_in(match)
    last: int | None = match.players.aggregate(last=Max("position"))["last"]
    position = 0 if last is None else last + 1
    player = Player(match=match, handle=free_handle(wanted, taken), user=user, position=position, **fields)
    if user is not None and not player.name:
        player.name = name_beside(handle, user, taken) if handle else free_name(user, taken)
    try:
        with transaction.atomic():
            player.save(force_insert=True)
    except IntegrityError:
        raise CommandRefused("This person plays in this match already.") from None
    return player


@retrying
def join(match: Match, user: Any) -> Player:
    """Become a player of a coming match that anyone (or anyone but bots) can join. Joining again returns the same
    player."""
    with locked_match(match.pk) as writer:
        row = writer.match
        if mine := row.players.filter(user=user).first():
            return mine
        is_coming = row.status == Match.Status.SCHEDULED and not start_has_come(row, writer.now)
        if not is_coming or row.joining not in Match.OPEN_TO_ALL:
            raise CommandRefused("This match takes no more players: it has begun, or its hosts choose who plays.")
        if user.is_bot and row.joining == Match.Joining.PEOPLE:
            raise CommandRefused("The hosts of this match take no bots.", code="no_bots")
        if row.players.count() >= row.places:
            raise CommandRefused("All places are taken.")
        refuse_beyond_rows(row, user.pk, writer.now)
        player = _new_player(writer, "", user, {})
        _note(writer, "join", player, by=user)
        return player


@retrying
def leave(match: Match, user: Any) -> None:
    """Stop being a player before the match begins. In a match by invitation the place becomes open again."""
    with _before_start(match) as writer:
        mine = writer.match.players.filter(user=user).first()
        if mine is None:
            return
        name = mine.shown_name
        if writer.match.joining in Match.OPEN_TO_ALL:
            mine.delete()
        else:
            # The name goes with the person: the next person would be taken for them.
            mine.user, mine.name, mine.invite_nonce = None, "", new_nonce()
            mine.save(update_fields=["user", "name", "invite_nonce"])
            let_go(mine)
        _note(writer, "leave", mine, by=user, name=name)


def invitation_of(player: Player) -> str:
    """The code of the link that lets one person take this open place."""
    return invitations.open_code(player.pk, player.invite_nonce)


def invited_player(code: str) -> Player | None:
    """The place that an invitation is for, open or to be taken over; None when it no longer works."""
    if offer := invitations.offer_of(code):
        return offer.player
    said = invitations.read_code(code)
    if "p" not in said or invitations.has_ended(said["p"], said["n"]):
        return None
    open_ones = Player.objects.filter(pk=said["p"], invite_nonce=said["n"], user=None, is_bot=False)
    return open_ones.select_related("match").first()


def taken_by(code: str, user: Any) -> Player | None:
    """The player whom an invitation was for, if this person plays it by now: a second click has not come too late."""
    said = invitations.read_code(code)
    if not said or user.pk is None:
        return None
    theirs = Player.objects.select_related("match").filter(user_id=user.pk)
    if "i" in said:
        return theirs.filter(invitations__nonce=said["i"]).first()
    return theirs.filter(pk=said["p"]).first()


@retrying
def claim(code: str, user: Any) -> Player:
    """Take the place that an invitation is for; the link is good once."""
    if "i" in invitations.read_code(code):
        return invitations.take_over(code, user)
    player = invited_player(code)
    if player is None:
        raise CommandRefused("This invitation no longer works. Ask the host for a new one.")
    with locked_match(player.match_id) as writer:
        match, nonce = writer.match, player.invite_nonce
        player.refresh_from_db()
        if not player.is_open or player.invite_nonce != nonce or invitations.has_ended(player.pk, nonce):
            raise CommandRefused("This place was taken meanwhile. Ask the host for a new invitation.")
        if why_not := why_not_play(match, user):
            raise CommandRefused(why_not)
        if match.players.filter(user=user).exists():
            raise CommandRefused("You play in this match already.")
        if match.is_over:
            raise CommandRefused("This match is over.")
        invitations.note_used(player, nonce, user, writer.now)
        player.user, player.invite_nonce = user, new_nonce()
        player.name = player.name or name_beside(player.handle, user, names_in(match, besides=player.pk))
        player.save(update_fields=["user", "invite_nonce", "name"])
        _note(writer, "claim", player, by=user)
        return player
