"""Where people talk, as one viewer comes to it: what `match_home` and `season_home` each have to say."""

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
    def known_to(self, kind: str, people: Sequence[str], *, is_mine: bool) -> str:
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


NOT_SIGNED_IN = ("not_signed_in", "Sign in to write here.")


def group_of(people: Sequence[Person]) -> str:
    """The same for the same people in the same places."""
    named = ",".join(sorted(f"{each.pk}:{each.user_id}" for each in people))
    return hashlib.sha256(named.encode()).hexdigest()
