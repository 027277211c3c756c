"""Opening and closing rounds, and the end of the play: points, winners, garnets, Elimination Candidate."""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from matches.engine import decisions
from matches.engine.core import GARNET, TOL, replace, with_least, with_most, without_immune
from matches.engine.draw import Draw
from matches.engine.polls import voting
from matches.engine.step import Turn
from matches.games.the_mvp.cards import PLACES, Combination, combinations, exposed, exposures
from matches.games.the_mvp.config import TEAMS
from matches.games.the_mvp.state import CHIP, Bids, Claim, ClosedRound, Flagged, MvpState, Standing

# -- settling --------------------------------------------------------------------------------------------
# What happens when a round closes: which cards are claimed, which are flagged, and which chips are returned. `team_of`:
# player -> team, in list order.


class Settled(NamedTuple):
    """The result of a close. `claims`: the new ones, by place; `standing`, `flags`: those that remain; `returned`:
    player -> chips by place."""

    claims: dict[str, Claim]
    flagged: tuple[Flagged, ...]
    standing: Standing
    flags: dict[str, str]
    returned: dict[str, Bids]


def with_adds(standing: Standing, adds: Mapping[str, Bids], team_of: Mapping[str, str]) -> Standing:
    """The standing bids plus this round's `adds` (by player), on each card in list order."""
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


def settle(state: MvpState, adds: Mapping[str, Bids]) -> Settled:
    """Compare the bids, the `adds` of this round included, on the cards that were exposed when the round began, then
    once on each card that becomes exposed because others are claimed."""
    team_of, flying = state.team_of, dict(state.flags)
    standing = with_adds(state.standing, adds, team_of)
    lying = {place: dict(bids) for place, bids in standing.items()}
    claims: dict[str, Claim] = {}
    flagged: list[Flagged] = []
    returned: dict[str, Bids] = {}

    def leave_to(place: str, team: str) -> Bids:
        """Return the other team's bids on a card; those of this team stay."""
        bids = lying[place]
        for player in [player for player in bids if team_of[player] != team]:
            returned.setdefault(player, {})[place] = bids.pop(player)
        return bids

    def flag(place: str, team: str) -> None:
        flagged.append(Flagged(place, team, sum(leave_to(place, team).values())))
        flying[place] = team

    before = exposed(state.left)
    for place in before:
        leader = leading(standing.get(place, {}), team_of)
        owner = state.flags.get(place)
        # In a tie, the team with the flag claims the card.
        if owner is not None and leader in (owner, None):
            claims[place] = Claim(owner, state.round, leave_to(place, owner))
            del lying[place], flying[place]
        elif leader is not None:
            flag(place, leader)
    for place in exposed([place for place in state.left if place not in claims]):
        if place not in before and (leader := leading(standing.get(place, {}), team_of)) is not None:
            flag(place, leader)
    flagged.sort(key=lambda each: PLACES.index(each.place))
    in_order = {place: flying[place] for place in PLACES if place in flying}
    return Settled(claims, tuple(flagged), lying, in_order, returned)


# -- result --------------------------------------------------------------------------------------------

TOKENS_OF_SOLE_WINNER = 2
TOO_MANY_TOKENS = 4


class Standings(msgspec.Struct, frozen=True):
    """The points of teams and of players, in list order, by the claimed cards."""

    teams: dict[str, int]
    made: dict[str, tuple[Combination, ...]]
    scores: dict[str, int]
    controllers: dict[str, str | None]

    @property
    def tied(self) -> bool:
        """Whether the teams have equally many points."""
        return len(set(self.teams.values())) == 1

    @property
    def best_teams(self) -> tuple[str, ...]:
        """The team with the most points, or both in a tie."""
        most = max(self.teams.values())
        return tuple(team for team, points in self.teams.items() if points == most)


def standings(state: MvpState) -> Standings:
    """The points of teams and players now."""
    held = {team: state.claimed_by(team) for team in TEAMS}
    made = {team: combinations(frozenset(state.deck[place] for place in places)) for team, places in held.items()}
    controllers = {place: claim.controller for place, claim in sorted(state.claims.items())}
    by_card = {state.deck[place]: player for place, player in controllers.items()}
    scores = dict.fromkeys(state.core.handles, 0)
    for each in (each for team in TEAMS for each in made[team]):
        for card in each.cards:
            controller = by_card[card]
            if controller is not None:
                scores[controller] += each.each
    teams = {team: sum(each.points for each in made[team]) for team in TEAMS}
    return Standings(teams, made, scores, controllers)


def winners_of(state: MvpState, table: Standings) -> tuple[str, ...]:
    """The players with the most own points in the best team, or among all if the teams are tied."""
    team_of = state.team_of
    among = [player for player in state.core.handles if team_of[player] in table.best_teams]
    return with_most(among, table.scores.__getitem__)


def tokens_each(winners: tuple[str, ...]) -> int:
    """How many Tokens of Life each winner gets; 0 if there are too many winners."""
    each = TOKENS_OF_SOLE_WINNER if len(winners) == 1 else 1
    return each if each * len(winners) < TOO_MANY_TOKENS else 0


def conclude(turn: Turn, state: MvpState, draw: Draw) -> None:
    """End the play: find the winners, pay tokens and garnets, and begin the decisions, or finish if there are none."""
    table = standings(state)
    winners = winners_of(state, table)
    tokens = tokens_each(winners)
    turn.announce("play_over", how=state.ending, scores=table.teams)
    turn.announce(
        "match_won",
        players=list(winners),
        score=table.scores[winners[0]],
        team=None if table.tied else table.best_teams[0],
        tokens=tokens,
    )
    turn.winners = winners
    for player in winners:
        turn.earn(player, TOL, tokens, "winner_token")
    for player, team in state.team_of.items():
        earned = table.teams[team] // state.config.points_per_garnet
        turn.earn(player, GARNET, earned, "team_points")
        if earned:
            turn.tell(player, "garnets_earned", garnets=earned, points=table.teams[team])
    poll = voting(winners, candidates(turn, state, table))
    decisions.begin(turn, draw, polls=(poll,), window=state.config.decision_time)


def candidates(turn: Turn, state: MvpState, table: Standings) -> tuple[str, ...]:
    """The possible Elimination Candidates: the players who are not immune with the fewest own points in the losing
    team, or among all in a tie."""
    team_of = state.team_of
    among = tuple(player for player in turn.handles if table.tied or team_of[player] not in table.best_teams)
    return with_least(without_immune(turn.purses, among), table.scores.__getitem__)


# -- rounds --------------------------------------------------------------------------------------------

ALL_CLAIMED, STANDSTILL, LAST_ROUND = "all_claimed", "standstill", "last_round"


def face_up(state: MvpState) -> tuple[str, ...]:
    """The places with face-up cards."""
    return tuple(place for place, exposure in exposures(state.left).items() if exposure != "hidden")


def close(turn: Turn, state: MvpState) -> MvpState:
    """Close the open round at `turn.now`: claim and flag cards, return chips, and tell answers.

    Sets `ending` if the play is over; otherwise the caller opens the next round.
    """
    turn.touch_all()
    adds = {player: state.sealed[player].value for player in turn.handles if player in state.sealed}
    adds = {player: added for player, added in adds.items() if added}
    settled = settle(state, adds)
    seen = set(face_up(state))
    after = replace(
        state,
        sealed={},
        standing=settled.standing,
        flags=settled.flags,
        claims=state.claims | settled.claims,
    )
    closed = ClosedRound(
        claimed=tuple(settled.claims),
        flagged=settled.flagged,
        shown=tuple(place for place in face_up(after) if place not in seen),
        adds=adds,
        returned=settled.returned,
    )
    after = replace(after, closed=(*state.closed, closed))
    after = replace(after, ending=_ending(after, closed))
    _settle_chips(turn, settled)
    _announce(turn, after, closed)
    for player in turn.handles:
        _tell(turn, after, player, closed)
    return after


def _ending(state: MvpState, closed: ClosedRound) -> str:
    """Why the play is over after a round; empty if it goes on."""
    if not state.left:
        return ALL_CLAIMED
    if state.is_last:
        return LAST_ROUND
    return "" if closed.adds or closed.claimed else STANDSTILL


def _settle_chips(turn: Turn, settled: Settled) -> None:
    """Charge chips on claimed cards, and record what became of bids; only their player ever sees these records."""
    for place, claim in settled.claims.items():
        for player, amount in claim.paid.items():
            turn.bid("won", place, player, CHIP, amount, public=False)
            turn.pay(player, CHIP, amount, "card_claimed")
    for player, returned in settled.returned.items():
        for place, amount in returned.items():
            turn.bid("returned", place, player, CHIP, amount, public=False)


def _announce(turn: Turn, state: MvpState, closed: ClosedRound) -> None:
    for place in closed.claimed:
        claim = state.claims[place]
        turn.announce("card_claimed", lot=place, card=state.deck[place], team=claim.team, total=claim.total)
    for each in closed.flagged:
        turn.announce("card_flagged", lot=each.place, card=state.deck[each.place], team=each.team, total=each.total)
    if closed.shown:
        turn.announce("cards_shown", cards={place: state.deck[place] for place in closed.shown})
    if not (closed.claimed or closed.flagged):
        turn.announce("nothing_moved", round=state.round)


def _tell(turn: Turn, state: MvpState, player: str, closed: ClosedRound) -> None:
    """Tell a player privately about their chips, claimed cards and answers."""
    team = state.team_of[player]
    claims = [place for place in closed.claimed if state.claims[place].team == team]
    paid = {place: state.claims[place].paid[player] for place in claims if player in state.claims[place].paid}
    returned = closed.returned.get(player, {})
    if paid or returned:
        turn.tell(player, "chips_moved", round=state.round, paid=paid, returned=returned)
    if claims:
        own = [place for place in claims if state.claims[place].controller == player]
        others = [place for place in claims if place not in own]
        turn.tell(
            player,
            "control_known",
            own=[state.deck[place] for place in own],
            others=[state.deck[place] for place in others],
        )
    for each in state.bought:
        if each.player == player and each.round == state.round:
            turn.tell(player, "answer_bought", asked=each.kind, place=each.place, card=each.card)


def can_add(state: MvpState) -> dict[str, str]:
    """Place that can be bid on in the open round -> its exposure, in place order."""
    shown = exposures(state.left)
    allowed = ("exposed",) if state.is_last else ("exposed", "nearly")
    return {place: shown[place] for place in PLACES if shown.get(place) in allowed}
