"""Empties the outbox: turns announcements of matches into stored notices and their deliveries.

It reads and drafts without a lock. One short transaction then deletes the rows of the outbox and stores the notices; if
another process has taken one of the rows meanwhile, nothing is stored here.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from time import monotonic
from typing import Any
from urllib.parse import quote

import structlog
from django.db import transaction
from django.urls import reverse

from accounts.models import User
from matches.engine.notice_events import FINISHED
from matches.engine.step import EVERYONE, HOSTS
from matches.engine.step import Announcement as RulesAnnouncement
from matches.games import registry
from matches.models import Announcement, Invitation, Link, Match, MatchRole, OutboxRow, Player, Submission, clock
from matches.queries.feed import Names, feed_line, names_in
from matches.queries.matches import Position
from matches.services.storage import many
from notices import events, handover
from notices.models import Notice
from notices.reading import retire, source_of, tell_pages
from notices.routing import plan

# -- notices of a log row: one for each person concerned, however many announcements it made ---------------


logger = structlog.get_logger(__name__)


def notices_of(rows: Sequence[OutboxRow]) -> list[Notice]:
    """Return the unsaved notices of what these rows announced, in their order.

    Reads only. A row that cannot be drafted is left out and logged, so that it does not hold up the others.
    """
    told: defaultdict[int, list[Announcement]] = defaultdict(list)
    for item in Announcement.objects.filter(submission__in=[row.submission_id for row in rows]).order_by("pk"):
        told[item.submission_id].append(item)
    games = dict(Match.objects.filter(pk__in={row.match_id for row in rows}).values_list("pk", "game"))
    # Most rows are bids, which cause no notices: for those no match is read.
    more = [row for row in rows if _is_more_than_routine(games[row.match_id], told[row.submission_id])]
    causes = Submission.objects.only("player_id", "user_id").in_bulk([row.submission_id for row in more])
    matches = Match.objects.prefetch_related("players").in_bulk({row.match_id for row in more})
    positions = {pk: Position(match) for pk, match in matches.items()}
    people = _People(matches, {each.audience for row in more for each in told[row.submission_id]})
    found: list[Notice] = []
    for row in more:
        telling = _Telling(positions[row.match_id], causes[row.submission_id], told[row.submission_id], people)
        try:
            found += telling.notices()
        except Exception:
            logger.exception("notice_not_drafted", match=row.match_id, row=row.submission_id)
    return found


class _People:
    """The active accounts and hosts of all matches, read at once; hosts only if an audience can include them."""

    def __init__(self, matches: Mapping[int, Match], audiences: set[str]) -> None:
        users = {player.user_id for match in matches.values() for player in match.players.all() if player.user_id}
        self.hosts: defaultdict[int, list[int]] = defaultdict(list)
        if audiences & {EVERYONE, HOSTS}:
            hosting = MatchRole.objects.filter(match__in=matches, role__in=MatchRole.ACTING).order_by("pk")
            for match_id, user_id in hosting.values_list("match_id", "user_id"):
                self.hosts[match_id].append(user_id)
        everybody = users.union(*self.hosts.values())
        self.active = set(User.objects.filter(pk__in=everybody, is_active=True).values_list("pk", flat=True))


def _is_more_than_routine(game: str, items: Iterable[Announcement]) -> bool:
    rules = registry.rules_of(game, None)
    return not all(rules.is_routine(item.kind) for item in items)


class _Telling:
    """One log row and its announcements."""

    def __init__(self, position: Position, row: Submission, items: list[Announcement], people: _People) -> None:
        self._position, self._row, self._items, self._people = position, row, items, people
        self._match = position.match
        self._names: Names = names_in(self._match)

    def notices(self) -> Iterator[Notice]:
        """Yield one notice for each person who was told something that is not routine."""
        is_loud = any(item.audience == EVERYONE and not self._match.rules.is_routine(item.kind) for item in self._items)
        told = {item.player_id for item in self._items}
        for player in self._match.players.all():
            hears = (is_loud or player.pk in told) and player.pk != self._row.player_id
            if hears and player.user_id in self._people.active:
                yield from self._to_player(player)
        for host in self._people.hosts[self._match.pk]:
            if host in self._people.active and host != self._row.user_id:
                yield from self._to_host(host)

    def _to_player(self, player: Player) -> Iterator[Notice]:
        told = [(item, self._match.rules.event_for(_as_told(item), player.handle)) for item in self._items]
        own = [item for item, _ in told if item.player_id == player.pk and item.read_at is None]
        heard = [(item, event) for item, event in told if item in own or (item.audience == EVERYONE and event)]
        keys = {event for _, event in heard if event}
        if not keys:
            return
        private = self._position.private_of(player)
        # The most important first, and among equals what only this player was told.
        heard.sort(key=lambda each: (events.weight(each[1] or ""), each[0] not in own))
        lines = [self._line(item) for item, _ in heard]
        if FINISHED in keys:
            lines.insert(0, self._position.public.end_of(player.handle) if self._position.public else "")
        lines += [advice for item in own if (advice := self._position.advice(player, _as_told(item)))]
        asked = () if private is None else private.asked
        ends = [self._position.instant(ask.until) for ask in asked if ask.until is not None]
        by = min((end for end in ends if end is not None), default=None)
        lot = next((lot for item in own if (lot := self._match.rules.lot_of(_as_told(item)))), None)
        yield self._notice(player.user_id or 0, keys, lines, by, lot=lot)

    def _to_host(self, host: int) -> Iterator[Notice]:
        items = [
            item
            for item in self._items
            if item.audience == HOSTS or (item.audience == EVERYONE and self._event(item) in events.TO_HOSTS_TOO)
        ]
        keys = {event for item in items if (event := self._event(item))}
        if keys:
            yield self._notice(host, keys, [self._line(item) for item in items], None)

    def _event(self, item: Announcement) -> str | None:
        return self._match.rules.notice_event(item.kind)

    def _line(self, item: Announcement) -> str:
        return feed_line(self._match, item, self._names).text.strip()

    def _notice(
        self, user_id: int, keys: set[str], lines: list[str], by: datetime | None, *, lot: str | None = None
    ) -> Notice:
        return Notice.of(
            events.heaviest(keys).key,
            self._match,
            user_id=user_id,
            source=f"log:{self._row.pk}",
            text="\n".join(dict.fromkeys(lines)),
            url=self._match.get_absolute_url() + (f"?lot={quote(lot)}#act" if lot else ""),
            by=by,
            at=self._items[0].at,
        )


def _as_told(item: Announcement) -> RulesAnnouncement:
    return RulesAnnouncement(item.audience, item.kind, item.data)


# -- emptying the outbox -------------------------------------------------------------------------------------

_AT_ONCE = 400
_REST = 2  # multiple of the time that a full batch took

Listener = Callable[[Sequence[OutboxRow]], Callable[[], None]]
"""Called with rows of the outbox: reads what it needs, and returns a function that stores its results."""

_listeners: list[Listener] = []


def listen(listener: Listener) -> None:
    """Add a listener; what it returns is stored in the same transaction as the notices."""
    _listeners.append(listener)


class _TakenByAnother(Exception):
    """Another process has passed on one of these rows."""


class _PlaceChangedHands(Exception):
    """A receiver has left their place since the notice was drafted."""


def pass_on() -> int:
    """Process the whole outbox, oldest rows first; return the number of rows."""
    passed = 0
    while batch := _pass_on_some():
        passed += batch
    return passed


def _pass_on_some() -> int:
    """Process one batch; return its number of rows, 0 also if another process is at it."""
    while rows := list(OutboxRow.objects.order_by("pk")[:_AT_ONCE]):
        try:
            _pass_on(rows)
        except _PlaceChangedHands:
            continue  # it is for somebody else now
        except _TakenByAnother:
            break
        return len(rows)
    return 0


_rests_until = 0.0


def pass_on_a_batch() -> int:
    """Process one batch and leave later rows to the next call: a row costs less the more of them a match has. After a
    full batch, rest for twice as long as it took, so that actions of players come first."""
    global _rests_until
    begun = monotonic()
    if begun < _rests_until:
        return 0
    passed, ended = _pass_on_some(), monotonic()
    if passed == _AT_ONCE:
        _rests_until = ended + _REST * (ended - begun)
    return passed


def _pass_on(rows: list[OutboxRow]) -> None:
    notices = notices_of(rows)
    stores = [listener(rows) for listener in _listeners]
    with transaction.atomic():
        gone, _ = OutboxRow.objects.filter(pk__in=[row.pk for row in rows]).delete()
        if gone != len(rows):
            raise _TakenByAnother
        if handover.of_those_who_left(notices):
            raise _PlaceChangedHands
        store(notices)
        for each in stores:
            each()


def store(notices: list[Notice]) -> list[Notice]:
    """Store notices and plan their deliveries, inside the caller's transaction; return the new ones.

    Open pages show them after the commit. Leaves out notices whose source the person was told of before, and those
    about a place that they have left meanwhile.
    """
    homeless = handover.of_those_who_left(notices)
    notices = [notice for notice in notices if notice not in homeless]
    if not notices:
        return []
    known = set(
        Notice.objects.filter(
            user__in={notice.user_id for notice in notices}, source__in={notice.source for notice in notices}
        ).values_list("user_id", "source")
    )
    first = {(notice.user_id, notice.source): notice for notice in reversed(notices)}  # one can be concerned twice
    new = [notice for key, notice in reversed(first.items()) if key not in known]
    many.insert(Notice, new, numbered=True)  # reminders can be thousands
    retire(new)
    plan(new, clock.now())
    tell_pages({notice.user_id for notice in new})
    return new


def on_invited(invitation: Invitation, code: str, **_: Any) -> None:
    """Receive `matches.services.signals.invited`. An invitation sent again is a second notice, even if the first is
    unread: a host wants the person to hear of it again."""
    tell_of_invitation(invitation, invitation.match, url=reverse("matches:invitation", args=[code]))


def tell_of_invitation(invitation: Link, about: Any, **fields: Any) -> None:
    """Notify the person whom an invitation is for, to a match or to anything else with places."""
    text = f"The host {invitation.made_by} has a place for you. The link is for you alone and works once."
    fields |= {"source": f"{source_of(invitation)}{invitation.times_sent}", "by": invitation.expires_at}
    store([Notice.of(events.INVITED, about, user=invitation.sent_to, text=text, **fields)])
