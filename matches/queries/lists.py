"""Lists of matches: public ones, a person's own, and those that a person hosts. Each is read a page at a time.

A page's query sorts only keys, and the rows are read afterwards, because each contains a whole state. A list of
several pages has an order that does not change when something happens in a match, and each page begins after the last
match of the page before, so that no match is lost or repeated.
"""

from collections.abc import Collection, Iterable
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import msgspec
from django.db.models import Case, Count, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from matches.engine.views import Ask, PrivateView
from matches.models import Match, Player
from matches.models.match import shown_to_all
from matches.queries.access import legible, players_with_accounts
from matches.queries.announcements import ROLES
from matches.queries.matches import Position
from matches.queries.paging import Page, UnknownPlace, first_of, page_of, place_of
from matches.services import belonging
from matches.services.roles import hosted_by

Status = Match.Status


# -- public lists --------------------------------------------------------------------------------


def public_matches() -> QuerySet[Match]:
    """Every public match, newest first."""
    return Match.objects.filter(shown_to_all())


def running_matches(most: int, **which: Any) -> list[Match]:
    """Matches being played, the most recently opened first; paused ones come last."""
    found = Match.objects.filter(**which).order_by("-opened_at", "-pk")
    return _in_turn(most, found.filter(status=Status.OPEN), found.filter(status=Status.PAUSED))


def coming_matches(most: int, **which: Any) -> list[Match]:
    """Published matches that have not begun, the next one first; those whose start has failed come last."""
    found = Match.objects.filter(status=Status.SCHEDULED, **which).order_by("starts_at", "pk")
    return _in_turn(most, found.filter(start_problem=""), found.exclude(start_problem=""))


def with_people(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Prefetch all people who are named on the cards of these matches."""
    return matches.prefetch_related(players_with_accounts(), ROLES)


def tables_to_join(user: Any, most: int, **which: Any) -> list[Match]:
    """Coming matches that this person can join, the next one first."""
    found = first_of(with_people(open_tables(user).filter(**which)), 3 * most)
    return list(islice((each for each in found if _belongs(each, user)), most))


def _belongs(match: Match, user: Any) -> bool:
    group = belonging.group_of(match)
    return group is None or (user.is_authenticated and not group.why_not_play(user))


def open_tables(user: Any) -> QuerySet[Match]:
    """Coming matches that anybody can join, without those in which this person has a part, the next one first."""
    players = Player.objects.filter(match=OuterRef("pk")).order_by().values("match")
    taken = Coalesce(Subquery(players.annotate(count=Count("pk")).values("count")), 0)
    is_bot = user.is_authenticated and user.is_bot
    joining = (Match.Joining.OPEN,) if is_bot else Match.OPEN_TO_ALL
    found = Match.objects.filter(status=Status.SCHEDULED, joining__in=joining, start_problem="")
    found = found.filter(places__gt=taken).order_by("starts_at", "pk")
    if not user.is_authenticated:
        return found
    return found.exclude(players__user=user).exclude(roles__user=user).exclude(insiders__user=user)


def finished_matches() -> QuerySet[Match]:
    """Finished matches, the latest first."""
    return Match.objects.filter(status=Status.FINISHED).order_by("-finished_at", "-pk")


def _in_turn(most: int, *lists: QuerySet[Match]) -> list[Match]:
    """The first matches of the lists, one list after the other. Each has an index, but their union does not."""
    found: list[Match] = []
    for each in lists:
        if len(found) < most:
            found += first_of(with_people(each), most - len(found))
    return found


class _Order(NamedTuple):
    """Which matches a list contains, and by which field with an instant, and then by id, it is sorted."""

    which: Q
    moment: str
    newest_first: bool = True


_PUBLIC = {
    "": _Order(Q(), "created_at"),
    "running": _Order(Q(status__in=Match.RUNNING), "opened_at"),
    "coming": _Order(Q(status=Status.SCHEDULED), "starts_at", newest_first=False),
    "finished": _Order(Q(status=Status.FINISHED), "finished_at"),
}
STATES = tuple(_PUBLIC)
"""The states by which the public list can be filtered; the empty one means all."""


def public_page(state: str, game: str, after: str, most: int) -> Page[Match]:
    """A page of the public matches in a state and of a game (empty for all), after the match with the id `after` (empty
    for the first page). Raises `UnknownPlace`."""
    order = _PUBLIC[state]
    found = public_matches().filter(order.which, **({"game": game} if game else {}))
    sign, beyond = ("-", "lt") if order.newest_first else ("", "gt")
    found = found.order_by(f"{sign}{order.moment}", f"{sign}pk")
    if after:
        moment, pk = place_of(public_matches().filter(public_id=after).values_list(order.moment, "pk"))
        if moment is None:
            raise UnknownPlace
        further = Q(**{f"{order.moment}__{beyond}": moment}) | Q(**{f"pk__{beyond}": pk})
        found = found.filter(further, **{f"{order.moment}__{beyond}e": moment})
    return page_of(first_of(with_people(found), most + 1), most, lambda match: match.public_id)


# -- a person's own ------------------------------------------------------------------------------

_MOST_FOR_TOKENS = 50
_GOES_ON = (*Match.RUNNING, Status.SCHEDULED, Status.DRAFT)
"""The states of a person's matches that are not over, in the order of the list."""


class MyMatch(msgspec.Struct):
    """One of a person's matches: their place in it, their private view, and what they are asked to do and always can
    do."""

    match: Any
    player: Any
    private: PrivateView | None
    asked: tuple[Ask, ...]
    can_always: str
    position: Any


def my_open_matches(user: Any, most: int, *which: Q) -> list[MyMatch]:
    """A person's matches (filtered by `which`) that are not over: first those that ask something of them, by deadline.

    That needs the matches' states, of which it reads only `most`: those with the next deadlines."""
    found = Player.objects.filter(*which, user=user, match__status__in=_GOES_ON)
    due = F("match__next_deadline_at").asc(nulls_last=True)
    found = found.order_by(_rank("match__status", _GOES_ON), due, "-pk")
    return sorted(map(_my_match, first_of(_with_matches(found), most)), key=_urgency)


def all_my_matches(user: Any) -> QuerySet[Player]:
    """A person's places in all their matches."""
    return Player.objects.filter(user=user)


def my_page(user: Any, after: str, most: int, *, only: str = "", over: bool = False) -> Page[MyMatch]:
    """A page of all matches of a person (or only the one with the id `only`), the last joined first; or of those that
    are `over`, the latest first. Raises `UnknownPlace`."""
    which = {"match__public_id": only} if only else {"match__status__in": Match.OVER} if over else {}
    latest = "match__finished_at" if over else "pk"
    found = mine = all_my_matches(user).filter(**which).order_by(f"-{latest}", "-pk")
    if after:
        moment, pk = place_of(mine.filter(match__public_id=after).values_list(latest, "pk"))
        found = mine.filter(Q(**{f"{latest}__lt": moment}) | Q(**{latest: moment, "pk__lt": pk}))
    page = page_of(first_of(_with_matches(found), most + 1), most, lambda player: player.match.public_id)
    return Page([_my_match(player) for player in page.items], page.last)


def titles_for(user: Any, public_ids: Collection[str]) -> dict[str, str]:
    """Id -> title of those of these matches that are public or in which this person plays."""
    seen = shown_to_all() | Q(pk__in=Player.objects.filter(user=user).values("match"))
    return dict(Match.objects.filter(seen, public_id__in=public_ids).values_list("public_id", "title"))


def token_matches(user: Any) -> list[tuple[str, str]]:
    """The ids and titles of the matches in which a person plays and that are not over, the last joined first."""
    found = Player.objects.filter(user=user, match__status__in=_GOES_ON).order_by("-pk")
    return list(found.values_list("match__public_id", "match__title")[:_MOST_FOR_TOKENS])


def _with_matches(players: QuerySet[Player]) -> QuerySet[Player]:
    return players.select_related("match").prefetch_related(players_with_accounts("match__"))


def _my_match(player: Player) -> MyMatch:
    return legible(player.match, partial(_seen_by, player))


def _seen_by(player: Player, position: Position) -> MyMatch:
    private = position.private_of(player)
    asks = private if player.match.status == Status.OPEN else None
    asked, can_always = (asks.asked, asks.can_always) if asks else ((), "")
    return MyMatch(player.match, player, private, asked, can_always, position)


def _urgency(mine: MyMatch) -> tuple[int, int, float]:
    due = [ask.until for ask in mine.asked if ask.until is not None]
    instant = mine.position.instant(min(due)) if due else mine.match.next_deadline_at
    return (0 if mine.asked else 1, _GOES_ON.index(mine.match.status), instant.timestamp() if instant else float("inf"))


def _rank(field: str, values: Iterable[str]) -> Case:
    return Case(*(When(**{field: value}, then=Value(place)) for place, value in enumerate(values)), default=Value(9))


# -- hosted matches ------------------------------------------------------------------------------


def open_hosted(user: Any, most: int) -> list[Match]:
    """A person's hosted matches that are not over: first those with a problem, then by status and next deadline."""
    calm = Case(When(fault="", start_problem="", then=Value(1)), default=Value(0))
    due = F("next_deadline_at").asc(nulls_last=True)
    found = hosted_by(user).filter(status__in=_GOES_ON)
    return first_of(found.order_by(calm, _rank("status", _GOES_ON), due, "-pk"), most)


def hosted_page(user: Any, after: str, most: int) -> Page[Match]:
    """A page of all matches that a person hosts. Raises `UnknownPlace`."""
    found = hosted = hosted_by(user).order_by("-pk")
    if after:
        (pk,) = place_of(hosted.filter(public_id=after).values_list("pk"))
        found = hosted.filter(pk__lt=pk)
    return page_of(first_of(found, most + 1), most, lambda match: match.public_id)
