"""The talk of a season as one viewer sees it: its rooms, and who may read and write there."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db.models import Q

from matches.engine.sentences import joined
from matches.infra.text import moment_in_words
from matches.models import Match, clock
from seasons.models import Member as SeasonMember
from seasons.models import SeasonMatch, SeasonRole
from seasons.queries import access as season_access
from seasons.services.viewers import active
from talk.models import Channel, Quiet
from talk.queries import rights
from talk.queries.home import CLOSED, NOT_SIGNED_IN, WITHOUT_HOSTS, Home, Person, Role, Room, group_of
from talk.queries.rights import CONFESSIONAL, LOUNGE, PRIVATE, QUESTIONS, SPECTATORS, TEAM, SeasonChoices

_RESTING = (LOUNGE, TEAM, PRIVATE)
"""The rooms that are closed while a match that asks for it runs (`TalkChoices.rests`)."""


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
        """Hides from a trusted viewer what was written before they were accepted, when nobody knew of them."""
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
        """Until the season ends, a trusted viewer reads no text from before they were accepted."""
        found = rights.released_in(self.part)
        return found if self.season.is_over else found & self.legible

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
        if is_over and (kind == CONFESSIONAL or self._is_published(kind)):
            return "talk_closed", "The season has ended, so nobody can write here any more."
        if self.role is None:
            return NOT_SIGNED_IN
        if self.part.hosts and not self.is_host:
            return "only_observes", "You are observing this season, so you can read what its hosts read, but not write."
        if closing is not None and clock.now() >= closing:
            return "talk_closed", CLOSED.format("season")
        if not self.season.is_public:
            return "talk_not_open", "Talk begins with the season."
        if kind != SPECTATORS and not is_member and not (kind == QUESTIONS and self.part.hosts):
            return "only_readers", "You can read this room but not write in it, because it belongs to these members."
        return ("quiet", said) if (said := self.quiet.get(kind)) else ("", "")

    @cached_property
    def quiet(self) -> Mapping[str, str]:
        """Kind of room -> a sentence that says until when nobody can write there; only kinds that are closed now."""
        found: dict[str, str] = {}
        running = SeasonMatch.objects.filter(season=self.season, match__status__in=Match.RUNNING)
        for title in running.filter(match__talk_choices__rests=True).values_list("match__title", flat=True):
            found |= dict.fromkeys(_RESTING, f"This room is closed until “{title}” is over.")
        for each in self.quiets:
            why = f": {each.why}" if each.why else "."
            said = f"The hosts have closed this room until {moment_in_words(each.until)}{why}"
            found |= dict.fromkeys(each.kinds, said)
        return found

    @cached_property
    def quiets(self) -> list[Quiet]:
        """The present closings by hosts, the one that ends last at the end."""
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
            return "Your questions to the hosts" if is_own else f"Questions from {self._others(people)}"
        if room.kind == CONFESSIONAL:
            return "Your confessional" if is_own else f"Confessional of {self._others(people)}"
        return title or self._others(people) if room.kind == PRIVATE else str(Channel.Kind(room.kind).label)

    def readers_of(self, room: Room, people: Sequence[str]) -> str:
        hosts = f"the hosts ({joined(sorted(name for name, _ in self.who_reads))})" if self.who_reads else "the hosts"
        people_there = [*self.named(people), *self._viewers_of(people)]
        listed = joined([*people_there, hosts])
        if room.kind == LOUNGE:
            members = "All members of this season" if self.chosen.out else "The members who are still in"
            return f"{joined([members, *self._viewers_of(self.people), hosts])} can read this."
        if room.kind == SPECTATORS:
            return f"Everybody with an account and {hosts} can read this, except members who are still in."
        if room.kind == QUESTIONS:
            return f"Only {listed} can read this."
        if room.kind == CONFESSIONAL:
            listed = joined([*self.named(people), hosts])
            released = "When the season has ended, everybody can read the texts that their author releases."
            if self.chosen.confessionals == "at_once" and (viewers := self._viewers_of(people)):
                released = (
                    f"{joined(viewers)} can read a text as soon as its author releases it, and everybody else when the "
                    "season has ended."
                )
            return f"Only {listed} can read this. {released} Nobody else ever reads the rest."
        if self._is_published(room.kind) and self.season.is_over:
            return f"{joined(self.named(people))} wrote this in private. Now that it is over, everybody can read it."
        who = joined(people_there)
        who = f"the members of team {room.team} who are in ({who})" if room.kind == TEAM else who
        after = " When the season has ended, everybody can read it." if self._is_published(room.kind) else ""
        if self.chosen.hosts_read:
            return f"Only {who}, and {hosts}, can read this.{after}"
        return WITHOUT_HOSTS.format(who, "season") + after

    @property
    def shows_confessionals(self) -> bool:
        """Whether the viewer can find others' released texts."""
        is_told = self.part.watches is not None and self.chosen.confessionals == "at_once"
        return self.chosen.confessionals != "none" and (self.season.is_over or is_told)

    def _viewers_of(self, people: Iterable[str]) -> list[str]:
        """The names of these members' trusted viewers, for a sentence."""
        return rights.viewers_in_words([each for each in self._watching if each.member.handle in people])

    @cached_property
    def _watching(self) -> list[Any]:
        return list(active(self.season))

    def _is_published(self, kind: str) -> bool:
        return kind == PRIVATE and self.chosen.published

    def known_to(self, kind: str, people: Sequence[str], *, is_mine: bool) -> str:
        if self._is_published(kind) and self.season.is_over:
            return ""
        if kind == SPECTATORS:
            return "spectators and hosts"
        one = "you" if is_mine else "this member"
        if kind == CONFESSIONAL:
            return f"{one} and the hosts"
        viewers = ["trusted viewers"] if self._viewers_of(self.people if kind == LOUNGE else people) else []
        if kind == LOUNGE:
            return joined(["members", *viewers, "hosts"])
        if kind == QUESTIONS:
            return joined([one, *viewers, "the hosts"])
        more = [*viewers, *(["the hosts"] if self.chosen.hosts_read else [])]
        return joined(["these members", *more]) if more else "only these members"

    @cached_property
    def who_reads(self) -> Sequence[tuple[str, int]]:
        """The usernames and ids of hosts and observers."""
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
            return "only_participants", "Only members who are still in can open private rooms."
        if not self.chosen.private:
            return "no_private_talk", "The hosts have switched off private rooms in this season."
        return self.why_not_write(PRIVATE)


def _is_in(person: Person) -> bool:
    return isinstance(person, SeasonMember) and person.status == SeasonMember.Status.IN
