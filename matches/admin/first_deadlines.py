"""When the first deadlines of a match would come, in the zone of everybody who plays or hosts, beside UTC."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime, tzinfo
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import structlog

from accounts.validators import is_time_zone
from matches.admin import preview
from matches.engine.errors import ConfigError
from matches.models import Match

logger = structlog.get_logger(__name__)

_SHOWN = 4
_NIGHT_ENDS = 7


class ZoneTime(NamedTuple):
    """A time in one zone; at night most people sleep."""

    text: str
    at_night: bool


class ZoneLine(NamedTuple):
    """A zone, who lives in it, and each of the times there."""

    zone: str
    people: list[str]
    moments: list[ZoneTime]


class FirstDeadlines(NamedTuple):
    """`labels` name the times: the beginning, then what begins at each deadline."""

    labels: list[str]
    lines: list[ZoneLine]


def first_deadlines(match: Match, starts_at: datetime) -> FirstDeadlines | None:
    """The beginning and the first deadlines of a match that starts at this instant and in which nobody acts; None where
    the rules cannot play it as it is."""
    try:
        scenes = preview.rehearsed(match, match.config, _SHOWN + 1).scenes
    except ConfigError:
        return None
    except Exception:  # whatever a game's rules raise, publishing says what is wrong
        logger.exception("first_deadlines_failed", game=match.game)
        return None
    later = [scene for scene in scenes if scene.time]
    moments = [starts_at, *(starts_at + scene.time / match.speed for scene in later)]
    zones = _zones(match)
    lines = [_line("UTC", UTC, zones.pop("UTC", []), moments)]
    lines += [_line(zone, ZoneInfo(zone), people, moments) for zone, people in zones.items()]
    return FirstDeadlines(["Begins", *(scene.label for scene in later)], lines)


def _zones(match: Match) -> dict[str, list[str]]:
    """Zone -> who has it: players by handle, hosts by username. In the order of how many live there."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for player in match.players.filter(user__isnull=False).select_related("user").order_by("position", "pk"):
        found[_zone_of(player.user)].append(player.handle)
    for host in match.hosts.order_by("username"):
        found[_zone_of(host)].append(f"{host.username} (host)")
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def _zone_of(person: Any) -> str:
    return person.time_zone if is_time_zone(person.time_zone) else "UTC"


def _line(zone: str, tz: tzinfo, people: list[str], moments: list[datetime]) -> ZoneLine:
    local = [at.astimezone(tz) for at in moments]
    return ZoneLine(
        zone.replace("_", " "),
        people,
        [ZoneTime(f"{at:%a} {at.day} {at:%b}, {at:%H:%M}", _sleeps(at, people)) for at in local],
    )


def _sleeps(at: datetime, people: list[str]) -> bool:
    return bool(people) and at.hour < _NIGHT_ENDS
