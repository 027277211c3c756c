"""Changes of the person behind a member of a season that has begun, and of a season's hosts.

They apply to its unfinished matches as well. Locks are taken in one order: matches by id, then their season.
"""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from django.db import transaction
from django.db.models import Q

from matches.models import Match, Player, Role
from matches.models.player import new_nonce
from matches.services import hosting
from matches.services.commands import need_host, need_new, need_owner, need_reason
from matches.services.errors import CommandRefused, retrying
from matches.services.hosting.lifecycle import is_at_fault
from matches.services.locking import lock_row, locked_match
from matches.services.opening import open_due
from matches.services.places import chosen, name_beside, need_stranger
from matches.services.roles import Roles, check_roles, roles_of, without
from matches.services.roster import PlayerChange, change_players
from seasons.models import Member, Season, SeasonRole
from seasons.services.drafts import names_of, noting
from seasons.services.roles import why_no_member
from seasons.services.running import commanded
from seasons.services.viewers import stop_for
from seasons.services.writer import Kind, Writer, locked_season, member_changed_hands

_ADDED = "Somebody has just added a match to the season, so nothing happened. Try again."


@contextmanager
def with_matches(season_id: int) -> Iterator[tuple[Writer, list[Match]]]:
    """Lock the season's unfinished matches, open those whose start has come, then lock the season."""
    with transaction.atomic():
        ids = _unfinished(season_id)
        matches = [_opened_if_due(match) for match in [lock_row(pk) for pk in ids]]
        with locked_season(season_id) as writer:
            if _unfinished(season_id) != ids:
                raise CommandRefused(_ADDED, code="busy")
            yield writer, matches


def _opened_if_due(match: Match) -> Match:
    """Open a locked match if its start has come; return it. Opening books in the season, so it comes before the season
    is read for other changes."""
    if is_at_fault(match):
        return match
    with locked_match(match.pk) as writer:
        if open_due(writer):
            writer.save()
    return writer.match


def _unfinished(season_id: int) -> list[int]:
    found = Match.objects.filter(in_season__season_id=season_id).exclude(status__in=Match.OVER)
    return list(found.order_by("pk").values_list("pk", flat=True))


# -- roles ---------------------------------------------------------------------------------------------------


@retrying
def set_roles(season: Season, host: Any, wanted: Roles, *, key: str = "") -> None:
    """Set the owner, hosts and observers of a season and of its unfinished matches. They can never be members from now
    on; those no longer named stay as former hosts.

    Raises `NotAHost`, `NotTheOwner`, `CommandRefused`, and `AlreadyDone` if the `key` was used before.
    """
    with with_matches(season.pk) as (writer, matches):
        row = writer.season
        need_owner(row, host)
        need_new(writer.season, host, key)
        check_roles(wanted, set(row.cast.filter(user__isnull=False).values_list("user_id", flat=True)))
        before = roles_of(row)
        if before.in_names() == wanted.in_names():
            return
        for match in matches:
            given = {"observers": wanted.observers, "owner": wanted.owner}
            # The match may have another owner by now.
            hosting.set_roles(match, host, wanted.acting, **given, need=lambda *_: None)
        with noting(row, host) if writer.state is None else nullcontext():
            _store_roles(writer, wanted)
        _record_roles(writer, before, wanted, host, key)


@retrying
def stop_hosting(season: Season, user: Any) -> None:
    """Remove somebody whose account is deleted from a season's hosts and observers, not from those of its matches. The
    owner of an unfinished season cannot be deleted (`account_deletion.reasons`)."""
    with with_matches(season.pk) as (writer, _):
        before = roles_of(writer.season)
        if before.of(user) in (None, Role.OWNER):
            return
        wanted = without(before, user)
        with noting(writer.season, user) if writer.state is None else nullcontext():
            _store_roles(writer, wanted)
        if not writer.season.is_over:
            _record_roles(writer, before, wanted, user)


def _record_roles(writer: Writer, before: Roles, wanted: Roles, user: Any, key: str = "") -> None:
    changed = {name: each for name, each in before.changed_to(wanted).items() if each[0] != each[1]}
    if writer.state is not None:  # before it begins there is no log
        writer.record(Kind.ROLES, changed, user=user, key=key)


def _store_roles(writer: Writer, wanted: Roles) -> None:
    row = writer.season
    row.roles.exclude(user_id__in=[each.pk for each in wanted.everybody]).update(role=SeasonRole.Role.FORMER)
    for person in wanted.everybody:
        role = wanted.of(person)
        if role is not None:
            values = {"role": role.value}
            SeasonRole.objects.update_or_create(
                season=row, user=person, defaults=values, create_defaults={**values, "since": writer.now}
            )


# -- the person behind a member ------------------------------------------------------------------------------


@retrying
def replace_person(
    season: Season, host: Any, member: Member, newcomer: Any, reason: str, *, is_bot: bool = False, key: str = ""
) -> None:
    """Put another person, a bot (`is_bot`), or nobody (then there is an invitation) behind a member. Handle, account
    and places in matches stay the member's; whoever had it loses all access.

    Raises `NotAHost`, `CommandRefused`, and `AlreadyDone` if the `key` was used before.
    """
    with with_matches(season.pk) as (writer, matches):
        need_host(writer.season, host)
        need_new(writer.season, host, key)
        if writer.season.status != Season.Status.RUNNING:
            raise CommandRefused(
                "Before a season begins, change its cast in the table. After its end you cannot replace anybody."
            )
        reason = need_reason(reason)
        row = writer.season.cast.select_related("user").get(pk=member.pk)
        if (row.user_id, row.is_bot) != (member.user_id, member.is_bot):
            raise CommandRefused("Somebody else has that place since you opened this page. Look at the cast again.")
        if row.status != Member.Status.IN:
            raise CommandRefused(f"{row.handle} is no longer in.", code="not_in", field="place")
        if (newcomer, is_bot) == (row.user, row.is_bot):
            raise CommandRefused("That would change nothing.", field="person")
        if newcomer is not None:
            need_newcomer(writer.season, newcomer)
        left = row.user
        give_place(writer.season, row, newcomer, is_bot=is_bot)
        for match in matches:
            _replace_in_match(match, host, row, reason)
        record_person(writer, row, reason, user=host, key=key)
        stop_for(writer, Q(member=row))
        if left is not None:
            member_changed_hands.send(sender=Member, member=row, left=left)


def need_newcomer(season: Season, newcomer: Any) -> None:
    """Raise `CommandRefused` if somebody cannot be a member of this season."""
    need_stranger(season.cast, newcomer, "is already in the cast", why_no_member(season, newcomer))


def give_place(season: Season, member: Member, newcomer: Any, *, is_bot: bool = False) -> None:
    """Give a member's place to somebody. The name of who leaves goes too, or people would mistake the next for them."""
    had_somebody = member.user_id is not None
    taken = [names for names in names_of(season) if names.handle != member.handle]
    member.user, member.is_bot, member.invite_nonce = newcomer, is_bot, new_nonce()
    member.name = chosen(member.name)
    if newcomer is not None and (had_somebody or not member.name):
        member.name = name_beside(member.handle, newcomer, taken)
    elif had_somebody:
        member.name = ""
    member.hides_picture = False
    member.save(update_fields=["user", "is_bot", "invite_nonce", "name", "hides_picture"])


@retrying
def hide_picture(season: Season, host: Any, member: Member, *, hide: bool, key: str = "") -> None:
    """Take the picture of the person behind a member off the season's cast page, or put it back. Raises `NotAHost`, and
    `AlreadyDone` if the `key` was used before."""
    with commanded(season, host, key) as writer:
        with noting(writer.season, host) if writer.state is None else nullcontext():
            writer.season.cast.filter(pk=member.pk).update(hides_picture=hide)
        if writer.state is not None:
            payload = {"player": member.handle, "hidden": hide}
            writer.record(Kind.PICTURE, payload, user=host, key=key)


def _replace_in_match(match: Match, host: Any, member: Member, reason: str) -> None:
    player = Player.objects.filter(match=match, handle=member.handle).first()
    if player is None:
        return
    if match.status in Match.BEFORE:
        values = {"user": member.user, "is_bot": member.is_bot, "name": member.name}
        change_players(match, host, [PlayerChange(player.pk, values)])
    elif member.user is not None:
        hosting.substitute(match, host, player, member.user, reason)
    elif player.user_id is not None:
        hosting.withdraw_player(match, host, player, reason, bot=member.is_bot)
    elif member.is_bot and not player.is_bot:
        hosting.let_bot_play(match, host, player, reason)


def record_person(writer: Writer, member: Member, reason: str, **by: Any) -> None:
    """Record in the log who is behind a member now."""
    payload = {
        "player": member.handle,
        "username": member.user.username if member.user else None,
        "is_bot": member.is_bot,
        "name": member.name,
        "reason": reason,
    }
    writer.record(Kind.PERSON, payload, **by)
    writer.forget()
    writer.pass_due()  # a bot that has to name an opponent has one drawn
