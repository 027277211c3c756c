"""The state of a match of The MVP."""

import msgspec

from matches.engine.core import Sealed, State
from matches.games.the_mvp.cards import PLACES
from matches.games.the_mvp.config import Config

CHIP = "chip"

Bids = dict[str, int]
"""Place -> chips, all positive, in place order."""

Standing = dict[str, dict[str, int]]
"""Place -> player -> chips, all positive: the standing bids."""


class Claim(msgspec.Struct, frozen=True):
    """A card that a team has claimed in a round. `paid`: player -> their chips on it, in list order; secret."""

    team: str
    round: int
    paid: dict[str, int]

    @property
    def total(self) -> int:
        """The chips that the team paid."""
        return sum(self.paid.values())

    @property
    def controller(self) -> str | None:
        """The team's highest bidder; None in a tie. Secret until the play is over."""
        most = max(self.paid.values())
        highest = [player for player, amount in self.paid.items() if amount == most]
        return highest[0] if len(highest) == 1 else None


class Flagged(msgspec.Struct, frozen=True):
    """A card that a team flagged at the close of a round, with the team's total then."""

    place: str
    team: str
    total: int


class ClosedRound(msgspec.Struct, frozen=True):
    """A round that is over. `claimed` (in place order), `flagged` and `shown` (cards that came face up) are public.
    `adds` and `returned`, by player, are never shown to others, even after the match."""

    claimed: tuple[str, ...] = ()
    flagged: tuple[Flagged, ...] = ()
    shown: tuple[str, ...] = ()
    adds: dict[str, Bids] = {}
    returned: dict[str, Bids] = {}


class Bought(msgspec.Struct, frozen=True):
    """A question that a player has paid for: `card` lies at `place`. `kind`: which of them the player asked for
    (`identity`: the card, `location`: the place). The player gets the answer when the round closes."""

    player: str
    kind: str
    place: str
    card: str
    round: int
    price: int


class MvpState(State[Config], frozen=True):
    """The state of a match of The MVP.

    `deck`: place -> card, secret unless face up. `round`: the open round or, after the play, the last one, counted from
    1. `sealed`: the bids of the open round, by player. `standing`: the bids of earlier rounds. `flags`: place -> team.
    `claims`: place -> claim, in the order of claiming. `ending`: why the play is over, empty until then.
    """

    deck: dict[str, str]
    round: int = 1
    sealed: dict[str, Sealed[Bids]] = {}
    standing: Standing = {}
    flags: dict[str, str] = {}
    claims: dict[str, Claim] = {}
    closed: tuple[ClosedRound, ...] = ()
    bought: tuple[Bought, ...] = ()
    ending: str = ""

    @property
    def team_of(self) -> dict[str, str]:
        """Player -> team, in list order."""
        return {entrant.handle: entrant.team or "" for entrant in self.core.roster}

    @property
    def left(self) -> tuple[str, ...]:
        """The places whose cards nobody has claimed."""
        return tuple(place for place in PLACES if place not in self.claims)

    @property
    def is_last(self) -> bool:
        """Whether no round can follow this one."""
        return self.round == self.config.max_rounds

    def claimed_by(self, team: str) -> tuple[str, ...]:
        """The places whose cards a team has claimed, in place order."""
        return tuple(place for place in PLACES if place in self.claims and self.claims[place].team == team)

    def standing_of(self, player: str) -> Bids:
        """A player's standing bids, in place order."""
        return {place: self.standing[place][player] for place in PLACES if player in self.standing.get(place, {})}

    def total_on(self, place: str, team: str) -> int:
        """The sum of a team's standing bids on a card."""
        team_of = self.team_of
        return sum(amount for player, amount in self.standing.get(place, {}).items() if team_of[player] == team)
