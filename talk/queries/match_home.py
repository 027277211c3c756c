"""The talk of a match as one viewer sees it: its rooms, and who may read and write there."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property

from django.db.models import Q

from matches.engine.sentences import joined
from matches.models import Match, clock
from matches.queries import access
from matches.services.roles import is_insider
from seasons.models import SeasonViewer
from talk.models import Channel
from talk.queries import rights
from talk.queries.home import CLOSED, NOT_SIGNED_IN, WITHOUT_HOSTS, Home, Person, Role, Room
from talk.queries.rights import PRIVATE, PUBLIC, TEAM, Choices


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
        watched = self.watches
        return self.told if watched is None else self.told | rights.readable_with(watched.member.user_id or 0)

    @property
    def told(self) -> Q:
        return rights.readable_by(self.user)

    @property
    def legible(self) -> Q:
        """Hides from a trusted viewer what was written before they were accepted, when nobody knew of them."""
        if self.watches is None:
            return Q()
        return Q(at__gte=self.watches.accepted_at) | Q(channel__in=Channel.objects.filter(self.told))

    def counts(self, is_mine: bool) -> bool:
        return is_mine or self.watches is None

    @cached_property
    def watches(self) -> SeasonViewer | None:
        """The viewer as a player's trusted viewer; None for others, and for whoever plays, hosts or observes."""
        if self.handle or self.viewer.sees or self.user.pk is None:
            return None
        return next((each for each in self._watching if each.user_id == self.user.pk), None)

    @cached_property
    def _watching(self) -> list[SeasonViewer]:
        return rights.watching_in(self.match)

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
            team = self._teams.get(player.handle, "")
            found += [Room(TEAM, team)] if team else []
        return found

    def why_not_write(self, kind: str, *, is_member: bool = True) -> tuple[str, str]:
        match, closing = self.match, self.closes_at
        if self.role is None:
            return NOT_SIGNED_IN
        if self.viewer.sees and not self.is_host:
            return (
                "only_observes",
                "You are observing this match, so you can read what its hosts read, but not write.",
            )
        if closing is not None and clock.now() >= closing:
            return "talk_closed", CLOSED.format("match")
        if match.status == Match.Status.DRAFT:
            return "talk_not_open", "Talk begins when a host publishes the match."
        if kind != PUBLIC and not match.has_begun:
            return "talk_not_open", "Teams and players can write to each other once the match has begun."
        if kind == PUBLIC:
            if self.role == Role.SPECTATOR and not self.chosen.spectators:
                return "only_participants", "In this match only players and hosts can write in public talk."
        elif not is_member:
            return "only_readers", "You can read this room but not write in it, because it belongs to these players."
        return "", ""

    @cached_property
    def people(self) -> Mapping[str, Person]:
        return {player.handle: player for player in self.match.players.all()}

    @cached_property
    def _teams(self) -> Mapping[str, str]:
        return rights.teams_of(self.match)

    def in_team(self, team: str) -> tuple[str, ...]:
        return tuple(handle for handle, each in self.people.items() if each.user_id and self._teams.get(handle) == team)

    def members_of(self, room: Room) -> list[Person]:
        return [each for handle, each in self.people.items() if room.team and self._teams.get(handle) == room.team]

    def title_of(self, room: Room, people: Sequence[str], title: str = "") -> str:
        if room.kind == PUBLIC:
            return "Public"
        return f"Team {room.team}" if room.kind == TEAM else self._others(people)

    def readers_of(self, room: Room, people: Sequence[str]) -> str:
        if room.kind == PUBLIC:
            return "Everybody can read this for ever, even without an account."
        listed = joined([*self.named(people), *rights.viewers_in_words(self._viewers_of(people))])
        who = f"the players of team {room.team} ({listed})" if room.kind == TEAM else listed
        if self.chosen.hosts_read:
            named = f" ({joined(self._who_reads)})" if self._who_reads else ""
            return f"Only {who}, and the hosts of this match{named}, can read this."
        return WITHOUT_HOSTS.format(who, "match")

    @cached_property
    def _who_reads(self) -> list[str]:
        return rights.hosts_who_read(self.match)

    def _viewers_of(self, people: Sequence[str]) -> list[SeasonViewer]:
        accounts = {self.people[each].user_id for each in people}
        return [each for each in self._watching if each.member.user_id in accounts]

    def known_to(self, kind: str, people: Sequence[str], *, is_mine: bool) -> str:
        if kind == PUBLIC:
            return ""
        viewers = ["trusted viewers"] if self._viewers_of(people) else []
        more = [*viewers, *(["the hosts"] if self.chosen.hosts_read else [])]
        return joined(["these players", *more]) if more else "only these players"

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
