"""Requests that their receivers have done since count as read: nobody is asked, on pages or by mail, for what they have
given."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import partial

from matches.engine.notice_events import DEADLINE_NEAR, DECISION_ASKED
from matches.models import Match, Player
from matches.queries.legible import legible
from matches.queries.matches import Position
from notices.models import Notice
from notices.services.reading import mark_read

_DONE_BY_ACTING = (DECISION_ASKED, DEADLINE_NEAR)


def read_by_acting(acted: Iterable[int]) -> None:
    """Mark as read what asks these players (ids) for something that their matches ask of them no more."""
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
    """Whether nothing is asked any more by the instant of the notice. Unknown where the rules fail."""
    private = position.private_of(player)
    if private is None:
        return False
    ends = [position.instant(ask.until) for ask in private.asked if ask.until is not None]
    return not any(end is None or notice.by is None or end <= notice.by for end in ends)
