"""What a link to a season shows in a chat: a title, and what is going on. All moments are absolute."""

from collections.abc import Mapping, Sequence

from django.templatetags.static import static

from matches.engine.sentences import counted, joined
from matches.models import Match
from matches.pages.context import Headline
from matches.pages.sharing import Preview, absolute
from matches.pages.texts import moment_in_words
from seasons.engine.state import DEATH_MATCH, ENDED, OPPONENT, SeasonState
from seasons.models import Season
from seasons.queries import standing
from seasons.queries.standing import CastLine, MatchLine, Now

_PLAYED = (Match.Status.OPEN, Match.Status.PAUSED)


PICTURE_ALT = "The sign of this site."


def headline_of(season: Season, state: SeasonState | None, cast: Sequence[CastLine]) -> Headline:
    """The line for a season, from what everybody may see of it. `cast`: its `standings`."""
    going = standing.going_on(season, state)
    names = {line.handle: line.name for line in cast}
    still_in = sum(line.status == "in" for line in cast)
    left = f"{still_in} of {counted(len(cast), 'member')} still in"
    if going.phase == "draft":
        return Headline("Upcoming", (counted(len(cast), "member"),))
    if going.phase == ENDED:
        ended = (moment_in_words(season.ended_at),) if season.ended_at else ()
        first = [line.name for line in cast if line.place == 1]
        won = f"{joined(first)} {'wins' if len(first) == 1 else 'share first place'}" if first else "nobody wins"
        return Headline("Ended", (won, *ended, counted(len(cast), "member")), winners=won)
    where, *details = _between_matches(going, names) or _played(standing.schedule(season))
    return Headline(where, (*details, left))


def _between_matches(going: Now, names: Mapping[str, str]) -> list[str]:
    """What follows from a match that is over; empty if nothing is to be done."""

    def named(handles: Sequence[str]) -> str:
        return joined([names.get(handle, handle) for handle in handles])

    if going.phase == OPPONENT:
        closes = [f"opponent to be named by {moment_in_words(going.closes)}"] if going.closes else []
        return [f"{named(going.candidates)} in danger", *closes]
    if going.phase == DEATH_MATCH:
        return ["Death Match", f"between {named(going.between)}"]
    return ["A match is over", "a host has yet to confirm its settlement"] if going.phase == "confirm" else []


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


# -- previews ------------------------------------------------------------------------------------------------

_PICTURE, _PICTURE_SIDE = "img/icon-512.png", 512


def picture_url() -> str:
    """The site's own picture, which stands beside links to seasons."""
    return absolute(static(_PICTURE))


def preview_of(season: Season, headline: Headline, path: str) -> Preview:
    """The preview of a page of a public season at `path`."""
    return Preview(
        title=f"{season.title} · {headline.short}",
        description=f"Season: {headline.line}",
        url=absolute(path),
        image=picture_url(),
        alt=PICTURE_ALT,
        width=_PICTURE_SIDE,
        height=_PICTURE_SIDE,
    )
