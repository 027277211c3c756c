"""A season as everybody may know it: cast, standings, schedule, what is going on, and what has happened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from django.db.models import F

from matches.models import Match, PlayerResult
from matches.models.match import shown_to_all
from matches.queries.bidirectional import set_apart
from matches.queries.feed import cut_at_names, marked
from seasons.engine import season as rules
from seasons.engine.sentences import Name, in_words
from seasons.engine.state import SeasonState, account
from seasons.models import Member, Season, SeasonMatch, SeasonNews, SeasonRole


class CastLine(NamedTuple):
    """One member in the standings. `account`: the balances of the last settlement; `username`: empty for bots and
    open places; `mark`: which mark and colour they have."""

    handle: str
    name: str
    username: str
    is_bot: bool
    is_open: bool
    team: str
    status: str
    place: int | None
    account: dict[str, int | str]
    mark: int


class MatchLine(NamedTuple):
    """One match in the schedule."""

    number: int
    title: str
    game_title: str
    public_id: str
    status: str
    status_label: str
    is_death_match: bool
    starts_at: datetime | None
    opened_at: datetime | None
    finished_at: datetime | None
    settled_at: datetime | None


class Now(NamedTuple):
    """What is going on between matches: names, and until when the opponent can be named."""

    phase: str
    candidates: tuple[str, ...] = ()
    between: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    closes: datetime | None = None


class NewsLine(NamedTuple):
    """Something that was told. `match`: the public id of the match that it is about. `pieces`: the same text in pieces,
    every second of which is a name: there stands the member's handle."""

    at: datetime
    kind: str
    text: str
    match: str
    pieces: tuple[str, ...]


def state_of(season: Season) -> SeasonState | None:
    """The state of a season; None before it begins."""
    return rules.decode(season.state) if season.state else None


def standings(season: Season, state: SeasonState | None) -> list[CastLine]:
    """The cast, those who are in first, then by place, then those who have withdrawn."""
    members = list(season.cast.select_related("user"))
    published = state.published if state else {}
    lines = [
        CastLine(
            handle=member.handle,
            name=member.shown_name,
            username=member.user.username if member.user else "",
            is_bot=member.is_bot or bool(member.user and member.user.is_bot),
            is_open=member.is_open,
            team=member.team,
            status=member.status,
            place=member.place,
            account=account(published, member.handle) if state else _opening(member),
            mark=mark,
        )
        for mark, member in enumerate(members)
    ]
    order = {Member.Status.IN: 0, Member.Status.OUT: 1, Member.Status.WITHDRAWN: 2}
    return sorted(lines, key=lambda line: (order[Member.Status(line.status)], line.place or 0, line.mark))


def has_results(season: Season) -> bool:
    """Whether a match of the season is finished."""
    return season.matches.filter(match__status=Match.Status.FINISHED).exists()


class Counted(NamedTuple):
    """How the season's finished matches ended for one member. `username`: empty for bots and open places."""

    name: str
    username: str
    played: int
    won: int
    tokens: int
    candidate: int


def counted(season: Season, cast: Iterable[CastLine]) -> list[Counted]:
    """What can be counted of each member over the finished matches of a season, most wins first; members who have not
    played one to its end are left out."""
    found = PlayerResult.objects.filter(
        shown_to_all("player__match__"),
        player__match__in_season__season=season,
        player__match__status=Match.Status.FINISHED,
    )
    totals: dict[str, list[int]] = {}
    for handle, won, tokens, candidate in found.values_list("player__handle", "won", "tokens", "candidate"):
        total = totals.setdefault(handle, [0, 0, 0, 0])
        for place, amount in enumerate((1, won, tokens, candidate)):
            total[place] += amount
    lines = [Counted(line.name, line.username, *totals[line.handle]) for line in cast if line.handle in totals]
    return sorted(lines, key=lambda line: (-line.won, -line.tokens, line.candidate))


def _opening(member: Member) -> dict[str, int | str]:
    return {"garnet": member.garnets, "priority": member.priority, "blood_garnet": f"{member.blood_garnets:.4f}"}


def schedule(season: Season, *, with_drafts: bool = False) -> list[MatchLine]:
    """The season's matches in their order; drafts only for hosts."""
    found = season.matches.select_related("match").order_by("number")
    return [_line(each) for each in found if with_drafts or each.match.is_public]


def _line(found: SeasonMatch) -> MatchLine:
    match = found.match
    return MatchLine(
        number=found.number,
        title=match.title,
        game_title=match.rules.title,
        public_id=match.public_id,
        status=match.status,
        status_label=Match.Status(match.status).label,
        is_death_match=found.is_death_match,
        starts_at=match.starts_at,
        opened_at=found.opened_at,
        finished_at=match.finished_at,
        settled_at=found.settled_at,
    )


def going_on(season: Season, state: SeasonState | None) -> Now:
    """What is to be done before the next match."""
    if state is None:
        return Now("draft")
    after = state.after
    if after is None:
        return Now("confirm" if state.is_settling() else state.phase)
    closes = None if after.closes is None else season.instant(after.closes)
    options = rules.opponents(state)
    return Now(state.phase, after.candidates, after.between, options, closes)


def hosts_of(season: Season) -> list[str]:
    """The usernames of those who host a season, the owner first."""
    return list(
        season.roles.filter(role__in=SeasonRole.ACTING)
        .order_by(F("role").desc(), "pk")
        .values_list("user__username", flat=True)
    )


def news_for(season: Season, audiences: tuple[str, ...], names: Mapping[str, str], most: int) -> list[NewsLine]:
    """What was told to these audiences, the latest first."""
    found = (
        SeasonNews.objects.filter(season=season, audience__in=audiences)
        .select_related("row__user")
        .order_by("-pk")[:most]
    )
    return _lines(season, found, names)


def story(season: Season, names: Mapping[str, str]) -> list[NewsLine]:
    """All that everybody was told, from the beginning on."""
    told = SeasonNews.objects.filter(season=season, audience="everyone").select_related("row__user")
    return _lines(season, told.order_by("pk"), names)


def _lines(season: Season, found: Iterable[SeasonNews], names: Mapping[str, str]) -> list[NewsLine]:
    matches = {
        number: (title, public_id)
        for number, title, public_id in season.matches.values_list("number", "match__title", "match__public_id")
    }
    titles = {number: title for number, (title, _) in matches.items()}
    lines = []
    for each in found:
        key = each.data.get("match")
        public_id = matches[int(key)][1] if key and int(key) in matches else ""
        pieces = cut_at_names(_sentence(each, marked, titles))
        text = "".join(set_apart(names.get(piece, piece)) if place % 2 else piece for place, piece in enumerate(pieces))
        lines.append(NewsLine(each.at, each.kind, text, public_id, pieces))
    return lines


def sentence(news: SeasonNews, names: Mapping[str, str], titles: Mapping[int, str]) -> str:
    """A piece of news in words."""
    return _sentence(news, lambda handle: set_apart(names.get(handle, handle)), titles)


def _sentence(news: SeasonNews, name: Name, titles: Mapping[int, str]) -> str:
    data = {"host": news.row.user.username, **news.data} if news.row.user else news.data
    return in_words(news.kind, data, name, lambda key: titles.get(int(key), f"match {key}"))
