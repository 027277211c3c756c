"""Where people talk: a match or a season, as one viewer comes to it. All that differs between the two stands here."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, Literal, NamedTuple

from django.db.models import Q, QuerySet
from django.urls import reverse

from matches.engine.sentences import joined
from matches.infra.text import moment_in_words
from matches.models import Match, Player, clock
from matches.queries import access
from matches.services.roles import is_insider
from seasons.models import Member as SeasonMember
from seasons.models import Season, SeasonMatch, SeasonRole
from seasons.queries import access as season_access
from talk.models import Channel, Message, Quiet
from talk.queries import rights
from talk.queries.rights import (
    CONFESSIONAL,
    LOUNGE,
    PRIVATE,
    PUBLIC,
    QUESTIONS,
    SPECTATORS,
    TEAM,
    Choices,
    SeasonChoices,
)

Person = Player | SeasonMember
Role = Message.Role


_CLOSED = "This {} has been over for a week, so nobody can write any more. All messages stay."
_WITHOUT_HOSTS = "Only {} can read this. The hosts of this {} cannot; they read a message only if a reader reports it."


class Room(NamedTuple):
    """Which room it is, also before anybody has written in it."""

    kind: str
    team: str = ""
    group: str = ""


class Home(ABC):
    """One viewer at the talk of a match or of a season."""

    of: Literal["match", "season"]
    user: Any
    handle: str
    """The viewer's own, empty for whoever is no player or member."""
    is_host: bool
    """Whether the viewer hosts it, or may as an administrator."""
    chosen: Choices | SeasonChoices
    person_field: Literal["player", "member"]
    people_word: Literal["players", "members"]

    def __init__(self, row: Match | Season, user: Any) -> None:
        self.row, self.user = row, user
        self.id, self.title = row.public_id, row.title

    @property
    def rows(self) -> dict[str, Any]:
        """Filters channels and messages to those of this home."""
        return {self.of: self.row}

    @cached_property
    @abstractmethod
    def moderates(self) -> bool:
        """Whether the viewer sees reports and hides messages: hosts, and superusers who have opened the console."""

    @property
    @abstractmethod
    def role(self) -> Role | None:
        """In which the viewer writes; None for visitors. A superuser who has not opened the console is nobody
        special."""

    @property
    @abstractmethod
    def has_begun(self) -> bool:
        """Whether it has begun, and what hosts have chosen about talk is fixed."""

    @property
    @abstractmethod
    def closes_at(self) -> datetime | None:
        """When talk ends, or has ended; None before the end of the match or season."""

    @property
    @abstractmethod
    def readable(self) -> Q:
        """Filters them to those channels that the viewer may read."""

    @property
    def legible(self) -> Q:
        """Filters the messages of these channels to those that the viewer may read; usually all."""
        return Q()

    @property
    def told(self) -> Q:
        """The same as `readable`, but only those of which the viewer is told what they have not read."""
        return self.readable

    def counts(self, is_mine: bool) -> bool:
        """Whether the viewer is shown how much of a room they have not read."""
        return True

    def rooms(self) -> QuerySet[Channel]:
        """The channels that the viewer may read, as far as anybody has written in them or opened them."""
        return Channel.objects.filter(self.readable, **self.rows)

    def address(self, name: str, *args: str) -> str:
        """The address of one of talk's pages."""
        return reverse(f"{'talk' if self.of == 'match' else 'season_talk'}:{name}", args=[self.id, *args])

    @property
    def released(self) -> Q:
        """Filters messages to those of confessionals that the viewer may read as part of the audience."""
        return Q(pk__in=[])

    @cached_property
    @abstractmethod
    def standing(self) -> list[Room]:
        """The rooms that are there for this viewer before anybody writes in them, in their order."""

    @abstractmethod
    def why_not_write(self, kind: str, *, is_member: bool = True) -> tuple[str, str]:
        """Why a viewer who may read a room of this kind cannot write in it now: a code and a sentence, both empty if
        they can. `is_member`: whether they belong to it."""

    @cached_property
    @abstractmethod
    def people(self) -> Mapping[str, Person]:
        """Everybody who plays, or the whole cast, by handle."""

    @abstractmethod
    def in_team(self, team: str) -> tuple[str, ...]:
        """The handles of those who are in it now."""

    @abstractmethod
    def title_of(self, room: Room, people: Sequence[str], title: str = "") -> str:
        """What a room is called for the viewer."""

    @abstractmethod
    def readers_of(self, room: Room, people: Sequence[str]) -> str:
        """Who may read what is written there, said before anybody writes."""

    @abstractmethod
    def known_to(self, kind: str, *, is_mine: bool) -> str:
        """The same in a few words; empty where everybody reads it."""

    @property
    @abstractmethod
    def hosts(self) -> Sequence[tuple[str, int]]:
        """The usernames and ids of those who host it."""

    @property
    @abstractmethod
    def why_no_private(self) -> tuple[str, str]:
        """Why the viewer cannot open a private room now: a code and a sentence, both empty if they can."""

    @property
    def begins(self) -> str:
        """The kind of room that the viewer opens with people whom they choose."""
        return PRIVATE

    def may_join(self, person: Person) -> bool:
        """Whether it can be opened with somebody."""
        return person.user_id is not None

    def members_of(self, room: Room) -> list[Person]:
        """The people of a room that the viewer opens by writing."""
        return []

    def named(self, handles: Sequence[str]) -> list[str]:
        """Names as a sentence lists them, the viewer as “you”."""
        return ["you" if each == self.handle else self.people[each].shown_name for each in handles]

    def _others(self, people: Sequence[str]) -> str:
        return ", ".join(self.people[each].shown_name for each in people if each != self.handle) or "Only you"

    def author(self) -> dict[str, Any]:
        """What a message says of the viewer who writes it."""
        me = self.people.get(self.handle) if self.handle else None
        name = self.user.username if me is None else me.shown_name
        return {**self.rows, "author_id": self.user.pk, self.person_field: me, "role": self.role or "", "name": name}


# -- match -----------------------------------------------------------------------------------------------


class MatchHome(Home):
    """The talk of a match."""

    of, person_field, people_word = "match", "player", "players"
    chosen: Choices

    def __init__(self, viewer: access.Viewer) -> None:
        super().__init__(viewer.match, viewer.user)
        self.viewer, self.match = viewer, viewer.match
        self.handle = viewer.player.handle if viewer.player else ""
        self.is_host = viewer.is_host
        self.chosen = rights.chosen_for(viewer.match)

    @property
    def readable(self) -> Q:
        return rights.readable_by(self.user)

    @cached_property
    def moderates(self) -> bool:
        return self.is_host and is_insider(self.match, self.user)

    @property
    def role(self) -> Role | None:
        if self.user.pk is None:
            return None
        return Role.PLAYER if self.handle else Role.HOST if self.moderates else Role.SPECTATOR

    @property
    def has_begun(self) -> bool:
        return self.match.has_begun

    @property
    def closes_at(self) -> datetime | None:
        if not self.match.is_over:
            return None
        return (self.match.finished_at or self.match.created_at) + rights.OPEN_AFTER_THE_END

    @cached_property
    def standing(self) -> list[Room]:
        found = [Room(PUBLIC)] if self.chosen.public else []
        match, player = self.match, self.viewer.player
        if player is not None and match.has_begun and self.chosen.team and (player.team or match.rules.teams):
            team = rights.teams_of(match).get(player.handle, "")
            found += [Room(TEAM, team)] if team else []
        return found

    def why_not_write(self, kind: str, *, is_member: bool = True) -> tuple[str, str]:
        match, closing = self.match, self.closes_at
        if self.role is None:
            return "not_signed_in", "Sign in to write here."
        if self.viewer.sees and not self.is_host:
            return "only_observes", "You observe this match: you can read what its hosts read, but not write in it."
        if closing is not None and clock.now() >= closing:
            return "talk_closed", _CLOSED.format("match")
        if match.status == Match.Status.DRAFT:
            return "talk_not_open", "Talk begins when the match is announced."
        if kind != PUBLIC and not match.has_begun:
            return "talk_not_open", "Teams and players can write to each other once the match has begun."
        if kind == PUBLIC:
            if self.role == Role.SPECTATOR and not self.chosen.spectators:
                return "only_participants", "In this match only players and hosts write in public talk."
        elif not is_member:
            return "only_readers", "You can read this but not write in it: it belongs to these players."
        return "", ""

    @cached_property
    def people(self) -> Mapping[str, Person]:
        return {player.handle: player for player in self.match.players.all()}

    def in_team(self, team: str) -> tuple[str, ...]:
        teams = rights.teams_of(self.match)
        return tuple(handle for handle, each in self.people.items() if each.user_id and teams.get(handle) == team)

    def members_of(self, room: Room) -> list[Person]:
        teams = rights.teams_of(self.match) if room.team else {}
        return [each for handle, each in self.people.items() if room.team and teams.get(handle) == room.team]

    def title_of(self, room: Room, people: Sequence[str], title: str = "") -> str:
        if room.kind == PUBLIC:
            return "Public"
        return f"Team {room.team}" if room.kind == TEAM else self._others(people)

    def readers_of(self, room: Room, people: Sequence[str]) -> str:
        if room.kind == PUBLIC:
            return "Everybody can read this for ever, even without an account."
        listed = joined(self.named(people))
        who = f"the players of team {room.team} ({listed})" if room.kind == TEAM else listed
        if self.chosen.hosts_read:
            hosts = rights.hosts_who_read(self.match)
            named = f" ({joined(hosts)})" if hosts else ""
            return f"Only {who} can read this, and the hosts of this match{named}."
        return _WITHOUT_HOSTS.format(who, "match")

    def known_to(self, kind: str, *, is_mine: bool) -> str:
        if kind == PUBLIC:
            return ""
        return "these players and the hosts" if self.chosen.hosts_read else "only these players"

    @property
    def hosts(self) -> Sequence[tuple[str, int]]:
        return [(each.username, each.pk) for each in self.match.hosts.all()]

    @property
    def why_no_private(self) -> tuple[str, str]:
        if not self.handle:
            return "only_participants", "Private talk is between players of this match."
        if not self.chosen.private:
            return "no_private_talk", "The hosts have switched off private talk in this match."
        return self.why_not_write(PRIVATE)


# -- season ----------------------------------------------------------------------------------------------

_RESTING = (LOUNGE, TEAM, PRIVATE)
"""What rests while a match asks for it."""


class SeasonHome(Home):
    """The talk of a season."""

    of, person_field, people_word = "season", "member", "members"
    chosen: SeasonChoices

    def __init__(self, viewer: season_access.Viewer) -> None:
        super().__init__(viewer.season, viewer.user)
        self.viewer, self.season = viewer, viewer.season
        self.handle = viewer.member.handle if viewer.member else ""
        self.is_host = viewer.acts
        self.chosen = rights.chosen_in(viewer.season)
        # Named hosts and observers only: an administrator who wants to read has to become one.
        hosts = viewer.sees and (not viewer.user.is_superuser or rights.part_in(viewer.season, viewer.user).hosts)
        self.part = rights.part_of(rights.Part(viewer.season, viewer.user.pk, viewer.member, viewer.watches, hosts))

    @property
    def readable(self) -> Q:
        return rights.readable_in(self.part)

    @cached_property
    def legible(self) -> Q:
        """What was written before a trusted viewer was accepted was written for others."""
        since = [each.accepted_at for each in self._watching if each.user_id == self.part.user_id]
        if self.part.watches is None or not since:
            return Q()
        own = Channel.objects.filter(rights.readable_in(self.part._replace(watches=None)))
        return Q(at__gte=since[0]) | Q(channel__in=own)

    @property
    def told(self) -> Q:
        return rights.told_in(self.part)

    def counts(self, is_mine: bool) -> bool:
        return is_mine or self.part.hosts

    @property
    def released(self) -> Q:
        return rights.released_in(self.part)

    @cached_property
    def moderates(self) -> bool:
        return self.is_host and (self.part.hosts or self.season.roles.filter(user_id=self.user.pk).exists())

    @property
    def role(self) -> Role | None:
        if self.user.pk is None:
            return None
        return Role.MEMBER if self.handle else Role.HOST if self.is_host and self.part.hosts else Role.SPECTATOR

    @property
    def has_begun(self) -> bool:
        return self.season.is_public

    @property
    def closes_at(self) -> datetime | None:
        return self.season.ended_at + rights.OPEN_AFTER_THE_END if self.season.ended_at else None

    @cached_property
    def standing(self) -> list[Room]:
        if not self.season.is_public:
            return []
        member, chosen = self.viewer.member, self.chosen
        is_in = member is not None and member.status == SeasonMember.Status.IN
        found = [Room(LOUNGE)] if self.part.hosts or is_in or (member and chosen.out) else []
        if member is not None:
            if is_in and member.team and chosen.team:
                found.append(Room(TEAM, member.team))
            own = group_of([member])
            found.append(Room(QUESTIONS, group=own))
            if chosen.confessionals != "none":
                found.append(Room(CONFESSIONAL, group=own))
        if chosen.spectators and self.user.pk is not None and not self.part.is_in:
            found.append(Room(SPECTATORS))
        return found

    def why_not_write(self, kind: str, *, is_member: bool = True) -> tuple[str, str]:
        closing, is_over = self.closes_at, self.season.is_over
        if self.role is None:
            return "not_signed_in", "Sign in to write here."
        if self.part.hosts and not self.is_host:
            return "only_observes", "You observe this season: you can read what its hosts read, but not write in it."
        if closing is not None and clock.now() >= closing:
            return "talk_closed", _CLOSED.format("season")
        if not self.season.is_public:
            return "talk_not_open", "Talk begins with the season."
        if is_over and (kind == CONFESSIONAL or (kind == PRIVATE and self.chosen.published)):
            return "talk_closed", "The season has ended, and what was written here is published as it was said before."
        if kind != SPECTATORS and not is_member and not (kind == QUESTIONS and self.part.hosts):
            return "only_readers", "You can read this but not write in it: it belongs to these members."
        return ("quiet", said) if (said := self.quiet.get(kind)) else ("", "")

    @cached_property
    def quiet(self) -> Mapping[str, str]:
        """Kind of room -> until when nobody writes there, in a sentence; only what is quiet now."""
        found: dict[str, str] = {}
        running = SeasonMatch.objects.filter(season=self.season, match__status__in=Match.RUNNING)
        for title in running.filter(match__talk_choices__rests=True).values_list("match__title", flat=True):
            found |= dict.fromkeys(_RESTING, f"This room rests until “{title}” is over.")
        for each in self.quiets:
            why = f": {each.why}" if each.why else "."
            said = f"The hosts have closed this room until {moment_in_words(each.until)}{why}"
            found |= dict.fromkeys(each.kinds, said)
        return found

    @cached_property
    def quiets(self) -> list[Quiet]:
        """Those that hosts have ordered and that have not ended, the one that ends last at the end."""
        return list(Quiet.objects.filter(season=self.season, until__gt=clock.now()).order_by("until", "pk"))

    @cached_property
    def people(self) -> Mapping[str, Person]:
        return {member.handle: member for member in self.season.cast.all()}

    def in_team(self, team: str) -> tuple[str, ...]:
        return tuple(
            handle for handle, each in self.people.items() if each.user_id and each.team == team and _is_in(each)
        )

    @property
    def begins(self) -> str:
        return QUESTIONS if self.role == Role.HOST else PRIVATE

    def may_join(self, person: Person) -> bool:
        return super().may_join(person) and (_is_in(person) or self.begins == QUESTIONS)

    def members_of(self, room: Room) -> list[Person]:
        return [self.people[self.handle]] if room.group else []

    def title_of(self, room: Room, people: Sequence[str], title: str = "") -> str:
        is_own = tuple(people) == (self.handle,)
        if room.kind == TEAM:
            return f"Team {room.team}"
        if room.kind == QUESTIONS:
            return "Your questions to the hosts" if is_own else f"Questions of {self._others(people)}"
        if room.kind == CONFESSIONAL:
            return "Your confessional" if is_own else f"Confessional of {self._others(people)}"
        return title or self._others(people) if room.kind == PRIVATE else str(Channel.Kind(room.kind).label)

    def readers_of(self, room: Room, people: Sequence[str]) -> str:
        hosts = f"the hosts ({joined(sorted(name for name, _ in self.who_reads))})" if self.who_reads else "the hosts"
        people_there = [*self.named(people), *self._viewers_of(people)]
        listed = joined([*people_there, hosts])
        if room.kind == LOUNGE:
            members = "All members of this season" if self.chosen.out else "The members who are in"
            return f"{joined([members, *self._viewers_of(self.people), hosts])} can read this."
        if room.kind == SPECTATORS:
            return f"Everybody with an account and {hosts} can read this, but no member who is still in."
        if room.kind == QUESTIONS:
            return f"Only {listed} can read this."
        if room.kind == CONFESSIONAL:
            listed = joined([*self.named(people), hosts])
            soon = "; trusted viewers read those at once" if self.chosen.confessionals == "at_once" else ""
            return (
                f"Only {listed} can read this. When the season has ended, everybody can read the texts that their "
                f"author releases{soon}. Nobody else ever reads the others."
            )
        who = joined(people_there)
        who = f"the members of team {room.team} who are in ({who})" if room.kind == TEAM else who
        after = " When the season has ended, everybody can read it." if self._is_published(room.kind) else ""
        if self.chosen.hosts_read:
            return f"Only {who} can read this, and {hosts}.{after}"
        return _WITHOUT_HOSTS.format(who, "season") + after

    @property
    def shows_confessionals(self) -> bool:
        """Whether the viewer can find released texts of others."""
        is_told = self.part.watches is not None and self.chosen.confessionals == "at_once"
        return self.chosen.confessionals != "none" and (self.season.is_over or is_told)

    def _viewers_of(self, people: Iterable[str]) -> list[str]:
        """The trusted viewers who read with these members, as a sentence lists them."""
        found = [each for each in self._watching if each.member.handle in people]
        return [f"{each.member.shown_name}’s trusted viewer {each.user.username}" for each in found]

    @cached_property
    def _watching(self) -> list[Any]:
        return list(rights.watching([self.season]))

    def _is_published(self, kind: str) -> bool:
        return kind == PRIVATE and self.chosen.published

    def known_to(self, kind: str, *, is_mine: bool) -> str:
        if self._is_published(kind) and self.season.is_over:
            return ""
        if kind == LOUNGE:
            return "members and hosts"
        if kind == SPECTATORS:
            return "spectators and hosts"
        if kind in (QUESTIONS, CONFESSIONAL):
            return "you and the hosts" if is_mine else "this member and the hosts"
        return "these members and the hosts" if self.chosen.hosts_read else "only these members"

    @cached_property
    def who_reads(self) -> Sequence[tuple[str, int]]:
        """Hosts and observers: the usernames and ids of those who read what hosts read."""
        held = self.season.roles.filter(role__in=SeasonRole.SEEING)
        return list(held.values_list("user__username", "user_id"))

    @property
    def hosts(self) -> Sequence[tuple[str, int]]:
        return self.who_reads

    @property
    def why_no_private(self) -> tuple[str, str]:
        if self.begins == QUESTIONS:
            return self.why_not_write(QUESTIONS)
        if not self.handle or not _is_in(self.people[self.handle]):
            return "only_participants", "Only members who are in open private rooms."
        if not self.chosen.private:
            return "no_private_talk", "The hosts have chosen that this season has no private rooms."
        return self.why_not_write(PRIVATE)


def _is_in(person: Person) -> bool:
    return isinstance(person, SeasonMember) and person.status == SeasonMember.Status.IN


def group_of(people: Sequence[Person]) -> str:
    """The same for the same people in the same places."""
    named = ",".join(sorted(f"{each.pk}:{each.user_id}" for each in people))
    return hashlib.sha256(named.encode()).hexdigest()


def home_of(row: Match | Season, user: Any) -> Home:
    """The talk of this match or season, and the person's part in it, as they are now."""
    if isinstance(row, Match):
        return MatchHome(access.viewer_of(Match.objects.get(pk=row.pk), user))
    return SeasonHome(season_access.viewer_of(Season.objects.get(pk=row.pk), user))
