"""What is going on in a season, in one line for everybody: titles of links and pictures. All moments are absolute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matches.engine.sentences import counted, joined
from matches.models import Match
from matches.pages.durations import moment_in_words
from matches.pages.headline import Headline
from seasons.engine.state import DEATH_MATCH, ENDED, OPPONENT
from seasons.models import Member, Season
from seasons.queries.standing import CastLine, MatchLine, Now

_PLAYED = (Match.Status.OPEN, Match.Status.PAUSED)


def headline_of(season: Season, cast: Sequence[CastLine], matches: Sequence[MatchLine], going: Now) -> Headline:
    """The line for a season, from what everybody may see of it."""
    names = {line.handle: line.name for line in cast}
    still_in = sum(line.status == Member.Status.IN for line in cast)
    left = f"{still_in} of {counted(len(cast), 'member')} in"
    if going.phase == "draft":
        return Headline("Coming", (counted(len(cast), "member"),))
    if going.phase == ENDED:
        ended = (moment_in_words(season.ended_at),) if season.ended_at else ()
        won = _winners(cast)
        return Headline("Ended", (won, *ended, counted(len(cast), "member")), winners=won)
    where, *details = _between_matches(going, names) or _played(matches)
    return Headline(where, (*details, left))


def _winners(cast: Sequence[CastLine]) -> str:
    won = [line.name for line in cast if line.place == 1]
    return f"{joined(won)} {'wins' if len(won) == 1 else 'share the first place'}" if won else "nobody wins"


def _between_matches(going: Now, names: Mapping[str, str]) -> list[str]:
    """What follows from a match that is over; empty if nothing is to be done."""

    def named(handles: Sequence[str]) -> str:
        return joined([names.get(handle, handle) for handle in handles])

    if going.phase == OPPONENT:
        closes = [f"opponent named until {moment_in_words(going.closes)}"] if going.closes else []
        return [f"{named(going.candidates)} in danger", *closes]
    if going.phase == DEATH_MATCH:
        return ["Death Match", f"between {named(going.between)}"]
    return ["A match is over", "its settlement is to be confirmed"] if going.phase == "confirm" else []


def _played(matches: Sequence[MatchLine]) -> list[str]:
    """The matches that are being played, else the one that comes next."""
    playing = [line for line in matches if line.status in _PLAYED]
    if playing:
        more = [f"and {len(playing) - 1} more being played"] if playing[1:] else []
        return [f"Match {playing[0].number}", playing[0].title, *more]
    coming = [line for line in matches if line.status == Match.Status.SCHEDULED]
    if not coming:
        return ["Between matches"]
    begins = [f"begins {moment_in_words(coming[0].starts_at)}"] if coming[0].starts_at else []
    return [f"Match {coming[0].number}", coming[0].title, *begins]
