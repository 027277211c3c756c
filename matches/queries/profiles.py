"""Public profiles: the public matches in which a person plays or that they host, how these ended for them, and awards.

Nothing here reads a match's state: of a running match a profile gives only the title and status, and the result only
once it is finished. Drafts, and matches that were cancelled before they were announced, are left out.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec
from django.db.models import F, QuerySet

from accounts.models import User
from matches.games import registry
from matches.models import Match, Player
from matches.models.match import shown_to_all
from matches.queries.match_info import Instant
from matches.queries.paging import Page, page_of, place_of
from matches.services import roles

Status = Match.Status


class End(msgspec.Struct, frozen=True):
    """How a finished match ended for a person."""

    match: str
    title: str
    game: str
    at: datetime
    won: bool
    tokens: int
    candidate: bool


class Line(msgspec.Struct, frozen=True):
    """A person's match. `at`: when it ended, began or will begin. `won`, `tokens`, `candidate`: how it ended for
    them, null if it is not finished or they host it."""

    match: str
    title: str
    game: str
    game_title: str
    status: str
    at: Instant | None
    won: bool | None
    tokens: int | None
    candidate: bool | None

    @property
    def status_label(self) -> str:
        return Status(self.status).label


class Tally(msgspec.Struct, frozen=True):
    """A person's finished matches, of one match type (`game`) or of all types."""

    game: str
    game_title: str
    played: int
    won: int
    tokens: int
    candidate: int

    @property
    def percent(self) -> int:
        """The percentage of finished matches that were won."""
        return round(100 * self.won / self.played) if self.played else 0


class Award(msgspec.Struct, frozen=True):
    """An achievement of a person, with the match that brought it, and when."""

    name: str
    title: str
    text: str
    match: str
    match_title: str
    at: datetime


def person_of(username: str) -> User | None:
    """The person with this username, in any capitalisation."""
    # First the exact spelling, as in all links, because an index finds it.
    exact = User.objects.filter(username=username).first()
    return exact or User.objects.filter(username__iexact=username).first()


def is_shown(person: User) -> bool:
    """Whether this person's page shows more than the name: the account is active, and they do not keep it private."""
    return person.is_active and not person.keeps_private


# -- results -------------------------------------------------------------------------------------


def ends_of(person: User) -> list[End]:
    """How every finished match ended for this person, in the order in which they ended."""
    found = Player.objects.filter(shown_to_all("match__"), user=person, match__status=Status.FINISHED)
    rows = found.filter(result__isnull=False).order_by("match__finished_at", "match_id")
    return [
        End(*row)
        for row in rows.values_list(
            *("match__public_id", "match__title", "match__game", "match__finished_at"),
            *("result__won", "result__tokens", "result__candidate"),
        )
    ]


def tallies_of(ends: Sequence[End]) -> list[Tally]:
    """A tally for each match type that the person has played, in the order of titles."""
    by_game: dict[str, list[End]] = {}
    for end in ends:
        by_game.setdefault(end.game, []).append(end)
    return sorted((tally_of(some, game) for game, some in by_game.items()), key=lambda tally: tally.game_title)


def tally_of(ends: Sequence[End], game: str = "") -> Tally:
    """The tally of these results. `game`: their match type, if they have one in common."""
    return Tally(
        game=game,
        game_title=_title_of(game) if game else "",
        played=len(ends),
        won=sum(end.won for end in ends),
        tokens=sum(end.tokens for end in ends),
        candidate=sum(end.candidate for end in ends),
    )


def _title_of(game: str) -> str:
    return registry.rules_of(game, None).title


# -- awards --------------------------------------------------------------------------------------

_IN_A_ROW = 3
_UNTOUCHED = 10
_MANY = (10, 25, 50, 100, 250, 500, 1000)


def awards_of(ends: Sequence[End]) -> list[Award]:
    """The awards for these results, the earliest first. They follow from the results alone, so nobody can give or take
    one, and later results may move or remove one."""
    found = [_first_win(ends), _every_type(ends), _wins_in_a_row(ends), _never_candidate(ends), _many(ends)]
    return sorted((award for award in found if award is not None), key=lambda award: award.at)


def _first_win(ends: Sequence[End]) -> Award | None:
    first = next((end for end in ends if end.won), None)
    if first is None:
        return None
    return _award("first_win", "First win", f"Won a match of {_title_of(first.game)}.", first)


def _every_type(ends: Sequence[End]) -> Award | None:
    missing = set(registry.all_games())
    count = len(missing)
    for end in ends:
        if end.won and end.game in missing:
            missing.discard(end.game)
            if not missing:
                return _award("every_type", "Master of all", f"Won a match of each of the {count} types.", end)
    return None


def _wins_in_a_row(ends: Sequence[End]) -> Award | None:
    row = 0
    for end in ends:
        row = row + 1 if end.won else 0
        if row == _IN_A_ROW:
            return _award("wins_in_a_row", "Unbeaten", f"Won {_IN_A_ROW} matches in a row.", end)
    return None


def _never_candidate(ends: Sequence[End]) -> Award | None:
    if len(ends) < _UNTOUCHED or any(end.candidate for end in ends):
        return None
    text = f"Never the Elimination Candidate in {len(ends)} matches."
    return _award("never_candidate", "Untouched", text, ends[_UNTOUCHED - 1])


def _many(ends: Sequence[End]) -> Award | None:
    reached = max((count for count in _MANY if count <= len(ends)), default=0)
    text = f"Played {reached} matches to the end."
    return _award("many_matches", f"{reached} matches", text, ends[reached - 1]) if reached else None


def _award(name: str, title: str, text: str, end: End) -> Award:
    return Award(name, title, text, end.match, end.title, end.at)


# -- lists ---------------------------------------------------------------------------------------


def played_by(person: User) -> QuerySet[Player]:
    """A person's places in public matches, the last joined first."""
    return Player.objects.filter(shown_to_all("match__"), user=person).order_by("-pk")


def hosted_by(person: User) -> QuerySet[Match]:
    """The public matches that a person hosts, newest first."""
    return roles.hosted_by(person).filter(shown_to_all()).order_by("-pk")


def played_page(person: User, after: str, most: int) -> Page[Line]:
    """A page of the public matches in which a person plays. Raises `UnknownPlace`."""
    found = played_by(person)
    if after:
        (pk,) = place_of(found.filter(match__public_id=after).values_list("pk"))
        found = found.filter(pk__lt=pk)
    return page_of(played_lines(found[: most + 1]), most, lambda line: line.match)


def hosted_page(person: User, after: str, most: int) -> Page[Line]:
    """A page of the public matches that a person hosts. Raises `UnknownPlace`."""
    found = hosted_by(person)
    if after:
        (pk,) = place_of(found.filter(public_id=after).values_list("pk"))
        found = found.filter(pk__lt=pk)
    return page_of(hosted_lines(found[: most + 1]), most, lambda line: line.match)


_OF_MATCH = ("public_id", "title", "game", "status", "starts_at", "start_problem", "opened_at", "finished_at")


def played_lines(parts: QuerySet[Player]) -> list[Line]:
    """A person's places as lines, without reading states."""
    ended = {name: F(f"result__{name}") for name in ("won", "tokens", "candidate")}
    of_match = {name: F(f"match__{name}") for name in _OF_MATCH}
    rows: Iterable[Any] = parts.values(**of_match, **ended)
    return [_line(row, won=row["won"], tokens=row["tokens"], candidate=row["candidate"]) for row in rows]


def hosted_lines(matches: QuerySet[Match]) -> list[Line]:
    """Hosted matches as lines, without reading states."""
    return [_line(row, won=None, tokens=None, candidate=None) for row in matches.values(*_OF_MATCH)]


def _line(row: dict[str, Any], **ended: Any) -> Line:
    return Line(
        match=row["public_id"],
        title=row["title"],
        game=row["game"],
        game_title=_title_of(row["game"]),
        status=row["status"],
        at=row["finished_at"] or row["opened_at"] or (None if row["start_problem"] else row["starts_at"]),
        **ended,
    )
