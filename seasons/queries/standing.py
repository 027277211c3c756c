"""A season as everybody may see it: cast, standings, schedule, and what is going on; and lists of seasons."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Literal, NamedTuple, cast

from django.db.models import Count, F, Q, QuerySet
from msgspec import Struct

from accounts.marks import told_apart
from matches.infra.structs import filled
from matches.models import Match, PlayerResult
from matches.models.match import shown_to_all
from matches.queries.match_info import Instant
from matches.queries.paging import Page, UnknownPlace, page_of
from seasons import models
from seasons.engine import season as rules
from seasons.engine.state import SeasonState, account
from seasons.models import Application, Member, Season, SeasonRole


class CastMember(Struct, frozen=True, kw_only=True):
    """A member. `account`: the balances of the last settlement, by asset."""

    handle: str
    name: str
    username: str | None
    is_bot: bool
    team: str | None
    status: Literal["in", "out", "withdrawn"]
    place: int | None
    account: dict[str, int | str]


class CastLine(CastMember, frozen=True, kw_only=True):
    """A member for pages. `mark`: the number of their mark; `rank`: the place, which members who have withdrawn have
    here too, so that no number is left out."""

    is_open: bool
    mark: int
    rank: int | None


class SeasonMatch(Struct, frozen=True, kw_only=True):
    """A match of the season."""

    number: int
    id: str
    title: str
    status: str
    is_death_match: bool
    is_final: bool
    starts_at: Instant | None
    opened_at: Instant | None
    finished_at: Instant | None
    settled_at: Instant | None


class MatchLine(SeasonMatch, frozen=True, kw_only=True):
    """A match of the season, for pages."""

    game_title: str
    status_label: str
    did_not_begin: bool


class Now(NamedTuple):
    """What is going on between matches: handles, and when the time to name the opponent ends."""

    phase: str
    candidates: tuple[str, ...] = ()
    between: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    closes: datetime | None = None


def begun(season: Season) -> SeasonState:
    """Return the state of a season that has begun; raises `RuntimeError` otherwise."""
    state = season.decoded()
    if state is None:
        raise RuntimeError("the season has not begun")
    return state


def standings(season: Season, state: SeasonState | None) -> list[CastLine]:
    """Return the cast: those who are in, by garnets, then the others by place."""
    members = list(season.cast.select_related("user"))
    published = state.published if state else {}
    looks = told_apart(each.user.own_mark if each.user else None for each in members)
    left = any(each.status == Member.Status.WITHDRAWN for each in members)
    told = season.news.filter(kind="withdrew").values_list("data", flat=True) if left else ()
    withdrawn = {data["player"]: data["place"] for data in told}
    lines = [
        CastLine(
            handle=member.handle,
            name=member.shown_name,
            username=member.user.username if member.user else None,
            is_bot=member.is_bot or bool(member.user and member.user.is_bot),
            is_open=member.is_open,
            team=member.team or None,
            status=cast(Any, member.status),
            place=member.place,
            account=account(published, member.handle) if state else _opening(member),
            mark=mark,
            rank=withdrawn.get(member.handle, member.place),
        )
        for mark, member in zip(looks, members, strict=True)
    ]
    return sorted(
        lines, key=lambda line: (0, -int(line.account["garnet"])) if line.status == "in" else (line.rank or 0, 0)
    )


def faces(season: Season) -> dict[str, str]:
    """Return handle -> token of the picture of the person behind a member, if it may be shown."""
    with_one = season.cast.filter(user__picture__isnull=False, user__is_active=True, hides_picture=False)
    return dict(with_one.values_list("handle", "user__picture__token"))


def has_results(season: Season) -> bool:
    """Whether a match of the season is finished."""
    return season.matches.filter(match__status=Match.Status.FINISHED).exists()


class Counted(NamedTuple):
    """The results of one person (or a bot) in a member's place, over the season's finished matches. `username`: empty
    for bots and open places."""

    name: str
    username: str
    played: int
    won: int
    tokens: int
    candidate: int


def counted(season: Season, cast: Iterable[CastLine]) -> list[Counted]:
    """Return each member's results over the finished matches of a season, most wins first, leaving out those without
    any. If a place has changed hands, each person has what they played themselves, as on their profiles."""
    found = PlayerResult.objects.filter(
        shown_to_all("player__match__"),
        player__match__in_season__season=season,
        player__match__status=Match.Status.FINISHED,
    )
    totals: dict[tuple[str, str], list[int]] = {}
    names: dict[tuple[str, str], str] = {}
    for handle, name, username, *amounts in found.values_list(
        "player__handle", "player__name", "player__user__username", "won", "tokens", "candidate"
    ):
        who = handle, username or ""
        names[who] = name or username or handle
        total = totals.setdefault(who, [0, 0, 0, 0])
        for place, amount in enumerate((1, *amounts)):
            total[place] += amount
    names |= {(line.handle, line.username or ""): line.name for line in cast}
    lines = [Counted(names[who], who[1], *total) for who, total in totals.items()]
    return sorted(lines, key=lambda line: (-line.won, -line.tokens, line.candidate))


def _opening(member: Member) -> dict[str, int | str]:
    return {"garnet": member.garnets, "priority": member.priority, "blood_garnet": f"{member.blood_garnets:.4f}"}


def schedule(season: Season, *, with_drafts: bool = False) -> list[MatchLine]:
    """Return the season's matches in order; drafts only with `with_drafts`, for hosts."""
    found = season.matches.select_related("match").order_by("number")
    return [_line(each) for each in found if with_drafts or each.match.is_public]


def _line(found: models.SeasonMatch) -> MatchLine:
    match = found.match
    return filled(
        MatchLine,
        found,
        title=match.title,
        game_title=match.rules.title,
        id=match.public_id,
        status=match.status,
        status_label=Match.Status(match.status).label,
        starts_at=None if match.start_problem else match.starts_at,
        finished_at=match.finished_at,
        did_not_begin=bool(match.start_problem),
    )


def titles_of(season: Season) -> dict[str, str]:
    """Return the key of each match of a season -> its title."""
    return {str(number): title for number, title in season.matches.values_list("number", "match__title")}


def going_on(season: Season, state: SeasonState | None) -> Now:
    """Return what has to be done before the next match."""
    if state is None:
        return Now("draft")
    after = state.after
    if after is None:
        return Now("confirm" if state.is_settling() else state.phase)
    closes = None if after.closes is None else season.instant(after.closes)
    options = rules.opponents(state)
    return Now(state.phase, after.candidates, after.between, options, closes)


def hosts_of(season: Season) -> list[str]:
    """Return the usernames of a season's hosts, the owner first."""
    return list(
        season.roles.filter(role__in=SeasonRole.ACTING)
        .order_by(F("role").desc(), "pk")
        .values_list("user__username", flat=True)
    )


# -- lists of seasons, a page at a time ----------------------------------------------------------------------

A_PAGE = 24


class Winner(NamedTuple):
    """Somebody in first place. `username`: empty for bots and open places."""

    name: str
    username: str


class SeasonLine(NamedTuple):
    """A season in a list: its numbers of members and of those still in, and who has won."""

    season: Season
    members: int
    still_in: int
    winners: tuple[Winner, ...]


def seasons_page(after: str, most: int = A_PAGE) -> Page[SeasonLine]:
    """Return a page of public seasons, the newest first, beginning after this id. Raises `UnknownPlace`."""
    found = Season.objects.exclude(status=Season.Status.DRAFT).order_by("-created_at", "-pk")
    if after:
        last = Season.objects.filter(public_id=after).first()
        if last is None:
            raise UnknownPlace
        same = Q(created_at=last.created_at, pk__lt=last.pk)
        found = found.filter(Q(created_at__lt=last.created_at) | same)
    return page_of(_season_lines(found, most + 1), most, lambda line: line.season.public_id)


def drafts_of(user: Any) -> QuerySet[Season]:
    """Return the latest drafts that a person hosts or observes."""
    held = SeasonRole.objects.filter(user=user, role__in=SeasonRole.SEEING)
    drafts = Season.objects.filter(pk__in=held.values("season"), status=Season.Status.DRAFT)
    return drafts.order_by("-created_at", "-pk")[:A_PAGE]


def applied_by(user: Any) -> list[Application]:
    """Return somebody's applications to seasons that have not begun, the latest first."""
    if not user.is_authenticated:
        return []
    mine = Application.objects.filter(user=user, season__status=Season.Status.DRAFT).select_related("season")
    return list(mine.exclude(status=Application.Status.WITHDRAWN).order_by("-sent_at", "-pk")[:A_PAGE])


def _season_lines(found: QuerySet[Season], most: int) -> list[SeasonLine]:
    counted = found.annotate(members=Count("cast"), still_in=Count("cast", filter=Q(cast__status=Member.Status.IN)))
    rows: list[Any] = list(counted[:most])
    winners: dict[int, list[Winner]] = {}
    for member in Member.objects.filter(season__in=rows, place=1).select_related("user"):
        found_as = Winner(member.shown_name, member.user.username if member.user else "")
        winners.setdefault(member.season_id, []).append(found_as)
    return [SeasonLine(row, row.members, row.still_in, tuple(winners.get(row.pk, ()))) for row in rows]
