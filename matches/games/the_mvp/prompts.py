"""What a player is asked to do now, and what happens if they do nothing, from what that player may know."""

from __future__ import annotations

from matches.engine.core import RUNNING
from matches.engine.match_time import seconds
from matches.engine.sentences import counted, joined
from matches.engine.views import Ask
from matches.games.the_mvp.pattern import PLACES
from matches.games.the_mvp.state import MvpState


def asked(state: MvpState, player: str) -> tuple[Ask, ...]:
    """Ask for bids until there are some in this round."""
    if state.core.phase != RUNNING or player in state.sealed:
        return ()
    text = f"You can add chips to the cards of round {state.round}."
    return (Ask("bid", text, seconds(state.config.closes_at(state.round))),)


def if_idle(state: MvpState, player: str) -> str:
    """What happens if the player does nothing."""
    if state.core.phase != RUNNING:
        return ""
    box, standing = state.sealed.get(player), state.standing_of(player)
    adds = box.value if box else {}
    text = "If you do nothing, you add no chips"
    if adds:
        added = [f"{amount} to {place}" for place, amount in adds.items()]
        text = f"If you do nothing, the chips that you have sealed count when the round closes: {joined(added)}"
    if standing:
        many = len(standing) > 1
        bids = f"{counted(sum(standing.values()), 'chip')} on {joined(standing)}"
        text = f"{text}; your standing bid{'s' if many else ''} of {bids} still count{'' if many else 's'}"
    chips = {place: standing.get(place, 0) + adds.get(place, 0) for place in PLACES}
    return f"{text}.{_if_claimed(state, player, chips)}"


def _if_claimed(state: MvpState, player: str, chips: dict[str, int]) -> str:
    """What the player pays at the close for cards with the own team's flag."""
    own = state.team_of[player]
    flagged = [place for place, amount in chips.items() if amount and state.flags.get(place) == own]
    if not flagged:
        return ""
    paid = counted(sum(chips[place] for place in flagged), "chip")
    where = "on a card" if len(flagged) > 1 else "on it"
    unless = f"unless the other team then has more {where}"
    return f" Your team claims {joined(flagged)}, and you pay your {paid} there, {unless}."
