"""Opening and closing rounds."""

from datetime import timedelta

from matches.engine.core import DECISION, replace
from matches.engine.draw import Draw
from matches.engine.match_time import DAY
from matches.engine.step import Turn
from matches.games.hosts_match.config import AT_ONCE
from matches.games.hosts_match.state import JUDGING, OPEN, OVER, WAITING, Closed, HostState


def deadline(state: HostState) -> timedelta | None:
    """When the round opens or closes; None while hosts judge it."""
    return {WAITING: state.opens, OPEN: state.closes}.get(state.stage) if state.stage != OVER else None


def advance(turn: Turn, state: HostState, draw: Draw) -> HostState:
    """Open the round, or close it: then its answers are final, and its hosts judge it."""
    turn.touch_all()
    if state.stage == WAITING:
        return opened(turn, state)
    answers = {player: state.sealed[player].value for player in turn.handles if player in state.sealed}
    turn.announce("round_closed", round=state.round)
    turn.tell_hosts("result_asked", round=state.round)
    past = (*state.past, Closed(state.this, answers, turn.now))
    return replace(state, stage=JUDGING, sealed={}, past=past)


def opened(turn: Turn, state: HostState) -> HostState:
    """The state with its round open from now on."""
    turn.announce("round_opened", round=state.round, title=state.this.title)
    return replace(state, stage=OPEN, opens=turn.now)


def follow(turn: Turn, state: HostState) -> HostState:
    """What comes after a result: the next round, at once or at the next full day, or the end of the play."""
    turn.touch_all()
    if state.is_last:
        return ended(turn, state)
    state = replace(state, round=state.round + 1)
    opens = turn.now if state.config.opens == AT_ONCE else -(-turn.now // DAY) * DAY
    return opened(turn, state) if opens == turn.now else replace(state, stage=WAITING, opens=opens)


def ended(turn: Turn, state: HostState) -> HostState:
    """The play is over: the hosts say who has won."""
    turn.phase = DECISION
    turn.announce("play_ended")
    turn.tell_hosts("decision_asked_of_hosts")
    turn.touch_all()
    return replace(state, stage=OVER)
