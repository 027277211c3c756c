"""What is going on in a match, in one line for everybody: titles of links, pictures, recaps.

“Round 2 of 4 · closes Sun 22 Nov, 21:00 UTC · 8 players”. All moments are absolute, so the line stays true until
something happens.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from matches.engine.core import DECISION, FINISHED
from matches.engine.sentences import counted, joined
from matches.models import Match
from matches.pages.context import People
from matches.pages.durations import moment_in_words
from matches.queries.matches import MatchInfo, Position, info_of
from matches.queries.names import set_apart

_MOST_NAMES = 4


@dataclass(frozen=True, slots=True)
class Headline:
    """`where`: the phase or round; `details`: what else to say, most important first; `closes`: a moment with what
    happens at it; `winners`: who has won. These two are among the details as well, and empty if there is none."""

    where: str
    details: tuple[str, ...]
    closes: str = ""
    winners: str = ""

    @property
    def short(self) -> str:
        """The one thing that a title has room for."""
        return self.winners or self.where

    @property
    def line(self) -> str:
        """All of it."""
        return " · ".join((self.where, *self.details))


def headline_of(position: Position, people: People) -> Headline:
    """The line for a match."""
    match, view = position.match, position.public
    info = info_of(match)
    players = counted(len(people), "player")
    ended = moment_in_words(info.finished_at) if info.finished_at else ""
    if match.status == Match.Status.CANCELLED:
        return Headline("Cancelled", tuple(filter(None, (ended, players))))
    if view is None:
        return _coming(info, players, len(people))
    progress = match.rules.progress(view)
    won = _winners(view.winners, people) if view.phase in (DECISION, FINISHED) else ""
    if match.status == Match.Status.FINISHED:
        return Headline(progress.where, tuple(filter(None, (won, ended, players))), winners=won)
    if match.status == Match.Status.PAUSED:
        # Its deadline moves with every moment of the pause.
        return Headline(f"Paused: {progress.where}", tuple(filter(None, (won, players))), winners=won)
    closes = ""
    if progress.until and view.next_deadline is not None:
        instant = match.clock.instant(timedelta(seconds=view.next_deadline))
        closes = f"{progress.until} {moment_in_words(instant)}" if instant else ""
    return Headline(progress.where, tuple(filter(None, (won, closes, players))), closes, won)


def _coming(info: MatchInfo, players: str, count: int) -> Headline:
    taken = f"{count} of {info.places} places taken" if info.open_to_join else players
    if info.start_problem:
        return Headline("It did not begin", ("its hosts can set another start", taken))
    if info.starts_at is None:
        return Headline("Coming", (taken,))
    begins = f"begins {moment_in_words(info.starts_at)}"
    return Headline("Coming", (begins, taken), begins)


def _winners(handles: tuple[str, ...], people: People) -> str:
    if not handles:
        return "nobody wins"
    names = [set_apart(people.name(handle)) for handle in handles]
    if len(names) > _MOST_NAMES:
        names = [*names[: _MOST_NAMES - 1], f"{len(names) - _MOST_NAMES + 1} others"]
    return f"{joined(names)} {'wins' if len(handles) == 1 else 'win'}"
