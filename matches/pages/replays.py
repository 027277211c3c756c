"""The frames of a replay: the parts of a match's page at each of its moments.

Browsers get frames in rolls. The first frame of a roll is complete; each of the others has only the parts that differ
from the frame before it. So any moment opens quickly, and playing on costs little.
"""

import re
from bisect import bisect_right
from collections.abc import Hashable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from django.template.loader import render_to_string

from matches.infra.local_cache import LocalCache
from matches.models import Match, Player, clock
from matches.pages.context import MatchContext, People, people_of
from matches.pages.rendering import Parts, panel_of, table_parts
from matches.queries import feed, match_info
from matches.queries.access import Viewer
from matches.queries.replays import Moment, moments_for, viewpoints
from matches.services.draws import FixedDraw

ROLL = 32
"""The number of frames in a roll."""

_TO_ACT = re.compile(r' href="\?[^"]*#act"')


class Frame(msgspec.Struct, frozen=True):
    """A moment as it is shown. `row`: its row in the log; `at`: UTC; `when` and `told`: the same moment and what
    happened, in words; `parts`: all of them, or those that differ from the frame before."""

    row: int
    at: datetime
    when: str
    told: tuple[str, ...]
    parts: Parts


class Replay:
    """A finished match as one viewer sees it, or as the player `handle` saw it. Raises `NoReplay`, and `LookupError`
    for a player whose view this viewer may not see."""

    def __init__(self, viewer: Viewer, handle: str = "", *, at_once: bool = True) -> None:
        self.match: Match = viewer.match
        self.moments: Sequence[Moment] = moments_for(viewer, handle, at_once=at_once)
        self.player: Player | None = next((each for each in self.match.players.all() if each.handle == handle), None)
        self.at_once = at_once
        self._people = people_of(self.match)
        self._names = feed.NamesThen(self.match)
        self._fixed: tuple[FixedDraw, ...] = match_info.fixed_in(self.match)
        self._rows = [moment.row for moment in self.moments]

    def index_at(self, row: int) -> int:
        """Return the index of the frame shown at a row of the log: the last one that is not later."""
        return max(bisect_right(self._rows, row) - 1, 0)

    def parts(self, index: int) -> Parts:
        """Render all parts of the page at a moment."""
        moment = self.moments[index]
        with clock.fixed(moment.at):
            shown = _Shown(moment, self._people.then(self._names.changed(moment.row)), self._fixed)
            parts = table_parts(moment.scene, shown)
            if self.player is not None:
                parts["panel"] = panel_of(moment.scene, shown, self.player)
            if self.at_once and self.player is None:
                parts["sealed"] = self._sealed(moment, shown.people)
            return {name: to_look_at(text) for name, text in parts.items()}

    def _sealed(self, moment: Moment, people: People) -> str:
        sealed = [(people.get(player), in_words(what)) for player, what in moment.sealed.items()]
        return render_to_string("matches/parts/sealed.html", {"sealed": sealed}) if sealed else ""

    def frame(self, index: int, before: Parts | None = None) -> Frame:
        """Return a frame, without the parts that are the same in `before`."""
        moment = self.moments[index]
        parts = {name: text for name, text in self.parts(index).items() if (before or {}).get(name) != text}
        return Frame(moment.row, moment.at, exact_moment(moment.at), self.sentences(moment), parts)

    def roll(self, number: int) -> list[Frame]:
        """Return a roll of frames; the first has number 0. Empty after the end."""
        frames: list[Frame] = []
        shown: Parts = {}
        for index in range(number * ROLL, min((number + 1) * ROLL, len(self.moments))):
            frames.append(self.frame(index, shown))
            shown |= frames[-1].parts
        return frames

    def sentences(self, moment: Moment) -> tuple[str, ...]:
        """Return what happened at a moment, in sentences."""
        names = self._names.at(moment.row)
        lines = [line.text for line in feed.lines_of(self.match, moment.told, self._names.now)]
        lines += [
            self.match.rules.describe(item, lambda handle: names.get(handle, handle)) for item in moment.told_alone
        ]
        lines += list(_sealings(moment, names))
        if not lines and moment.act is not None:
            player, action = moment.act
            lines = [f"{names.get(player, player)}: {in_words(action)}."]
        return tuple(lines) or ("The board changes.",)


def _sealings(moment: Moment, names: feed.Names) -> Iterator[str]:
    for player, what in moment.sealing:
        name = names.get(player, player)
        yield f"{name} takes back what they sealed." if what is None else f"{name} seals {in_words(what)}."


class _Shown(MatchContext):
    """The template context of a moment."""

    def __init__(self, moment: Moment, people: People, fixed: tuple[FixedDraw, ...]) -> None:
        super().__init__(moment.scene, moment.at, people)
        self.__dict__["info"] = match_info.page_info_of(moment.scene.match, fixed)


_rolls: LocalCache[Hashable, bytes] = LocalCache(32_000_000, len)


def encoded(viewer: Viewer, handle: str, number: int, *, at_once: bool) -> bytes:
    """Return a roll of frames as JSON, from the cache if possible. Raises `NoReplay`, and `LookupError` as `Replay`
    does or for a roll that does not exist."""
    match = viewer.match
    if handle not in ("", *viewpoints(viewer)):
        raise LookupError(handle)
    own = viewer.player is not None and viewer.player.handle == handle
    # Names, and with them the texts, may still change: those of players, and (noted in the announcements' version) of
    # people who have left or looked after the match and delete their accounts.
    names = (people_of(match).key, match.announcements_version)
    key = (match.public_id, match.log_head, handle, own, at_once, number, *names)
    known = _rolls.get(key)
    if known is None:
        frames = Replay(viewer, handle, at_once=at_once).roll(number)
        if not frames:
            raise LookupError(number)
        known = msgspec.json.encode(frames)
        _rolls.keep(key, known)
    return known


def to_look_at(html: str) -> str:
    """Return the HTML without links to forms, since nobody can act in a replay."""
    return _TO_ACT.sub("", html)


def exact_moment(at: datetime) -> str:
    """Return a moment as “Sat 21 Nov 2026, 14:00:05 UTC”."""
    at = at.astimezone(UTC)
    return f"{at:%a} {at.day} {at:%b} {at.year}, {at:%H:%M:%S} UTC"


def in_words(value: Any) -> str:
    """Return anything that was sealed or sent in words, leaving out what is empty, zero or false."""
    if isinstance(value, Mapping):
        kind = str(value.get("type", "")).replace("_", " ")
        said = [_entry(str(key), each) for key, each in value.items() if key != "type" and _says(each)]
        return ", ".join(filter(None, (kind, *said))) or "nothing"
    if isinstance(value, list | tuple):
        return ", ".join(in_words(each) for each in value) or "nothing"
    return str(value)


def _entry(key: str, value: Any) -> str:
    key = key.replace("_", " ")
    if value is True:
        return key
    return f"{key} ({in_words(value)})" if isinstance(value, Mapping | list | tuple) else f"{key}: {in_words(value)}"


def _says(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(map(_says, value.values()))
    return bool(value)
