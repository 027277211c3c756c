"""The story of a finished match, with dates and names: its turning points, and a line about each player."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec
import structlog

from matches.engine.step import Announcement as RulesAnnouncement
from matches.engine.story import Story, TurningPoint
from matches.infra.local_cache import LocalCache
from matches.models import Announcement, Match
from matches.queries import feed
from matches.queries.matches import Position

logger = structlog.get_logger(__name__)

_MOST_TOLD = 3000
_MOST_STORIES = 128


class DatedTurningPoint(msgspec.Struct, frozen=True):
    """A turning point. `at`: when it was announced; None if it is not about an announcement. `then`: handle -> the name
    at that time, for players who have another name now."""

    what: str
    text: str
    players: tuple[str, ...]
    at: datetime | None
    then: feed.Names


class DatedStory(msgspec.Struct, frozen=True):
    """A story. `lines`: handle -> how the match went for that player; winners first, others in the rules' order."""

    turning_points: tuple[DatedTurningPoint, ...] = ()
    lines: Mapping[str, str] = {}


_NOTHING = DatedStory()
_stories: LocalCache[tuple[object, ...], DatedStory] = LocalCache(_MOST_STORIES)


def story_of(position: Position) -> DatedStory:
    """The story of a match; empty before it is finished, because it is made from what is public only then. Each process
    caches it until a name changes."""
    match, view, outcome = position.match, position.public, position.outcome
    if view is None or outcome is None:
        return _NOTHING
    names = feed.NamesThen(match)
    key = (match.public_id, match.log_head, match.announcements_version, *names.now.items())
    known = _stories.get(key)
    if known is not None:
        return known
    told = list(reversed(feed.announcements_for(match, None, _MOST_TOLD)))
    heard = [RulesAnnouncement(item.audience, item.kind, item.data) for item in told]
    try:
        found: Story = match.rules.story(view, outcome, heard, feed.marked)
    except Exception:  # the page of the result must work even if the story fails
        logger.exception("story_failed", match=match.public_id)
        return _NOTHING
    turning_points = tuple(_dated(match, each, told, names) for each in found.turning_points)
    lines = {
        handle: feed.named(line, names.now)
        for handle, line in sorted(found.lines.items(), key=lambda each: each[0] not in outcome.winners)
    }
    story = DatedStory(turning_points, lines)
    _stories.keep(key, story)
    return story


def _dated(match: Match, point: TurningPoint, told: Sequence[Announcement], names: feed.NamesThen) -> DatedTurningPoint:
    """A turning point with the names of its time; for one that is about a round, those when the next round began."""
    about = None if point.announcement is None else told[point.announcement]
    then = about or next(
        (item for item in told if point.round is not None and _is_after(match, item, point.round)), None
    )
    changed = {} if then is None else names.changed_since(then)
    text = feed.named(point.text, {**names.now, **changed})
    return DatedTurningPoint(point.what, text, point.players, None if about is None else about.at, changed)


def _is_after(match: Match, item: Announcement, number: int) -> bool:
    """Whether the next round begins with this announcement."""
    return match.rules.begins_chapter(item.kind) and bool(item.data.get("round") == number + 1)
