"""The feed of a match and people's notices: announcements in words, for those to whom they were told."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from matches.engine.step import EVERYONE
from matches.engine.step import Announcement as RulesAnnouncement
from matches.models import Announcement, Match, Player
from matches.queries.paging import Page, UnknownPlace, first_of, page_of
from matches.services.storage import sql

Names = Mapping[str, str]
"""A match's handles, each with the name to show."""


class FeedLine(msgspec.Struct):
    """One announcement for one viewer. `mine`: told to this viewer alone; `token`: its id.

    `player`: who did it; `involved`: all players that it names; `lot`: what it is about.
    """

    token: str
    kind: str
    text: str
    at: datetime
    mine: bool
    player: str | None
    lot: str | None
    involved: tuple[str, ...]


def feed(match: Match, player: Player | None, limit: int = 50) -> list[FeedLine]:
    """The latest that was told to everyone, and to this player, newest first."""
    if player is None:
        return _latest(match, limit, "audience = %s", EVERYONE)
    return _latest(match, limit, "(audience = %s OR player_id = %s)", EVERYONE, player.pk)


def private_lines(match: Match, player: Player, limit: int = 20) -> list[FeedLine]:
    """What was told to this player and not to everyone, newest first."""
    return _latest(match, limit, "player_id = %s", player.pk)


class _Told(NamedTuple):
    names: Names
    last: int
    lines: tuple[FeedLine, ...]


_told: dict[tuple[object, ...], _Told] = {}
_MOST_TOLD = 2048


def _latest(match: Match, limit: int, where: str, *values: object) -> list[FeedLine]:
    """The latest lines for whom `where` and `values` say. Each is put into words once for them, as long as everybody
    has the same name: what was told never changes, and of one match it is stored in the order of its ids."""
    key, names = (match.public_id, limit, where, *values), names_in(match)
    known = _told.get(key)
    if known is None or known.names != names:
        known = _Told(names, 0, ())
    new = sql.fetch(
        Announcement,
        f"match_id = %s AND id > %s AND {where} ORDER BY id DESC LIMIT {limit}",
        match.pk,
        known.last,
        *values,
    )
    if new:
        lines = (*(feed_line(match, item, names) for item in new), *known.lines)
        known = _Told(names, new[0].pk, lines[:limit])
    if len(_told) >= _MOST_TOLD:
        _told.clear()
    _told[key] = known
    return list(known.lines)


def told(match: Match, player: Player | None, most: int, after: str = "") -> list[Announcement]:
    """The latest announcements to everyone and to this player, newest first; with `after` those before the one with
    that token. Raises `UnknownPlace` for a token of none of them."""
    # Asked for one audience at a time, each of which an index has in order: with an OR all of them would be read.
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


def told_page(match: Match, player: Player | None, after: str, most: int) -> Page[FeedLine]:
    """A page of everything that was told to everyone and to this player. Raises `UnknownPlace`."""
    page, names = page_of(told(match, player, most + 1, after), most, lambda item: item.token), names_in(match)
    return Page([feed_line(match, item, names) for item in page.items], page.last)


def feed_line(match: Match, item: Announcement, names: Names) -> FeedLine:
    """An announcement in words."""
    announced = RulesAnnouncement(item.audience, item.kind, item.data)
    # Taken from the sentence, because other words in the data may look like handles.
    named: dict[str, None] = {}

    def name(handle: str) -> str:
        named[handle] = None
        return names.get(handle, handle)

    text = match.rules.describe(announced, name)
    player = item.data.get("player")
    if player is not None:
        named.setdefault(player)
    return FeedLine(
        token=item.token,
        kind=item.kind,
        text=text,
        at=item.at,
        mine=item.audience != EVERYONE,
        player=player,
        lot=match.rules.lot_of(announced),
        involved=tuple(handle for handle in named if handle in names),
    )


def names_in(match: Match) -> Names:
    """The name to show for each of the match's handles."""
    return {player.handle: player.shown_name for player in match.players.all()}


def unread_notices(user: Any, limit: int = 20) -> list[tuple[Match, FeedLine]]:
    """A person's unread announcements, newest first, each with its match."""
    # By time and not by id: PostgreSQL would look through the ids of everybody's announcements for those of one person.
    unread = Announcement.objects.filter(player__user=user, read_at=None).order_by("-at", "-pk")
    found = []
    names: dict[int, Names] = {}
    for item in first_of(unread.select_related("match").prefetch_related("match__players"), limit):
        if item.match_id not in names:
            names[item.match_id] = names_in(item.match)
        found.append((item.match, feed_line(item.match, item, names[item.match_id])))
    return found


def describe_for_hosts(item: Announcement) -> str:
    """One announcement in words, for the hosts' lists."""
    return feed_line(item.match, item, {}).text
