"""Changes of the cast of a season that has not begun: all of them, or none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.core.exceptions import ValidationError

from accounts.validators import validate_visible
from matches.models.player import new_nonce
from matches.services.errors import CommandRefused
from matches.services.names import Names, alike, free_handle, free_name, name_beside, validate_player_name
from matches.services.roster import PlayerChange
from matches.services.storage.retry import retrying
from seasons.models import Member, Season
from seasons.services.drafting import draft, host_names_of
from seasons.services.roles import why_no_member

FIELDS = ("position", "user", "is_bot", "handle", "name", "team", "garnets", "priority", "blood_garnets")
MOST_MEMBERS = 200


@retrying
def change_cast(season: Season, host: Any, changes: Iterable[PlayerChange]) -> None:
    """Make all of these changes, or none of them; `player_id` is a member's. Raises `CommandRefused` with a sentence
    for each thing that is wrong."""
    with draft(season, host) as row:
        _checked(row, changes).store()


@retrying
def check_cast(season: Season, host: Any, changes: Iterable[PlayerChange]) -> None:
    """Raise what `change_cast` would raise, and change nothing."""
    with draft(season, host) as row:
        _checked(row, changes)


def _checked(season: Season, changes: Iterable[PlayerChange]) -> _Cast:
    cast = _Cast(season)
    for change in sorted(changes, key=lambda change: not change.remove):
        cast.take(change)
    cast.check()
    return cast


class _Cast:
    """The members of a locked draft, changed in memory."""

    def __init__(self, season: Season) -> None:
        self.season = season
        self.hosts = host_names_of(season)
        self.members = {member.pk: member for member in season.cast.select_related("user")}
        self.new: list[Member] = []
        self.changed: list[Member] = []
        self.removed: list[int] = []

    def everybody(self) -> list[Member]:
        return [*self.members.values(), *self.new]

    def take(self, change: PlayerChange) -> None:
        if change.player_id is None:
            member = Member(season=self.season)
            self.new.append(member)
        else:
            found = self.members.get(change.player_id)
            if found is None:
                raise CommandRefused("One of these members is not in the cast any more. Look at the current one.")
            if change.remove:
                del self.members[found.pk]
                self.removed.append(found.pk)
                return
            member = found
            self.changed.append(member)
        self._assign(member, change)

    def _assign(self, member: Member, change: PlayerChange) -> None:
        before = member.user_id
        for field, value in change.values.items():
            if field not in FIELDS:
                raise TypeError(f"a member has no {field}")
            setattr(member, field, value)
        if member.user_id != before:
            member.invite_nonce = new_nonce()  # links that were sent before no longer work
        others = [*(Names(each.handle, each.name) for each in self.everybody() if each is not member), *self.hosts]
        given = member.handle
        if not given:
            wanted = member.user.username if member.user else "bot" if member.is_bot else "member"
            member.handle = free_handle(wanted, others)
        if member.user is not None and not member.name:
            member.name = name_beside(given, member.user, others) if given else free_name(member.user, others)

    def check(self) -> None:
        """Raise one `CommandRefused` for everything that is wrong."""
        members = self.everybody()
        if found := list(dict.fromkeys([*self._impossible(members), *self._unclear(members)])):
            raise CommandRefused(" ".join(found))

    def _impossible(self, members: Sequence[Member]) -> Iterator[str]:
        if len(members) > MOST_MEMBERS:
            yield f"A season has at most {MOST_MEMBERS} members."
        people = Counter(member.user_id for member in members if member.user_id is not None)
        for member in members:
            try:
                member.clean_fields(exclude=["season", "user", "invite_nonce"])
            except ValidationError as error:
                messages = "; ".join(message for each in error.message_dict.values() for message in each)
                yield f"{member.handle or 'A member'}: {messages}"
            if member.user is not None and (why_not := why_no_member(self.season, member.user)):
                yield why_not
            if member.user_id is not None and people[member.user_id] > 1:
                yield f"{member.user} cannot be in the cast twice."
            if member.is_bot and member.user_id is not None:
                yield f"{member.handle} is a bot or a person, not both."

    def _unclear(self, members: Sequence[Member]) -> Iterator[str]:
        found = alike([*(Names(member.handle, member.name) for member in members), *self.hosts])
        for number, member in enumerate(members):
            if number in found:
                yield found[number][1]
            for name in (member.handle, member.name):
                try:
                    validate_visible(name)
                    validate_player_name(name)
                except ValidationError as error:
                    yield f"{member.handle}: {error.messages[0]}"

    def store(self) -> None:
        """Changed rows let go of handles and people first, so that two members can swap theirs."""
        self.season.cast.filter(pk__in=self.removed).delete()
        for member in self.changed:
            Member.objects.filter(pk=member.pk).update(handle=f"~{member.pk}", user=None)
        for member in self.changed:
            member.save(update_fields=[*FIELDS, "invite_nonce"])
        last = max((member.position for member in self.members.values()), default=-1)
        for member in self.new:
            if member.position <= last:
                member.position = last + 1
            last = member.position
            member.save(force_insert=True)
