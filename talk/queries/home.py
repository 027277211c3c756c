"""The base class of `MatchHome` and `SeasonHome`: the talk of a match or season as one viewer sees it."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, Literal, NamedTuple

from django.db.models import Q, QuerySet
from django.urls import reverse

from matches.models import Match, Player
from seasons.models import Member as SeasonMember
from seasons.models import Season
from talk.models import Channel, Message
from talk.queries.rights import PRIVATE, Choices, SeasonChoices

Person = Player | SeasonMember
Role = Message.Role


CLOSED = "This {} has been over for a week, so nobody can write any more. All messages stay."
WITHOUT_HOSTS = "Only {} can read this. The hosts of this {} read a message only if a reader reports it."


class Room(NamedTuple):
    """Identifies a room, even before anybody has written in it."""

    kind: str
    team: str = ""
    group: str = ""


class Home(ABC):
    """The talk of a match or season, for one viewer."""

    of: Literal["match", "season"]
    user: Any
    handle: str
    """The viewer's handle, empty for those who are no player or member."""
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
        """The filter for channels and messages of this match or season."""
        return {self.of: self.row}

    @cached_property
    @abstractmethod
    def moderates(self) -> bool:
        """Whether the viewer sees reports and hides messages: hosts, and superusers who have opened the console."""

    @property
    @abstractmethod
    def role(self) -> Role | None:
        """The role in which the viewer writes; None for visitors. A superuser who opened the console is a host."""

    @property
    @abstractmethod
    def has_begun(self) -> bool:
        """Whether the match or season has begun, which fixes the hosts' choices about talk."""

    @property
    @abstractmethod
    def closes_at(self) -> datetime | None:
        """When talk ends, or has ended; None before the end of the match or season."""

    @property
    @abstractmethod
    def readable(self) -> Q:
        """The filter for channels that the viewer may read."""

    @property
    def legible(self) -> Q:
        """The filter for messages of these channels that the viewer may read; usually all."""
        return Q()

    @property
    def told(self) -> Q:
        """Like `readable`, but only channels whose unread messages the viewer is told of."""
        return self.readable

    def counts(self, is_mine: bool) -> bool:
        """Whether the viewer sees how many messages of a room are unread."""
        return True

    def rooms(self) -> QuerySet[Channel]:
        """The stored channels that the viewer may read."""
        return Channel.objects.filter(self.readable, **self.rows)

    def address(self, name: str, *args: str) -> str:
        """Return the path of a page of talk."""
        return reverse(f"{'talk' if self.of == 'match' else 'season_talk'}:{name}", args=[self.id, *args])

    @property
    def released(self) -> Q:
        """The filter for released messages of confessionals that the viewer may read as part of the audience."""
        return Q(pk__in=[])

    @cached_property
    @abstractmethod
    def standing(self) -> list[Room]:
        """The rooms that this viewer has even before anybody writes in them, in order."""

    @abstractmethod
    def why_not_write(self, kind: str, *, is_member: bool = True) -> tuple[str, str]:
        """Why a viewer who may read a room of this kind cannot write in it now: a code and a sentence, both empty if
        they can. `is_member`: whether they belong to it."""

    @cached_property
    @abstractmethod
    def people(self) -> Mapping[str, Person]:
        """All players, or the whole cast, by handle."""

    @abstractmethod
    def in_team(self, team: str) -> tuple[str, ...]:
        """Return the handles of the team's present members."""

    @abstractmethod
    def title_of(self, room: Room, people: Sequence[str], title: str = "") -> str:
        """Return a room's name for this viewer."""

    @abstractmethod
    def readers_of(self, room: Room, people: Sequence[str]) -> str:
        """Return a sentence about who may read what is written there, shown where people write."""

    @abstractmethod
    def known_to(self, kind: str, people: Sequence[str], *, is_mine: bool) -> str:
        """Like `readers_of`, in a few words; empty if everybody reads it."""

    @property
    @abstractmethod
    def hosts(self) -> Sequence[tuple[str, int]]:
        """The usernames and ids of its hosts."""

    @property
    @abstractmethod
    def why_no_private(self) -> tuple[str, str]:
        """Why the viewer cannot open a private room now: a code and a sentence, both empty if they can."""

    @property
    def begins(self) -> str:
        """The kind of room that the viewer opens with people whom they choose."""
        return PRIVATE

    def may_join(self, person: Person) -> bool:
        """Whether a private room can include this person."""
        return person.user_id is not None

    def members_of(self, room: Room) -> list[Person]:
        """Return the people to add to a room that the viewer's message creates."""
        return []

    def named(self, handles: Sequence[str]) -> list[str]:
        """Return the names of players or members for a sentence, the viewer as “you”."""
        return ["you" if each == self.handle else self.people[each].shown_name for each in handles]

    def _others(self, people: Sequence[str]) -> str:
        return ", ".join(self.people[each].shown_name for each in people if each != self.handle) or "Nobody else now"

    def author(self) -> dict[str, Any]:
        """Return the fields of a message that describe the viewer as its author."""
        me = self.people.get(self.handle) if self.handle else None
        name = self.user.username if me is None else me.shown_name
        return {**self.rows, "author_id": self.user.pk, self.person_field: me, "role": self.role or "", "name": name}


NOT_SIGNED_IN = ("not_signed_in", "Sign in to write here.")


def group_of(people: Sequence[Person]) -> str:
    """Return a digest that is the same for the same people in the same places."""
    named = ",".join(sorted(f"{each.pk}:{each.user_id}" for each in people))
    return hashlib.sha256(named.encode()).hexdigest()
