"""Reading hosts' notes and players' questions of a match, for those who may know them."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import msgspec
from django.db.models import Count, Prefetch, prefetch_related_objects
from django.utils.text import Truncator

from matches.engine.sentences import unmarked
from matches.infra.structs import filled
from matches.models import HostNote, Match, MatchRole, NotesRead, Player, Question
from matches.queries.names import NamesNow, names_now

_IN_SHORT = 160

ROLES: "Prefetch[Any]" = Prefetch("roles", MatchRole.objects.select_related("user"))
"""For `prefetch_related`: what `hosts_of` needs of matches."""


class NoteVersion(msgspec.Struct, frozen=True):
    """A note as everybody reads it. `token` names it. `corrects`: the token of the note it replaced. Nobody learns
    who asked the question that it answers."""

    token: str
    kind: str
    text: str
    question: str
    host: str
    at: datetime
    corrects: str | None
    withdrawn_at: datetime | None
    withdrawn_by: str
    withdrawn_because: str

    @property
    def is_withdrawn(self) -> bool:
        return self.withdrawn_at is not None

    @property
    def is_clarification(self) -> bool:
        return self.kind == HostNote.Kind.CLARIFICATION

    @property
    def in_short(self) -> str:
        """The kind of note and its first words, in one line."""
        what = "Withdrawn" if self.is_withdrawn else HostNote.Kind(self.kind).label
        return Truncator(f"{what}: {' '.join(unmarked(self.text).split())}").chars(_IN_SHORT)

    @property
    def since(self) -> datetime:
        """When this version was made or withdrawn."""
        return self.withdrawn_at or self.at


class Note(msgspec.Struct, frozen=True):
    """The current version of a note, and those that it replaced, latest first."""

    now: NoteVersion
    before: tuple[NoteVersion, ...]


def versions_of(match: Match) -> list[NoteVersion]:
    """All notes of a match, the oldest first, including corrected and withdrawn versions."""
    notes = list(match.notes.select_related("corrects").order_by("pk"))
    now = names_now(match, (name for note in notes for name in (note.host, note.withdrawn_by)))
    return [_version(note, now) for note in notes]


def _version(note: HostNote, now: NamesNow) -> NoteVersion:
    return filled(
        NoteVersion,
        note,
        question=note.asked,
        host=now.get(note.host, note.host),
        corrects=note.corrects.token if note.corrects else None,
        withdrawn_by=now.get(note.withdrawn_by, note.withdrawn_by),
    )


def notes_of(match: Match) -> list[Note]:
    """The notes of a match with their earlier versions, the one that changed last first."""
    said = {version.token: version for version in versions_of(match)}
    corrected = {version.corrects for version in said.values()}
    # Reversed, so that of notes of the same moment the later one comes first.
    present = [version for version in reversed(said.values()) if version.token not in corrected]
    notes = [Note(version, tuple(_chain(said, version))) for version in present]
    return sorted(notes, key=lambda note: -note.now.since.timestamp())


def _chain(said: dict[str, NoteVersion], version: NoteVersion) -> Iterable[NoteVersion]:
    while version.corrects is not None:
        version = said[version.corrects]
        yield version


def read_until(match: Match, user: Any) -> datetime | None:
    """The instant up to which this person has read the notes; None if never, and for visitors."""
    if not user.is_authenticated or not match.announcements_version:  # most matches have no notes
        return None
    return NotesRead.objects.filter(match=match, user=user).values_list("until", flat=True).first()


class OwnQuestion(msgspec.Struct, frozen=True):
    """A question as the person who asked it reads it. `answer` is empty until it is answered. If the answer is a note
    to everybody, `answer` stays empty and `note` is its token."""

    token: str
    text: str
    at: datetime
    answered_at: datetime | None
    answered_by: str
    answer: str
    note: str | None


def own_questions(match: Match, player: Player) -> list[OwnQuestion]:
    """The questions of the person who now has this place, the latest first; not those of earlier persons."""
    found = list(match.questions.filter(user_id=player.user_id or 0).select_related("note").order_by("-pk"))
    now = names_now(match, (each.answered_by for each in found))
    return [
        filled(
            OwnQuestion,
            each,
            answered_by=now.get(each.answered_by, each.answered_by),
            note=each.note.token if each.note else None,
        )
        for each in found
    ]


def questions_for_hosts(match: Match) -> list[Question]:
    """For hosts only: every question with its answer; first the open ones, oldest first, then the latest answered."""
    found = list(match.questions.select_related("note").order_by("pk"))
    is_open = [each for each in found if each.answered_at is None]
    answered = [each for each in found if each.answered_at is not None]
    return [*is_open, *reversed(answered)]


def open_questions_in(matches: Iterable[Match]) -> dict[int, int]:
    """For hosts only: the match's id -> how many questions wait for an answer; matches without any are left out."""
    waiting = Question.objects.filter(match__in=list(matches), answered_at=None).order_by().values_list("match")
    return dict(waiting.annotate(count=Count("pk")))


def hosts_of(match: Match) -> tuple[str, ...]:
    """The usernames of a match's hosts, which are public."""
    prefetch_related_objects([match], ROLES)
    return tuple(sorted(held.user.username for held in match.roles.all() if held.role in MatchRole.ACTING))
