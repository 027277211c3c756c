"""Closing a round and starting the next one."""

from __future__ import annotations

import msgspec

from matches.engine.step import Turn
from matches.games.the_mvp.pattern import PLACES, exposures
from matches.games.the_mvp.settling import Settled, settle, with_adds
from matches.games.the_mvp.state import CHIP, Claim, ClosedRound, MvpState

replace = msgspec.structs.replace

ALL_CLAIMED, STANDSTILL, LAST_ROUND = "all_claimed", "standstill", "last_round"


def face_up(state: MvpState) -> tuple[str, ...]:
    """The places whose cards are in the pattern and face up."""
    return tuple(place for place, exposure in exposures(state.left).items() if exposure != "hidden")


def announce_round(turn: Turn, state: MvpState) -> None:
    """Tell everyone that the state's round is open."""
    turn.announce("round_opened", round=state.round, rounds=state.config.max_rounds)


def close(turn: Turn, state: MvpState) -> MvpState:
    """Close the open round at `turn.now`: cards are claimed and flagged, chips come back, answers are told.

    `ending` is set if the play is over; if not, the next round is not open yet.
    """
    turn.touch_all()
    adds = {player: state.sealed[player].value for player in turn.handles if player in state.sealed}
    adds = {player: added for player, added in adds.items() if added}
    settled = settle(state.left, with_adds(state.standing, adds, state.team_of), state.flags, state.team_of)
    seen = set(face_up(state))
    claims = {each.place: Claim(each.team, state.round, each.bids) for each in settled.claims}
    after = replace(
        state,
        sealed={},
        standing=settled.standing,
        flags=settled.flags,
        claims=state.claims | claims,
    )
    closed = ClosedRound(
        claimed=tuple(claims),
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
    """Why the play is over after this round; empty if it goes on."""
    if not state.left:
        return ALL_CLAIMED
    if state.is_last:
        return LAST_ROUND
    return "" if closed.adds or closed.claimed else STANDSTILL


def _settle_chips(turn: Turn, settled: Settled) -> None:
    """Book what is paid and what comes back; only the owner ever sees these bids."""
    for claim in settled.claims:
        for player, amount in claim.bids.items():
            turn.bid("won", claim.place, player, CHIP, amount, public=False)
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
    """Tell a player privately what became of their chips, cards and questions."""
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
    """The places that can be bid on in the open round -> how far they are uncovered, in place order."""
    shown = exposures(state.left)
    allowed = ("exposed",) if state.is_last else ("exposed", "nearly")
    return {place: shown[place] for place in PLACES if shown.get(place) in allowed}
