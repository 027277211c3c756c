"""Going out, withdrawing, and the end of the season."""

from __future__ import annotations

import msgspec

from seasons.engine import money
from seasons.engine.state import ENDED, IN, OUT, WITHDRAWN, Exit, Member
from seasons.engine.turn import Turn


def go_out(turn: Turn, *losers: str, winner: str | None = None, note: str = "") -> None:
    """These members go out at the same moment. Their place is the number of members who were in before it."""
    state = turn.state
    last = state.last_exit
    exit_ = last if last is not None and last.at == turn.now else Exit(turn.now, len(state.handles_in()))
    turn.change(last_exit=exit_)
    for loser in losers:
        _set(turn, loser, status=OUT, place=exit_.place)
        money.forfeit(turn, loser, winner)
        turn.announce("went_out", player=loser, place=exit_.place, reason=note)
    money.publish(turn)


def withdraw(turn: Turn, handle: str, note: str) -> None:
    """A member leaves the season; what they have stays theirs."""
    _set(turn, handle, status=WITHDRAWN)
    turn.announce("withdrew", player=handle, reason=note)


def end_if_decided(turn: Turn) -> None:
    """End the season if at most one member is in."""
    if turn.state.phase != ENDED and len(turn.state.handles_in()) <= 1:
        end(turn)


def end(turn: Turn) -> None:
    """End the season: all who are in share the first place. Whatever was still to be decided is void."""
    winners = turn.state.handles_in()
    for handle in winners:
        _set(turn, handle, place=1)
    turn.change(phase=ENDED, after=None, waiting=(), growth=None)
    money.publish(turn)
    turn.announce("season_ended", winners=list(winners))


def _set(turn: Turn, handle: str, **fields: object) -> None:
    members = turn.state.members
    turn.change(members=tuple(_with(each, fields) if each.handle == handle else each for each in members))


def _with(member: Member, fields: dict[str, object]) -> Member:
    return msgspec.structs.replace(member, **fields)


def is_in(turn: Turn, handle: str) -> bool:
    """Whether a member is still in."""
    member = turn.state.member(handle)
    return member is not None and member.status == IN
