"""The feed of a match: announcements in words, with the names that players had then."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from matches.engine.step import EVERYONE
from matches.engine.step import Announcement as RulesAnnouncement
from matches.infra.local_cache import LocalCache
from matches.models import Announcement, Match, Player
from matches.queries.match_info import Instant
from matches.queries.names import NamesNow, names_in_data, names_now, set_apart, shown_in
from matches.queries.paging import Page, UnknownPlace, page_of

Names = Mapping[str, str]
"""Handle -> the name to show."""


class FeedLine(msgspec.Struct, kw_only=True):
    """A piece of news. `mine`: for you alone. `player`: who did it. `involved`: all players it names."""

    token: str
    kind: str
    text: str
    at: Instant
    mine: bool
    player: str | None
    lot: str | None
    involved: tuple[str, ...]


class ToldLine(FeedLine, kw_only=True):
    """A line of the feed for templates. `pieces`: the text cut at names, alternately a piece of text and the handle of
    a named player. `then`: handle -> the name at the time of the announcement, if it is another one now."""

    pieces: tuple[str, ...]
    then: Names = {}


def feed(match: Match, player: Player | None, limit: int = 50) -> list[ToldLine]:
    """The latest announcements to everyone and to this player as lines, newest first."""
    return lines_of(match, announcements_for(match, player, limit), names_in(match))


def private_lines(match: Match, player: Player, limit: int = 20) -> list[ToldLine]:
    """The latest announcements to this player alone as lines, newest first."""
    return lines_of(match, list(player.announcements.order_by("-pk")[:limit]), names_in(match))


def announcements_for(match: Match, player: Player | None, most: int, after: str = "") -> list[Announcement]:
    """The latest announcements to everyone and to this player, newest first; with `after` those older than the one with
    that token. Raises `UnknownPlace` if there is no such token among them."""
    # One query for each audience, which an index has in order; with an OR the database would read all of them.
    audiences = [match.announcements.filter(audience=EVERYONE)]
    if player is not None:
        audiences.append(Announcement.objects.filter(player=player))
    if after:
        places = [place for each in audiences for place in each.filter(token=after).values_list("pk")]
        if not places:
            raise UnknownPlace
        audiences = [each.filter(pk__lt=places[0][0]) for each in audiences]
    found = [item for each in audiences for item in each.order_by("-pk")[:most]]
    return sorted(found, key=lambda item: -item.pk)[:most]


_WHO_PLAYED = ("place_taken_over", "player_withdrawn", "bot_plays", "person_plays")


def who_played(match: Match) -> list[ToldLine]:
    """The changes of who plays while the match ran (substitutes, withdrawals, bots) as lines, oldest first."""
    found = match.announcements.filter(audience=EVERYONE, kind__in=_WHO_PLAYED).order_by("pk")
    names = names_in(match)
    return lines_of(match, list(found), names)


def feed_page(match: Match, player: Player | None, after: str, most: int) -> Page[ToldLine]:
    """A page of all announcements to everyone and to this player as lines. Raises `UnknownPlace`."""
    page = page_of(announcements_for(match, player, most + 1, after), most, lambda item: item.token)
    return Page(lines_of(match, page.items, names_in(match)), page.last)


def lines_of(match: Match, items: Sequence[Announcement], names: Names) -> list[ToldLine]:
    """Announcements as lines, with the names that players had then: the person who now has a place did not do what was
    done there before."""
    now = names_now(match, (name for item in items for name in names_in_data(item.data)))
    left = _names_left(match, names, items) if items else ()
    lines = []
    for item in items:
        then = _then((each for each in left if each.announcement > item.pk), names)
        line = feed_line(match, item, {**names, **then} if then else names, now)
        line.then = then
        lines.append(line)
    return lines


class _Left(NamedTuple):
    """A change of hands of a place: the id of its announcement, the number of its row in the log, the place's handle,
    and the name that was shown until then."""

    announcement: int
    row: int
    handle: str
    name: str


class NamesThen:
    """The names of players at each point of a match, as places may have changed hands."""

    def __init__(self, match: Match) -> None:
        self.now = names_in(match)
        self._left = _read_left(match)

    def changed(self, row: int) -> Names:
        """Handle -> name at a row of the log (by number), only for players who have another name now."""
        return _then((each for each in self._left if each.row > row), self.now)

    def at(self, row: int) -> Names:
        """Everybody's names at a row of the log (by number)."""
        return {**self.now, **self.changed(row)}

    def changed_since(self, item: Announcement) -> Names:
        """Handle -> name at an announcement, only for players who have another name now."""
        return _then((each for each in self._left if each.announcement > item.pk), self.now)


_CHANGES = ("place_taken_over", "player_withdrawn")


def _names_left(match: Match, names: Names, items: Sequence[Announcement]) -> tuple[_Left, ...]:
    """The names that are no longer shown, oldest first. Cached until names change or one of these announcements tells
    of a change that is not cached yet."""
    key, changes = (
        (match.public_id, match.announcements_version, *names.items()),
        {item.pk for item in items if item.kind in _CHANGES},
    )
    known = _left.get(key)
    if known is None or not changes <= {each.announcement for each in known}:
        known = _read_left(match)
        _left.keep(key, known)
    return known


def _read_left(match: Match) -> tuple[_Left, ...]:
    told = match.announcements.filter(audience=EVERYONE, kind__in=_CHANGES).order_by("pk")
    found = [
        _Left(pk, row, data["player"], data.get("left") or data.get("was", ""))
        for pk, row, data in told.values_list("pk", "submission__number", "data")
    ]
    now = names_now(match, (each.name for each in found))
    return tuple(each._replace(name=set_apart(now.get(each.name, each.name))) for each in found)


def _then(later: Iterable[_Left], names: Names) -> Names:
    """Handle -> the name before the first of these `later` changes, if it is another one than now."""
    then: dict[str, str] = {}
    for each in later:
        if each.name:
            then.setdefault(each.handle, each.name)
    return {handle: name for handle, name in then.items() if handle in names and names[handle] != name}


_left: LocalCache[tuple[object, ...], tuple[_Left, ...]] = LocalCache(1024)


def feed_line(match: Match, item: Announcement, names: Names, now: NamesNow | None = None) -> ToldLine:
    """An announcement as a line. `now`: what to show instead of names of deleted accounts."""
    announced = RulesAnnouncement(item.audience, item.kind, shown_in(item.data, now or {}))
    # Collected from the sentence, because other words in the data may look like handles.
    named: dict[str, None] = {}

    def name(handle: str) -> str:
        named[handle] = None
        return marked(handle) if handle in names else handle

    pieces = cut_at_names(match.rules.describe(announced, name))
    text = _joined(pieces, names)
    player = item.data.get("player")
    if player is not None:
        named.setdefault(player)
    return ToldLine(
        token=item.token,
        kind=item.kind,
        text=text,
        at=item.at,
        mine=item.audience != EVERYONE,
        player=player,
        lot=match.rules.lot_of(announced),
        involved=tuple(handle for handle in named if handle in names),
        pieces=pieces,
    )


# These enclose a handle in a sentence until its name is filled in; nobody can type them.
_BEFORE_NAME, _AFTER_NAME = "\x02", "\x03"
_NAMED = re.compile(f"{_BEFORE_NAME}([^{_AFTER_NAME}]*){_AFTER_NAME}")


def marked(handle: str) -> str:
    """A handle with marks around it, for a sentence in which `cut_at_names` must find it."""
    return f"{_BEFORE_NAME}{handle}{_AFTER_NAME}"


def cut_at_names(sentence: str) -> tuple[str, ...]:
    """A sentence cut at its marked handles: alternately a piece of text and a handle."""
    return tuple(_NAMED.split(sentence))


def named(sentence: str, names: Names) -> str:
    """A sentence with names in place of its marked handles."""
    return _joined(cut_at_names(sentence), names)


def _joined(pieces: Sequence[str], names: Names) -> str:
    return "".join(names.get(piece, piece) if place % 2 else piece for place, piece in enumerate(pieces))


def names_in(match: Match) -> Names:
    """Handle -> the name to show in sentences, for all players of a match."""
    return {player.handle: set_apart(player.shown_name) for player in match.players.all()}


def describe_for_hosts(item: Announcement) -> str:
    """One announcement in words, for the hosts' lists."""
    return lines_of(item.match, [item], {})[0].text
