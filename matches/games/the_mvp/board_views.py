"""The pattern of cards as everyone sees it."""

from __future__ import annotations

import msgspec

from matches.games.the_mvp.cards import RANK_OF, SUIT_OF
from matches.games.the_mvp.pattern import COVERED_BY, PLACES, POSITIONS, exposures
from matches.games.the_mvp.state import MvpState


class PlaceView(msgspec.Struct, frozen=True):
    """One of the 24 places as everyone sees it.

    `x` (half steps from the left, 0 to 10) and `y` (row from the top, 0 to 4) are its position. `state`: `exposed`,
    `nearly` (only exposed cards cover it), `hidden`, or `claimed` (the card has left the pattern). `card`, `suit` and
    `rank` are None while the card is secret. `covered_by`: the places whose cards cover it now; `covers`: those that it
    covers. `team` flags the card (`exposed`) or has claimed it (`claimed`) with `total` chips, since round `since`; all
    three are None if no team has.
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
        """Whether its card is in the pattern and face up."""
        return self.state in ("exposed", "nearly")

    @property
    def flag(self) -> str | None:
        """The team that flags the card, or None."""
        return self.team if self.state == "exposed" else None

    @property
    def to_take(self) -> int | None:
        """How many chips the team without the flag needs, in all, to take it from this total; None without a flag."""
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
    """The team that has claimed or flags the card, its chips, and since which round."""
    if place in state.claims:
        claim = state.claims[place]
        return claim.team, claim.total, claim.round
    if place in state.flags:
        team = state.flags[place]
        return team, state.total_on(place, team), flagged_in[place]
    return None, None, None
