"""Moves notices when a place of a running match changes hands: the new player gets the unread ones, and the person who
left keeps none.

This happens in the transaction of the change. Notices that are drafted or sent at that moment are caught later: when
they are stored (`outbox.store`), when the change itself leaves the outbox (`on_outbox`), and before they are sent
(`deliveries`).
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from matches.engine import notice_events as of_matches
from matches.models import Announcement, Insider, Match, OutboxRow, Player, clock
from matches.queries.names import set_apart
from matches.services.places import own_name
from notices import events
from notices.models import Delivery, Notice
from notices.reading import tell_pages
from notices.routing import plan

GONE = "Somebody else now plays in this place."

_OF_A_PLACE = ("log:", "reminder:")
_FAREWELL = "place:"
_OF_HOSTS = frozenset(key for key, event in events.EVENTS.items() if event.for_hosts)
_OF_THE_PERSON = (of_matches.ANSWERED, of_matches.ADDED)
_KINDS = ("place_taken_over", "player_withdrawn")


def on_place_changed_hands(player: Player, left: Any, **_: Any) -> None:
    """Receive `matches.services.signals.place_changed_hands`, inside its transaction."""
    if left is not None:
        _hand_on(player, left.pk)
        _say_farewell(player, left.pk)


def on_outbox(rows: Sequence[OutboxRow]) -> Callable[[], None]:
    """Listen to the outbox: once such a change leaves it, all earlier notices are stored and can be moved."""
    told = Announcement.objects.filter(submission__in=[row.submission_id for row in rows], kind__in=_KINDS)
    matches = set(told.values_list("match_id", flat=True))
    return lambda: _hand_on_in(matches)


def of_those_who_left(notices: Collection[Notice]) -> list[Notice]:
    """Return those of these notices whose receiver has left the place that they belong to."""
    people, matches = {each.user_id for each in notices}, {each.match_id for each in notices if each.match_id}
    if not matches:
        return []
    left = Insider.objects.filter(user__in=people, match__in=matches).exclude(played=None)
    gone = set(left.values_list("user_id", "match_id"))
    of_players = (each for each in notices if each.event not in _OF_HOSTS and not each.source.startswith(_FAREWELL))
    return [each for each in of_players if (each.user_id, each.match_id) in gone]


def _hand_on_in(matches: Collection[int]) -> None:
    for each in Insider.objects.filter(match__in=matches).exclude(played=None).select_related("played"):
        if each.played is not None:
            _hand_on(each.played, each.user_id)


def _hand_on(player: Player, left_id: int) -> None:
    """Give a place's unread notices to the player who has it now, and delete them for the person who left."""
    theirs = Notice.objects.filter(user=left_id, match=player.match_id).exclude(event__in=_OF_HOSTS)
    theirs = theirs.exclude(source__startswith=_FAREWELL)
    if not theirs.exists():
        return
    if player.user_id is not None:
        unread = theirs.filter(read_at=None).exclude(event__in=_OF_THE_PERSON)
        give([each for each in unread if each.source.startswith(_OF_A_PLACE)], player.user_id)
    theirs.delete()
    tell_pages({left_id} if player.user_id is None else {left_id, player.user_id})


def give(unread: list[Notice], user_id: int) -> None:
    """Give unread notices to somebody else and send them again, except those that this person was told of already."""
    told = Notice.objects.filter(user=user_id, source__in=[each.source for each in unread])
    known = set(told.values_list("source", flat=True))
    given = [each for each in unread if each.source not in known]
    Delivery.objects.filter(notice__in=given).delete()
    Notice.objects.filter(pk__in=[each.pk for each in given]).update(user=user_id)
    for each in given:
        each.user_id = user_id
    plan(given, clock.now())


def _say_farewell(player: Player, left_id: int) -> None:
    """Notify the person who had the place: as a spectator they would not be told."""
    match = Match.objects.get(pk=player.match_id)
    if player.user is not None:
        who = f"{set_apart(own_name(player.user))} plays in your place"
    else:
        who = "a bot plays in your place" if player.is_bot else "nobody plays in your place"
    text, source = f"From now on {who}. You can watch like everybody else.", f"{_FAREWELL}{player.pk}"
    notice = Notice.of(events.REPLACED, match, user_id=left_id, source=source, text=text)
    notice.save(force_insert=True)
    plan([notice], clock.now())
    tell_pages({left_id})
