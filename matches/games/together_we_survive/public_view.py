"""The public view. Only this module creates it."""

from datetime import timedelta
from typing import NamedTuple

import msgspec

from matches.engine.core import DECISION, FINISHED
from matches.engine.match_time import seconds
from matches.engine.sealed_rounds import PublicInRounds, round_fields
from matches.engine.sentences import counted
from matches.engine.views import MatchTime, WhoLeads, public_fields, settings_shown
from matches.games.together_we_survive.config import A, B
from matches.games.together_we_survive.result_views import ResultView, result_view
from matches.games.together_we_survive.state import SurviveState

_ROOM = 200
"""How many cells the table of rounds and players may have on the page. With sixty players it shows three rounds."""


class Cell(NamedTuple):
    """A player's round in a table. `votes`: received, None after the player left the stage; `gained`: the tokens for
    them, None in group A; `kind`: what the player submitted; `note`: `left` the stage, had the `most` votes, or
    empty."""

    votes: int | None
    gained: int | None
    kind: str
    note: str


class StageView(msgspec.Struct, frozen=True):
    """A player of group A as everyone sees them.

    `left`: the round in which they left the stage, None while on it. `votes`: received in each past round, in order;
    None for rounds after they left. `kinds`: what they submitted in each past round (`A`, `B`, `both`, `none`).
    """

    handle: str
    on_stage: bool
    left: int | None
    votes: tuple[int | None, ...]
    kinds: tuple[str, ...]

    @property
    def last_votes(self) -> int | None:
        """The votes received in the round that closed last."""
        return self.votes[-1] if self.votes else None

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The past rounds, in order."""
        rounds = enumerate(zip(self.votes, self.kinds, strict=True), 1)
        return tuple(Cell(votes, None, kind, "left" if n == self.left else "") for n, (votes, kind) in rounds)


class ShareView(msgspec.Struct, frozen=True):
    """A player of group B as everyone sees them.

    `votes`, `gained`: votes received and tokens gained in each past round, in order; `gained_in_all`: the sum of
    `gained`. `tokens`: how many they have left, None until the play is over. `kinds`: as in `StageView`.
    """

    handle: str
    votes: tuple[int, ...]
    gained: tuple[int, ...]
    gained_in_all: int
    tokens: int | None
    kinds: tuple[str, ...]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The past rounds, in order. Players with votes who gained nothing had the most votes."""
        rounds = zip(self.votes, self.gained, self.kinds, strict=True)
        return tuple(Cell(votes, won, kind, "most" if votes and not won else "") for votes, won, kind in rounds)


class RoundView(msgspec.Struct, frozen=True):
    """A round that is over.

    `automatic`: only one player was on stage, so it closed together with the round before, and nobody could submit.
    `kinds`: what each player submitted. `votes_a`: received by each player who was on stage; `kicked_out`: the players
    with the fewest. `votes_b`: received by each player of group B; `gained`: the tokens for them; `most`: the players
    with the most votes, who got nothing; empty if nobody got a vote.
    """

    round: int
    closed_at: MatchTime
    automatic: bool
    kinds: dict[str, str]
    votes_a: dict[str, int]
    kicked_out: tuple[str, ...]
    votes_b: dict[str, int]
    gained: dict[str, int]
    most: tuple[str, ...]

    @property
    def fewest(self) -> int:
        """The number of votes of the players who had to leave the stage."""
        return min(self.votes_a.values())

    @property
    def highest(self) -> int:
        """The most votes that a player of group B received."""
        return max(self.votes_b.values())


class SurvivePublic(PublicInRounds, frozen=True, kw_only=True):
    """The public board. Times are match times.

    `group_a`, `group_b`: the players of each group, in list order. `history`: the rounds that are over, in order.
    `tokens_a` to `mass_win`: settings. `result`: None until the play is over.
    """

    group_a: tuple[StageView, ...]
    group_b: tuple[ShareView, ...]
    history: tuple[RoundView, ...]
    tokens_a: int
    tokens_b: int
    both_price: int
    tokens_per_garnet: int
    mass_win: int
    result: ResultView | None

    @property
    def on_stage(self) -> tuple[str, ...]:
        """The players on stage, in list order."""
        return tuple(player.handle for player in self.group_a if player.on_stage)

    @property
    def who_leads(self) -> WhoLeads:
        """A line for each player, but no leaders, because the tokens of group B are secret."""
        lines = {each.handle: "on stage" if each.on_stage else f"left in round {each.left}" for each in self.group_a}
        for each in self.group_b:
            lines[each.handle] = (
                f"{counted(each.gained_in_all, 'token')} gained"
                if each.tokens is None
                else f"{counted(each.tokens, 'token')} at the end"
            )
        on_stage = f"{len(self.on_stage)} of {len(self.group_a)} on stage" if self.on_stage else "The stage is empty"
        return WhoLeads(why=f"{on_stage}; the tokens of group B are secret", lines=lines)

    @property
    def kicked_out(self) -> tuple[StageView, ...]:
        """The players who left the stage, latest round first; within a round in list order."""
        return tuple(
            sorted((each for each in self.group_a if each.left is not None), key=lambda each: -(each.left or 0))
        )

    @property
    def prospering(self) -> tuple[str, ...]:
        """The players of group B, in list order."""
        return tuple(player.handle for player in self.group_b)

    @property
    def rounds_over(self) -> tuple[int, ...]:
        """The numbers of the rounds that are over, for table headers."""
        return tuple(each.round for each in self.history)

    @property
    def earlier_rounds(self) -> int:
        """How many of the first rounds the page of the match leaves out for lack of room."""
        return max(0, len(self.history) - _ROOM // len(self.players))

    @property
    def closed_alone(self) -> int | None:
        """The round that closed automatically, because only one player was left on stage; None if none did."""
        return next((each.round for each in self.history if each.automatic), None)

    @property
    def last_votes(self) -> dict[str, int]:
        """Handle -> votes received in the round that closed last, for everybody who could get any."""
        last = self.history[-1] if self.history else None
        return {**last.votes_a, **last.votes_b} if last else {}

    @property
    def vote_fields(self) -> tuple[str, ...]:
        """The form's field names for all votes that can be made now, of both kinds."""
        return tuple(f"votes[{handle}]" for handle in (*self.on_stage, *self.prospering))


def public_view(state: SurviveState, next_deadline: timedelta | None) -> SurvivePublic:
    """The public view of a match."""
    core, config = state.core, state.config
    return SurvivePublic(
        **public_fields(core, next_deadline),
        **round_fields(core, config, state.round),
        **settings_shown(config, "tokens_a", "tokens_b", "both_price", "tokens_per_garnet", "mass_win"),
        group_a=_stage(state),
        group_b=_shares(state),
        history=_history(state),
        result=result_view(state) if core.phase in (DECISION, FINISHED) else None,
    )


def _stage(state: SurviveState) -> tuple[StageView, ...]:
    left = state.left
    return tuple(
        StageView(
            handle=player,
            on_stage=player not in left,
            left=left.get(player),
            votes=tuple(each.votes_a.get(player) for each in state.closed),
            kinds=_kinds(state, player),
        )
        for player in state.group(A)
    )


def _shares(state: SurviveState) -> tuple[ShareView, ...]:
    found = []
    for player in state.group(B):
        gained = tuple(each.gained[player] for each in state.closed)
        found.append(
            ShareView(
                handle=player,
                votes=tuple(each.votes_b[player] for each in state.closed),
                gained=gained,
                gained_in_all=sum(gained),
                # Empty until the play is over.
                tokens=state.final_tokens.get(player),
                kinds=_kinds(state, player),
            )
        )
    return tuple(found)


def _kinds(state: SurviveState, player: str) -> tuple[str, ...]:
    return tuple(each.kinds[player] for each in state.closed)


def _history(state: SurviveState) -> tuple[RoundView, ...]:
    shown = []
    for number, each in enumerate(state.closed, 1):
        highest = max(each.votes_b.values())
        shown.append(
            RoundView(
                round=number,
                closed_at=seconds(state.config.closes_at(number - each.automatic)),
                automatic=each.automatic,
                kinds=each.kinds,
                votes_a=each.votes_a,
                kicked_out=each.kicked_out,
                votes_b=each.votes_b,
                gained=each.gained,
                most=tuple(player for player, votes in each.votes_b.items() if votes == highest) if highest else (),
            )
        )
    return tuple(shown)
