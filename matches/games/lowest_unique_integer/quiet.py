"""The end of the auction if nobody bids any more, as everybody can see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import msgspec

from matches.games.lowest_unique_integer.board import Grid
from matches.games.lowest_unique_integer.result import token_sources, winning_seat
from matches.games.lowest_unique_integer.state import Bid

SURE, POSSIBLE = "sure", "possible"


class QuietLine(msgspec.Struct, frozen=True):
    """A player at that end. `seats`: won by then; `tokens`: of Life; `chips`: what is left of those that everybody
    started with, so the least that they own, since nobody sees what others buy. `danger`: see `danger`."""

    handle: str
    seats: tuple[str, ...]
    tokens: int
    chips: int
    danger: str


class QuietEnd(msgspec.Struct, frozen=True):
    """That end. `winner`, `seat` and `amount` are None if no seat is won by then. `unprotected`: everybody has a token,
    so that no token protects anybody."""

    winner: str | None
    seat: str | None
    amount: int | None
    lines: tuple[QuietLine, ...]
    unprotected: bool

    def line(self, handle: str) -> QuietLine:
        """A player's line."""
        return next(line for line in self.lines if line.handle == handle)


def quiet_end(
    grid: Grid,
    winner_tokens: int,
    chips: int,
    loser_chips: int,
    held: Mapping[str, int],
    won: Mapping[str, Bid],
) -> QuietEnd:
    """The end with these seats won, of players who have started with that many chips and bought none. `held`: player ->
    tokens before it, of all players."""
    seat = winning_seat(won)
    tokens = Counter[str](held)
    for _, player, count, _ in token_sources(grid, winner_tokens, won):
        tokens[player] += count
    unprotected = all(tokens[handle] for handle in held)
    lines = []
    for handle in held:
        own = {each: bid.amount for each, bid in won.items() if bid.player == handle}
        left = max(chips - sum(own.values()), 0)
        near = danger(bool(tokens[handle]) and not unprotected, left, loser_chips)
        lines.append(QuietLine(handle, tuple(own), tokens[handle], left, near))
    best = won[seat] if seat else None
    return QuietEnd(
        best.player if best else None, seat, best.amount if best else None, tuple(lines), unprotected=unprotected
    )


def danger(is_immune: bool, chips: int, loser_chips: int) -> str:
    """How near to being the candidate somebody is who owns at least these chips: not at all (empty) if immune; `sure`
    to be one of those to choose from, or `possible`, if it comes to those with the fewest chips."""
    if is_immune:
        return ""
    return SURE if chips >= loser_chips else POSSIBLE
