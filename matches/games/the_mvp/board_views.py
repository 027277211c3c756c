"""The pattern of cards, and what each team's cards score, as everyone sees it."""

from functools import lru_cache
from typing import Self

import msgspec

from matches.engine.core import RUNNING
from matches.games.the_mvp.cards import (
    CARDS,
    COVERED_BY,
    PLACES,
    POSITIONS,
    RANK_OF,
    RANKS,
    SUIT_OF,
    SUITS,
    Combination,
    exposures,
    run_of,
    set_of,
)
from matches.games.the_mvp.config import TEAMS
from matches.games.the_mvp.state import MvpState

# -- board views ---------------------------------------------------------------------------------------


class PlaceView(msgspec.Struct, frozen=True):
    """One of the 24 places as everyone sees it.

    `x` (half steps from the left, 0 to 10) and `y` (row from the top, 0 to 4) are its position. `state`: `exposed`,
    `nearly` (only exposed cards cover it), `hidden`, or `claimed` (the card has left the pattern). `card`, `suit` and
    `rank` are None while the card is secret. `covered_by`: the places whose cards cover it now; `covers`: the places
    that it covers. `team` flags the card (`exposed`) or has claimed it (`claimed`) with `total` chips, since round
    `since`; all three are None if no team has.
    """

    place: str
    x: int
    y: int
    state: str
    card: str | None
    suit: str | None
    rank: int | None
    covered_by: tuple[str, ...]
    covers: tuple[str, ...]
    team: str | None = None
    total: int | None = None
    since: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether the card is in the pattern and face up."""
        return self.state in ("exposed", "nearly")

    @property
    def flag(self) -> str | None:
        """The team that flags the card, or None."""
        return self.team if self.state == "exposed" else None

    @property
    def to_take(self) -> int | None:
        """How many chips in all the team without the flag needs to take the flag at this total; None without a flag."""
        return None if self.flag is None or self.total is None else self.total + 1


def places_view(state: MvpState) -> tuple[PlaceView, ...]:
    """All places, A to X."""
    left = set(state.left)
    shown = exposures(left)
    flagged_in = {each.place: number for number, closed in enumerate(state.closed, 1) for each in closed.flagged}
    return tuple(_place(state, place, shown.get(place, "claimed"), left, flagged_in) for place in PLACES)


def _place(state: MvpState, place: str, exposure: str, left: set[str], flagged_in: dict[str, int]) -> PlaceView:
    card = None if exposure == "hidden" else state.deck[place]
    team, total, since = _held(state, place, flagged_in)
    return PlaceView(
        place=place,
        x=POSITIONS[place].x,
        y=POSITIONS[place].y,
        state=exposure,
        card=card,
        suit=None if card is None else SUIT_OF[card],
        rank=None if card is None else RANK_OF[card],
        covered_by=tuple(above for above in COVERED_BY[place] if above in left) if place in left else (),
        covers=tuple(under for under in PLACES if place in COVERED_BY[under] and under in left)
        if place in left
        else (),
        team=team,
        total=total,
        since=since,
    )


def _held(state: MvpState, place: str, flagged_in: dict[str, int]) -> tuple[str | None, int | None, int | None]:
    """The team that has claimed or flags the card, its chips, and since which round; all None if no team has."""
    if place in state.claims:
        claim = state.claims[place]
        return claim.team, claim.total, claim.round
    if place in state.flags:
        team = state.flags[place]
        return team, state.total_on(place, team), flagged_in[place]
    return None, None, None


# -- team views ----------------------------------------------------------------------------------------


class LineView(msgspec.Struct, frozen=True):
    """All cards of one rank (`kind` is `set`) or of one suit (`run`), for one team.

    `name`: the rank or the suit. `cards`: the team's own; `scoring`: those of them that score now, for `each` points
    a card and `points` in total. `free`: cards that nobody has claimed. `gone`: the other team's cards. `most`: the
    points if the team claimed all free cards; once the play is over, the same as `points`.
    """

    kind: str
    name: str
    cards: tuple[str, ...]
    scoring: tuple[str, ...]
    each: int
    points: int
    free: tuple[str, ...]
    gone: tuple[str, ...]
    most: int


class TeamView(msgspec.Struct, frozen=True):
    """A team with its claimed cards, in place order. `score`: its points now. `most`: its points if it claimed every
    free card; once the play is over, the same as `score`. `spent`: the chips that it has paid."""

    team: str
    players: tuple[str, ...]
    places: tuple[str, ...]
    cards: tuple[str, ...]
    score: int
    most: int
    spent: int
    sets: tuple[LineView, ...]
    runs: tuple[LineView, ...]

    @property
    def lines(self) -> tuple[LineView, ...]:
        """Sets, then runs."""
        return (*self.sets, *self.runs)

    @property
    def scoring(self) -> tuple[LineView, ...]:
        """The lines that score now."""
        return tuple(line for line in self.lines if line.points)

    @property
    def within_reach(self) -> tuple[LineView, ...]:
        """The lines that could still score more, if the team has a card in them."""
        return tuple(line for line in self.lines if line.cards and line.most > line.points)

    def with_free(self, cards: frozenset[str | None]) -> Self:
        """This team if it could claim only these of the free cards."""
        sets, runs = (tuple(_with_free(line, cards) for line in lines) for lines in (self.sets, self.runs))
        most = sum(line.most for line in (*sets, *runs))
        return msgspec.structs.replace(self, sets=sets, runs=runs, most=most)


def _with_free(line: LineView, cards: frozenset[str | None]) -> LineView:
    free = tuple(card for card in line.free if card in cards)
    best = _scored(line.kind, line.name, (*line.cards, *free))
    return msgspec.structs.replace(line, free=free, most=best.points if best else 0)


def teams_view(state: MvpState) -> tuple[TeamView, ...]:
    """Both teams, red first."""
    held = {team: state.claimed_by(team) for team in TEAMS}
    owners = {state.deck[place]: team for team, places in held.items() for place in places}
    return tuple(_team(state, team, held[team], owners) for team in TEAMS)


def _team(state: MvpState, team: str, places: tuple[str, ...], owners: dict[str, str]) -> TeamView:
    own = frozenset(state.deck[place] for place in places)
    sets, runs = _lines(own, frozenset(card for card, owner in owners.items() if owner != team))
    if state.core.phase != RUNNING:
        sets, runs = _settled(sets), _settled(runs)
    return TeamView(
        team=team,
        players=tuple(handle for handle, each in state.team_of.items() if each == team),
        places=places,
        cards=tuple(state.deck[place] for place in places),
        score=sum(line.points for line in (*sets, *runs)),
        most=sum(line.most for line in (*sets, *runs)),
        spent=sum(state.claims[place].total for place in places),
        sets=sets,
        runs=runs,
    )


def _settled(lines: tuple[LineView, ...]) -> tuple[LineView, ...]:
    """The lines after the play, when `most` is what the team has."""
    return tuple(msgspec.structs.replace(line, most=line.points) for line in lines)


@lru_cache(maxsize=1024)
def _lines(own: frozenset[str], gone: frozenset[str]) -> tuple[tuple[LineView, ...], tuple[LineView, ...]]:
    """The sets and runs of a team. Boards are read often, so the latest results are cached."""
    sets = tuple(
        _line("set", str(rank), tuple(card for card in CARDS if RANK_OF[card] == rank), own, gone) for rank in RANKS
    )
    runs = tuple(
        _line("run", suit, tuple(card for card in CARDS if SUIT_OF[card] == suit), own, gone) for suit in SUITS
    )
    return sets, runs


def _line(kind: str, name: str, all_of_them: tuple[str, ...], own: frozenset[str], gone: frozenset[str]) -> LineView:
    has = tuple(card for card in all_of_them if card in own)
    free = tuple(card for card in all_of_them if card not in own and card not in gone)
    now = _scored(kind, name, has)
    best = _scored(kind, name, (*has, *free))
    return LineView(
        kind=kind,
        name=name,
        cards=has,
        scoring=now.cards if now else (),
        each=now.each if now else 0,
        points=now.points if now else 0,
        free=free,
        gone=tuple(card for card in all_of_them if card in gone),
        most=best.points if best else 0,
    )


def _scored(kind: str, name: str, cards: tuple[str, ...]) -> Combination | None:
    held = frozenset(cards)
    return set_of(int(name), held) if kind == "set" else run_of(name, held)
