"""Who may read and write which talk: the one place that decides it, for pages, programs, counts and live hints."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from django.db.models import Exists, OuterRef, Q
from msgspec import Struct

from matches.models import Match, Player, Role, clock
from matches.queries.access import Viewer
from matches.queries.matches import Position
from matches.services.roles import is_insider, with_a_role
from talk.models import Channel, Member, Message, TalkChoices, of_whoever_plays

OPEN_AFTER_THE_END = timedelta(days=7)
"""So long after a match has ended people can still write in it; reading has no end."""

PUBLIC, TEAM, PRIVATE = Channel.Kind.PUBLIC, Channel.Kind.TEAM, Channel.Kind.PRIVATE


class Choices(Struct, frozen=True):
    """What the hosts chose about talk."""

    public: bool
    spectators: bool
    team: bool
    private: bool
    speeches: bool
    hosts_read: bool


CHOICES = Choices.__struct_fields__
USUAL = Choices(*(getattr(TalkChoices(), name) for name in CHOICES))


def chosen_for(match: Match) -> Choices:
    """What was chosen for a match; read once where it has begun, for then it cannot change any more."""
    return _fixed(match.pk, match.public_id) if match.has_begun else _read(match.pk)


def _read(match_id: int) -> Choices:
    row = TalkChoices.objects.filter(pk=match_id).values_list(*CHOICES).first()
    return USUAL if row is None else Choices(*row)


@lru_cache(maxsize=4096)
def _fixed(match_id: int, public_id: str) -> Choices:
    """`public_id`: ids of rows may come again, in tests."""
    return _read(match_id)


# -- reading -----------------------------------------------------------------------------------------


def readable_by(user: Any) -> Q:
    """Filters the channels that this person may read. Whether they may see the match itself is asked before
    (`access_match`); for channels of matches in which they take part that is always so."""
    public = Q(kind=PUBLIC) & ~Q(match__talk_choices__public=False)
    if user.pk is None:
        return public
    playing = Player.objects.filter(match_id=OuterRef("match_id"), user_id=user.pk)
    membership = Member.objects.filter(of_whoever_plays(user.pk), channel_id=OuterRef("pk"))
    # Named hosts and observers only: an administrator who wants to read has to become one, which is logged.
    hosting = with_a_role(user, "match_id")
    shared = Q(match__talk_choices__hosts_read=True)
    return public | (~Q(kind=PUBLIC) & (Exists(membership) | (shared & hosting & ~Exists(playing))))


def reader_ids(channel: Channel) -> frozenset[int]:
    """The users who may read a team's or a private channel by `readable_by`."""
    members = {each.player: each.user_id for each in channel.members.select_related("player")}
    ids = {player.user_id for player, user_id in members.items() if user_id in (None, player.user_id)}
    if chosen_for(channel.match).hosts_read:
        playing = channel.match.players.filter(user__isnull=False).values_list("user_id")
        ids.update(channel.match.hosts.exclude(pk__in=playing).values_list("pk", flat=True))
        observing = channel.match.roles.filter(role=Role.OBSERVER).exclude(user__in=playing)
        ids.update(observing.values_list("user_id", flat=True))
    return frozenset(pk for pk in ids if pk is not None)


def readable_in(viewer: Viewer) -> Any:
    """The channels of a match that its viewer may read, as far as anybody has written in them or opened them."""
    return Channel.objects.filter(readable_by(viewer.user), match=viewer.match)


# -- writing -----------------------------------------------------------------------------------------


def role_of(viewer: Viewer) -> Message.Role | None:
    """The role in which somebody writes; None for visitors. A superuser who has not opened the match's console is
    nobody special."""
    if viewer.user.pk is None:
        return None
    if viewer.player is not None:
        return Message.Role.PLAYER
    is_hosting = viewer.is_host and is_insider(viewer.match, viewer.user)
    return Message.Role.HOST if is_hosting else Message.Role.SPECTATOR


def closes_at(match: Match) -> datetime | None:
    """When talk ends, or has ended; None for a match that is not over."""
    if not match.is_over:
        return None
    return (match.finished_at or match.created_at) + OPEN_AFTER_THE_END


def why_not_write(viewer: Viewer, kind: str, *, is_member: bool = True) -> tuple[str, str]:
    """Why somebody who may read a channel of this kind cannot write in it now: a code and a sentence, both empty if
    they can. `is_member`: whether they belong to it."""
    match, role = viewer.match, role_of(viewer)
    if role is None:
        return "not_signed_in", "Sign in to write here."
    closing = closes_at(match)
    if viewer.sees and not viewer.is_host:
        return "only_observes", "You observe this match: you can read what its hosts read, but not write in it."
    if closing is not None and clock.now() >= closing:
        return "talk_closed", "This match has been over for a week, so nobody can write any more. All messages stay."
    if match.status == Match.Status.DRAFT:
        return "talk_not_open", "Talk begins when the match is announced."
    if kind != PUBLIC and not match.has_begun:
        return "talk_not_open", "Teams and players can write to each other once the match has begun."
    if kind == PUBLIC:
        if role == Message.Role.SPECTATOR and not chosen_for(match).spectators:
            return "only_participants", "In this match only players and hosts write in public talk."
    elif not is_member:
        return "only_readers", "You can read this but not write in it: it belongs to these players."
    return "", ""


# -- people ------------------------------------------------------------------------------------------


def teams_of(match: Match) -> dict[str, str]:
    """Handle -> team of everybody who is in one; also of those whom the rules dealt into one at the beginning."""
    teams = {player.handle: player.team for player in match.players.all()}
    if match.rules.teams and match.has_begun and not all(teams.values()):
        view = Position(match).public
        dealt = {line.handle: line.team for line in (view.players if view is not None else ()) if line.team}
        teams = {handle: team or dealt.get(handle, "") for handle, team in teams.items()}
    return {handle: team for handle, team in teams.items() if team}


def hosts_who_read(match: Match) -> list[str]:
    """The usernames of those who read what is private, in order: hosts and observers."""
    observers = match.roles.filter(role=Role.OBSERVER).values_list("user__username", flat=True)
    return sorted({*match.hosts.values_list("username", flat=True), *observers})
