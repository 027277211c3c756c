"""Marks notices as read: by their receivers, and when later events make them obsolete.

Results that are unread when a match ends are still sent to those who get them elsewhere, such as in a digest; they just
no longer count as unread on the site.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from matches.engine import notice_events as of_matches
from matches.engine.notice_events import DEADLINE_NEAR, DECISION_ASKED
from matches.models import Link, Match, Player, Question, clock
from matches.queries.access import legible
from matches.queries.matches import Position
from matches.services.signals import people_told
from notices import events
from notices.models import Delivery, Notice

READ_BEFORE = "Not sent, because the notice had already been read on the site."


def mark_read(user: Any, tokens: Collection[str] | None = None, match: str = "", *, asks: bool = True) -> int:
    """Mark a person's notices as read: those with these tokens, those of one match (by public id), or all; without
    `asks` only those that ask for nothing any more. Return how many there were.

    What waits for a digest, for the end of quiet hours or for another try is not sent any more.
    """
    mine = Notice.objects.filter(user=user, read_at=None)
    if tokens is not None:
        mine = mine.filter(token__in=tokens)
    if match:
        mine = mine.filter(match__public_id=match)
    if not asks:
        mine = mine.exclude(
            ~lapsed(), event__in=[key for key, each in events.EVENTS.items() if each.group == events.ACT]
        )
    return mark_rows_read(mine)


def mark_rows_read(rows: QuerySet[Notice]) -> int:
    """Mark these unread notices as read, whosever they are; return how many there were."""
    with transaction.atomic():
        found = dict(rows.values_list("pk", "user"))
        if not found:
            return 0
        count = Notice.objects.filter(pk__in=found, read_at=None).update(read_at=clock.now())
        # Not what another process is sending now: that still counts as sent.
        held = Delivery.objects.filter(notice__in=found, status=Delivery.Status.WAITING)
        held.update(status=Delivery.Status.DROPPED, last_error=READ_BEFORE)
        tell_pages(found.values())
    return count


def tell_pages(people: Iterable[int]) -> None:
    """After the commit, update the notices on these people's open pages."""
    told = frozenset(people)
    if told:
        transaction.on_commit(lambda: people_told.send_robust(sender=None, people=told), robust=True)


_DONE_BY_ACTING = (DECISION_ASKED, DEADLINE_NEAR)


def read_by_acting(acted: Iterable[int]) -> None:
    """Mark as read the notices to these players (ids) that ask for something their matches no longer ask of them."""
    found = Player.objects.filter(pk__in=acted, user__isnull=False).select_related("user")
    players = {(each.match_id, each.user_id): each for each in found}
    unread = Notice.objects.filter(
        read_at=None,
        event__in=_DONE_BY_ACTING,
        user__in={user for _, user in players},
        match__in={match for match, _ in players},
    )
    of_match: defaultdict[int, list[Notice]] = defaultdict(list)
    for notice in unread:
        if notice.match_id and (notice.match_id, notice.user_id) in players:
            of_match[notice.match_id].append(notice)
    for match in Match.objects.filter(pk__in=of_match):
        position = Position(match)
        for notice in of_match[match.pk]:
            player = players[match.pk, notice.user_id]
            if legible(match, partial(_is_done, player, notice), position):
                mark_read(player.user, [notice.token])


def _is_done(player: Player, notice: Notice, position: Position) -> bool:
    """Whether nothing is asked any more by the notice's deadline."""
    private = position.private_of(player)
    if private is None:
        return False
    ends = [position.instant(ask.until) for ask in private.asked if ask.until is not None]
    return not any(end is None or notice.by is None or end <= notice.by for end in ends)


_OF_ONE_LOT = frozenset({of_matches.OUTBID, of_matches.WON, of_matches.LOST})
"""Each of these, about one lot of a match, makes an earlier “outbid” about that lot obsolete."""

_ENDS = frozenset({of_matches.FINISHED, of_matches.CANCELLED})
_STAYS = frozenset({events.MESSAGE, events.MENTIONED, of_matches.ANSWERED, events.REPLACED, *_ENDS})
_RESULTS = frozenset({of_matches.WON, of_matches.LOST, of_matches.ROUND_CLOSED, of_matches.CORRECTED})


def retire(new: Iterable[Notice]) -> None:
    """Mark as read what these newly stored notices make obsolete, inside the caller's transaction."""
    people: defaultdict[tuple[int, str, str], dict[int, int]] = defaultdict(dict)
    # the last of each: several rounds may close at once
    lasts: defaultdict[tuple[int, str], dict[int, int]] = defaultdict(dict)
    for notice in new:
        if notice.match_id is not None:
            url = notice.url if notice.event in _OF_ONE_LOT else ""
            people[notice.match_id, notice.event, url].setdefault(notice.user_id, notice.pk)
            lasts[notice.match_id, notice.event][notice.user_id] = notice.pk
    for (match, event, url), firsts in people.items():
        before = Notice.objects.filter(match=match, read_at=None, pk__lt=min(firsts.values()))
        if event in _ENDS:
            _over(match, before)
        elif event in _OF_ONE_LOT:
            mark_rows_read(before.filter(user__in=firsts, event=of_matches.OUTBID, url=url))
        elif event in events.MOOT:
            of_these = Notice.objects.filter(match=match, user__in=firsts, event__in=events.MOOT[event], read_at=None)
            last = lasts[match, event]
            mark_rows_read(of_these.filter(pk__lt=max(last.values())).exclude(pk__in=last.values()))
        if event in (of_matches.CORRECTED, DECISION_ASKED):
            theirs = Player.objects.filter(match=match, user__in=firsts)
            # A host may have decided for them, or they acted before they were notified.
            read_by_acting(theirs.values_list("pk", flat=True))
        if event in (of_matches.ANSWERED, of_matches.CLARIFIED):
            _answered(match)
        if event in (of_matches.FAULT, of_matches.NOT_OPENED):
            retire_troubles([match])  # it may have been mended before anybody was notified


def _over(match: int, before: QuerySet[Notice]) -> None:
    """Mark a finished match's earlier notices as read, for everybody."""
    mark_rows_read(before.exclude(event__in=_STAYS | _RESULTS))
    results = before.filter(event__in=_RESULTS)
    tell_pages(results.values_list("user", flat=True))
    results.update(read_at=clock.now(), is_retired=True)


def _answered(match: int) -> None:
    """Mark as read the notices to hosts of questions that have been answered."""
    answered = Question.objects.filter(match=match, answered_at__isnull=False).values_list("submission", flat=True)
    sources = [f"log:{row}" for row in answered]
    mark_rows_read(Notice.objects.filter(match=match, read_at=None, event=of_matches.ASKED, source__in=sources))


_MENDED = (
    Q(event=of_matches.FAULT, match__fault="")
    | (Q(event=of_matches.NOT_OPENED) & (~Q(match__status=Match.Status.SCHEDULED) | Q(match__start_problem="")))
    | Q(event__in=(of_matches.FAULT, of_matches.NOT_OPENED), match__status__in=Match.OVER)
)


def retire_troubles(matches: Collection[int]) -> None:
    """Mark as read the notices of faults in these matches that are mended, or no longer matter as the match is over."""
    mark_rows_read(Notice.objects.filter(_MENDED, match__in=matches, read_at=None))


def retire_of_sources(sources: Collection[str]) -> None:
    """Mark as read all notices with these sources."""
    mark_rows_read(Notice.objects.filter(read_at=None, source__in=sources))


def on_invitation_ended(invitation: Link, **_: Any) -> None:
    """Receive `matches.services.signals.invitation_ended`: nobody is asked any more to use this link."""
    mark_rows_read(Notice.objects.filter(read_at=None, source__startswith=source_of(invitation)))


def source_of(invitation: Link) -> str:
    """The beginning of the `source` of each notice of an invitation."""
    return f"{invitation._meta.model_name}:{invitation.pk}:"


def lapsed() -> Q:
    """The filter for notices whose deadline has passed: those that asked for something, or told who has submitted."""
    asks = [key for key, event in events.EVENTS.items() if event.group == events.ACT]
    return Q(event__in=(*asks, of_matches.ALL_SUBMITTED, of_matches.NOBODY_SUBMITTED), by__lte=clock.now())
