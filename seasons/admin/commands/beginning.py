"""Beginning and ending a season, or deleting one that has not begun."""

from __future__ import annotations

from matches.engine.sentences import counted
from seasons.admin.commands.base import SeasonCommand, SeasonForm, SeasonRequest, foreseen, is_running, public_reason
from seasons.engine.state import LEAST_CAST
from seasons.models import Season
from seasons.services import drafting, ending, running


def _begin_words(request: SeasonRequest) -> list[str]:
    cast = list(request.season.cast.all())
    said = [f"“{request.season}” begins now with {counted(len(cast), 'member')}, and everyone can see it."]
    if free := sum(member.is_open for member in cast):
        are = counted(free, "place is", "places are")
        said.append(f"{are} open; their invitations go on working, and in a match bots can play for them.")
    said.append("Its settings, its cast and what they begin with are fixed. Later changes are bookings with a reason.")
    if len(cast) < LEAST_CAST:
        said.append(f"That will be refused: a season has at least {counted(LEAST_CAST, 'member')}.")
    return said


def _begin(request: SeasonRequest) -> str:
    running.begin(request.season, request.host, key=request.key)
    return "The season has begun. Make its first match."


class EndForm(SeasonForm):
    """Why, where matches have to be cancelled for it."""

    reason = public_reason()

    def prepare(self) -> None:
        if not ending.going(self.season):
            del self.fields["reason"]


def _end_words(request: SeasonRequest) -> list[str]:
    matches = ending.going(request.season)
    told = [f"“{match}” is cancelled. What its players brought into it goes back to them." for match in matches]
    if not matches:
        told = foreseen(request.season, running.foresee(request.season, request.host, {"end": True}))
    return [*told, "All who are in share the first place. This cannot be undone."]


def _end(request: SeasonRequest) -> str:
    ending.end(request.season, request.host, request.values.get("reason", ""), key=request.key)
    return "The season has ended."


def _delete_words(request: SeasonRequest) -> list[str]:
    return [f"The draft “{request.season}” and its cast are erased. Invitations to it no longer work."]


def _delete(request: SeasonRequest) -> str:
    title = str(request.season)
    drafting.delete_draft(request.season, request.host)
    return f"“{title}” is deleted."


BEGIN = SeasonCommand(
    "begin",
    "Begin the season",
    "hourglass",
    lambda season, state: season.status == Season.Status.DRAFT,
    _begin_words,
    _begin,
)
END = SeasonCommand("end", "End the season…", "gavel", is_running, _end_words, _end, EndForm, danger=True)
DELETE = SeasonCommand(
    "delete",
    "Delete",
    "x",
    lambda season, state: season.status == Season.Status.DRAFT,
    _delete_words,
    _delete,
    danger=True,
    for_owner=True,
)
