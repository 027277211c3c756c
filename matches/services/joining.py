"""Joining and leaving a match, and invitations: links with which somebody can take a place.

Every open place has a link (`invitation_of`). An `Invitation` adds for whom it is, until when it works, and what became
of it. It can also be for a place in which somebody plays: they play on until it is used, and then lose the place as if
a host had named a substitute (`places.change_hands`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core import signing
from django.db import IntegrityError, transaction
from django.db.models import Max

from matches.engine.step import EVERYONE, HOSTS
from matches.models import Invitation, Match, MatchRole, Player, clock
from matches.models.player import new_nonce
from matches.services import belonging, links
from matches.services.commands import command, command_row, need_own, need_status
from matches.services.errors import CommandRefused, retrying
from matches.services.locking import locked_match
from matches.services.opening import start_has_come
from matches.services.places import (
    change_hands,
    chosen,
    free_handle,
    free_name,
    let_go,
    name_beside,
    names_in,
    need_newcomer,
    own_name,
    where,
)
from matches.services.refusal_quota import refuse_beyond_rows, told_lately
from matches.services.roles import why_not_play
from matches.services.writer import Writer

SALT = "matches.invitation"

_ANY = (*Match.BEFORE, *Match.RUNNING)
_CLOSED = "Nobody can join any more."
PLAYERS_FIXED = "The match has begun, so its players are fixed."


def _place_now(writer: Writer, place: Player, sent_to: Any) -> tuple[Player, dict[str, Any]]:
    """The place, open or (while the match runs) to be taken over."""
    need_status(writer, *_ANY, otherwise=_CLOSED)
    need_own(writer.match, place)
    player = Player.objects.get(pk=place.pk)
    if not player.is_open and writer.match.status not in Match.RUNNING:
        raise CommandRefused(links.taken(player), field="place")
    if sent_to is not None:
        need_newcomer(writer.match, sent_to, player.handle)
    return player, {"match": writer.match, "takes_over": not player.is_open, "instead_of_id": player.user_id}


def _note_invitation(writer: Writer, host: Any, name: str, place: Player, link: Invitation | None, key: str) -> None:
    # The log becomes public, so it does not say for whom the link is.
    data = {"takes_over": link.takes_over} if link and name == "invite" else {}
    writer.record(command_row(writer, host, name, key=key, player=place.handle, **data))


# -- the link ------------------------------------------------------------------------------------------------


def code_of(invitation: Invitation) -> str:
    """The signed code at the end of an invitation's link."""
    if invitation.takes_over:
        return signing.dumps({"i": invitation.nonce}, salt=SALT)
    return open_code(invitation.player_id, invitation.nonce)


def open_code(player_id: int, nonce: str) -> str:
    """The code of a link to an open place."""
    return signing.dumps({"p": player_id, "n": nonce}, salt=SALT)


def read_code(code: str) -> dict[str, Any]:
    """The content of a link's code; empty if this site has not signed it."""
    return links.read_code(code, SALT)


OF_A_MATCH = links.Inviting(command, _place_now, _note_invitation, code_of)
invite, renew_invitation = OF_A_MATCH.invite, OF_A_MATCH.renew
send_again, revoke = OF_A_MATCH.send_again, OF_A_MATCH.revoke


def offer_of(code: str) -> Invitation | None:
    """The invitation to take over a place in which somebody plays; None if it is another, or no longer works."""
    nonce = read_code(code).get("i")
    found = Invitation.objects.select_related("player__match").filter(nonce=nonce, takes_over=True).first()
    if nonce is None or found is None or not found.is_alive(clock.now()) or not found.fits(found.player):
        return None
    return found if found.player.match.status in Match.RUNNING else None


def note_opened(code: str, user: Any) -> None:
    """Note that somebody has opened a link that works (`links.note_opened`)."""
    said = read_code(code)
    found = Invitation.objects.filter(nonce=said.get("i") or said.get("n") or "")
    hosted = MatchRole.objects.filter(user_id=user.pk or 0, role__in=MatchRole.ACTING)
    links.note_opened(found, match__in=hosted.values("match_id"))


@retrying
def take_over(code: str, user: Any) -> Player:
    """Take the place of an invitation from whoever plays there. Raises `CommandRefused`."""
    offer = offer_of(code)
    if offer is None:
        raise CommandRefused(links.GONE)
    with locked_match(offer.match_id) as writer:
        writer.pass_due()
        offer = offer_of(code)
        if offer is None or writer.match.status not in Match.RUNNING:
            raise CommandRefused(links.GONE)
        player = Player.objects.select_related("user").get(pk=offer.player_id)
        links.use(offer, user, writer.now)
        _hand_over(writer, player, user)
        return player


@retrying
def take_from_bot(player: Player, user: Any) -> None:
    """Take a place of a running match in which a bot stands in until somebody comes. Raises `CommandRefused`."""
    with locked_match(player.match_id) as writer:
        writer.pass_due()
        if writer.match.status in Match.RUNNING:
            _hand_over(writer, player, user)
        elif writer.is_unsaved:
            writer.save()


def _hand_over(writer: Writer, player: Player, user: Any) -> None:
    """Give a place of a locked running match to somebody, tell everybody, and store the match."""
    need_newcomer(writer.match, user, player.handle)
    before, had_somebody = player.shown_name, player.user is not None
    stands = where(writer)
    entry = change_hands(writer, player, user)
    shown = {"player": player.handle, "name": own_name(user), "where": stands, "reason": ""}
    left = {"left" if had_somebody else "was": before} if before != player.shown_name else {}
    if entry is not None:
        writer.announce(entry, EVERYONE, "place_taken_over", **shown, **left)
    writer.save()


# -- joining -------------------------------------------------------------------------------------------------
# All of this is logged. It ends when the match opens, except that open places can still be claimed by invitation.


@contextmanager
def _before_start(match: Match) -> Iterator[Writer]:
    """Lock the match. Raises `CommandRefused` if it has begun."""
    with locked_match(match.pk) as writer:
        if writer.match.status not in Match.BEFORE or start_has_come(writer.match, writer.now):
            raise CommandRefused(PLAYERS_FIXED)
        yield writer


def _note(writer: Writer, command: str, player: Player, by: Any = None, *, name: str = "", **data: Any) -> None:
    """Record a row about who plays, and store the match. The row names the player only by handle, because players who
    leave are deleted but rows of the log never are. `name`: if given, hosts are told that this person has left."""
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
    """Add a player to a match that has not begun: a person, a bot (`is_bot=True`) or an open place.
    `fields`: name, team, garnets, priority, blood_garnets. For the site's programs; hosts use `roster`."""
    with _before_start(match) as writer:
        player = _new_player(writer, handle, user, fields)
        _note(writer, "add_player", player, person=user is not None)
        return player


def _new_player(writer: Writer, handle: str, user: Any, fields: dict[str, Any]) -> Player:
    match = writer.match
    wanted = handle or (user.username if user is not None else "player")
    taken = names_in(match)
    free = free_handle(wanted, taken)
    if user is not None and (why_not := why_not_play(match, user, free)):
        raise CommandRefused(why_not)
    last: int | None = match.players.aggregate(last=Max("position"))["last"]
    position = 0 if last is None else last + 1
    player = Player(match=match, handle=free, user=user, position=position, **fields)
    if user is not None and not player.name:
        player.name = name_beside(handle, user, taken) if handle else free_name(user, taken)
    try:
        with transaction.atomic():
            player.save(force_insert=True)
    except IntegrityError:
        raise CommandRefused("This person already plays in this match.") from None
    return player


@retrying
def join(match: Match, user: Any) -> Player:
    """Make a person a player of a coming match that anyone (or anyone but bots) can join. Joining again returns the
    same player. Raises `CommandRefused`."""
    with locked_match(match.pk) as writer:
        row = writer.match
        if mine := row.players.filter(user=user).first():
            return mine
        is_coming = row.status == Match.Status.SCHEDULED and not start_has_come(row, writer.now)
        if not is_coming or row.joining not in Match.OPEN_TO_ALL:
            raise CommandRefused("This match takes no more players: it has begun, or its hosts choose who plays.")
        if user.is_bot and row.joining == Match.Joining.PEOPLE:
            raise CommandRefused("The hosts of this match do not accept bots.", code="no_bots")
        if row.players.count() >= row.places:
            raise CommandRefused("All places are taken.")
        refuse_beyond_rows(row, user.pk, writer.now)
        group = belonging.group_of(row)
        player = _new_player(writer, group.handle_of(user) if group else "", user, {})
        _note(writer, "join", player, by=user)
        return player


@retrying
def leave(match: Match, user: Any) -> None:
    """Take a person's place away before the match begins. In a match by invitation it becomes open again. Raises
    `CommandRefused` if the match has begun."""
    with _before_start(match) as writer:
        mine = writer.match.players.filter(user=user).first()
        if mine is None:
            return
        name = mine.shown_name
        if writer.match.joining in Match.OPEN_TO_ALL:
            mine.delete()
        else:
            # Clear the name, or the next person would be taken for this one.
            mine.user, mine.name, mine.invite_nonce = None, "", new_nonce()
            mine.save(update_fields=["user", "name", "invite_nonce"])
            let_go(mine)
        _note(writer, "leave", mine, by=user, name=name)


def invitation_of(player: Player) -> str:
    """The code of the link that lets one person take this open place."""
    return open_code(player.pk, player.invite_nonce)


def invited_player(code: str) -> Player | None:
    """The place of an invitation, open or to be taken over; None if the invitation no longer works."""
    if offer := offer_of(code):
        return offer.player
    said = read_code(code)
    if "p" not in said:
        return None
    open_ones = Player.objects.filter(pk=said["p"], invite_nonce=said["n"], user=None, is_bot=False)
    found = open_ones.select_related("match").first()
    return None if found is None or links.has_ended(found) else found


def taken_by(code: str, user: Any) -> Player | None:
    """The place of an invitation, if this person already has it: then a second click is no error."""
    said = read_code(code)
    if not said or user.pk is None:
        return None
    theirs = Player.objects.select_related("match").filter(user_id=user.pk)
    if "i" in said:
        return theirs.filter(invitations__nonce=said["i"]).first()
    return theirs.filter(pk=said["p"]).first()


@retrying
def claim(code: str, user: Any) -> Player:
    """Take the place of an invitation, whose link works only once. Raises `CommandRefused`."""
    if "i" in read_code(code):
        return take_over(code, user)
    player = invited_player(code)
    if player is None:
        raise CommandRefused(links.GONE)
    with locked_match(player.match_id) as writer:
        match, nonce = writer.match, player.invite_nonce
        player.refresh_from_db()
        if not player.is_open or player.invite_nonce != nonce or links.has_ended(player):
            raise CommandRefused(links.TAKEN)
        if why_not := why_not_play(match, user, player.handle):
            raise CommandRefused(why_not)
        if match.players.filter(user=user).exists():
            raise CommandRefused("You already play in this match.")
        if match.is_over:
            raise CommandRefused("This match is over.")
        links.note_used(player, user, writer.now, match=match)
        player.user, player.invite_nonce = user, new_nonce()
        others = names_in(match, besides=player.pk)
        player.name = chosen(player.name) or name_beside(player.handle, user, others)
        player.save(update_fields=["user", "invite_nonce", "name"])
        _note(writer, "claim", player, by=user)
        return player
