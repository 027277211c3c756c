"""The arithmetic of a close: which cards are claimed, which are flagged, and whose chips come back.

All functions take and return plain values. `team_of` gives every player's team, in list order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from matches.games.the_mvp.config import TEAMS
from matches.games.the_mvp.pattern import PLACES, exposed
from matches.games.the_mvp.state import Bids, Flagged, Standing


class Paid(NamedTuple):
    """A newly claimed card, and what each player of the team had on it, in list order."""

    place: str
    team: str
    bids: Bids


class Settled(NamedTuple):
    """The result of a close. `standing` and `flags`: those that remain; `returned`: by player."""

    claims: tuple[Paid, ...]
    flagged: tuple[Flagged, ...]
    standing: Standing
    flags: dict[str, str]
    returned: dict[str, Bids]


def with_adds(standing: Standing, adds: Mapping[str, Bids], team_of: Mapping[str, str]) -> Standing:
    """The standing bids plus this round's (by player); on each card in list order."""
    both: Standing = {}
    for place in PLACES:
        before = standing.get(place, {})
        sums = {player: before.get(player, 0) + adds.get(player, {}).get(place, 0) for player in team_of}
        if any(sums.values()):
            both[place] = {player: amount for player, amount in sums.items() if amount}
    return both


def leading(bids: Mapping[str, int], team_of: Mapping[str, str]) -> str | None:
    """The team with more chips on a card; None in a tie."""
    sums = dict.fromkeys(TEAMS, 0)
    for player, amount in bids.items():
        sums[team_of[player]] += amount
    red, green = TEAMS
    if sums[red] == sums[green]:
        return None
    return red if sums[red] > sums[green] else green


def settle(left: Iterable[str], standing: Standing, flags: Mapping[str, str], team_of: Mapping[str, str]) -> Settled:
    """Compare the bids, this round's included, on the cards that were exposed when the round began, then once on each
    card that becomes exposed because others are claimed. `left`: the places that still have their cards."""
    close = _Close(standing, flags, team_of)
    there = tuple(left)
    before = exposed(there)
    for place in before:
        leader = leading(standing.get(place, {}), team_of)
        flag = flags.get(place)
        # In a tie the team with the flag claims the card, as if it were ahead.
        if flag is not None and leader in (flag, None):
            close.claim(place, flag)
        elif leader is not None:
            close.flag(place, leader)
    claimed = {claim.place for claim in close.claims}
    for place in exposed([place for place in there if place not in claimed]):
        if place not in before and (leader := leading(standing.get(place, {}), team_of)) is not None:
            close.flag(place, leader)
    return close.settled()


class _Close:
    """The data of one close while it is worked out."""

    def __init__(self, standing: Standing, flags: Mapping[str, str], team_of: Mapping[str, str]) -> None:
        self._standing = {place: dict(bids) for place, bids in standing.items()}
        self._flags = dict(flags)
        self._team_of = team_of
        self._flagged: list[Flagged] = []
        self._returned: dict[str, Bids] = {}
        self.claims: list[Paid] = []

    def claim(self, place: str, team: str) -> None:
        """The team pays what it has on the card, the others get theirs back, and the card leaves."""
        self._give_back(place, team)
        self.claims.append(Paid(place, team, self._standing.pop(place)))
        del self._flags[place]

    def flag(self, place: str, team: str) -> None:
        """The team's bids stay on the card, the others get theirs back."""
        self._give_back(place, team)
        self._flags[place] = team
        self._flagged.append(Flagged(place, team, sum(self._standing[place].values())))

    def settled(self) -> Settled:
        flagged = sorted(self._flagged, key=lambda each: PLACES.index(each.place))
        flags = {place: self._flags[place] for place in PLACES if place in self._flags}
        return Settled(tuple(self.claims), tuple(flagged), self._standing, flags, self._returned)

    def _give_back(self, place: str, team: str) -> None:
        bids = self._standing[place]
        for player in [player for player in bids if self._team_of[player] != team]:
            self._returned.setdefault(player, {})[place] = bids.pop(player)
