"""After a match: settlement, candidates, the opponent, the Death Match."""

from __future__ import annotations

import msgspec

from matches.engine.draw import Draw
from matches.engine.ledger import balance
from seasons.engine import exits, money
from seasons.engine.settings import AUTOMATIC, BY_CANDIDATE, NOBODY
from seasons.engine.state import (
    ASSETS,
    DEATH_MATCH,
    OPPONENT,
    RUNNING,
    After,
    MatchResult,
    SeasonMatch,
    SeasonState,
)
from seasons.engine.turn import Turn


def match_is_over(turn: Turn, key: str, result: MatchResult) -> None:
    """A match has ended: settle it at once, or keep its result until a host has confirmed it. A cancelled one has no
    result that anybody could confirm."""
    match = _match(turn, key)
    if turn.state.settings.settlement == AUTOMATIC or result.cancelled:
        settle(turn, match, result)
        return
    found = msgspec.structs.replace(match, result=result)
    turn.change(matches=tuple(found if each.key == key else each for each in turn.state.matches))
    turn.tell_hosts("confirm_asked", match=key)


def settle(turn: Turn, match: SeasonMatch, result: MatchResult) -> None:
    """Give back what the players have, and begin what follows from the match."""
    turn.change(matches=tuple(each for each in turn.state.matches if each.key != match.key))
    if result.cancelled:
        money.give_back(turn, match, match.brought, "cancelled")
        money.publish(turn)
        turn.announce("match_void", match=match.key)
        return
    money.give_back(turn, match, result.final, "returned")
    money.publish(turn)
    turn.announce("match_settled", match=match.key, winners=list(result.winners), candidates=list(result.candidates))
    if match.is_death_match:
        _decide_death_match(turn, result)
        return
    found = After(match.key, result.candidates, result.tokens)
    turn.change(waiting=(*turn.state.waiting, found))
    go_on(turn)


def go_on(turn: Turn) -> None:
    """Begin the next thing to be done, if nothing is under way."""
    while turn.state.phase == RUNNING and turn.state.waiting:
        first, *rest = turn.state.waiting
        turn.change(waiting=tuple(rest))
        _begin(turn, first)


def _begin(turn: Turn, after: After) -> None:
    candidates = tuple(each for each in after.candidates if exits.is_in(turn, each))
    if not candidates:
        return
    if turn.state.settings.opponent == NOBODY:
        exits.go_out(turn, *candidates)
        exits.end_if_decided(turn)
        return
    after = msgspec.structs.replace(after, candidates=candidates)
    if len(candidates) > 1:
        _meet(turn, after, candidates, "both_candidates")
        return
    options = eligible(turn.state, after)
    if len(options) == 1:
        _meet(turn, after, (*candidates, options[0]), "only_one")
        return
    closes = turn.now + turn.state.settings.decision_time
    turn.change(phase=OPPONENT, after=msgspec.structs.replace(after, closes=closes))
    turn.announce("opponent_asked", candidate=candidates[0], by=turn.state.settings.opponent)
    if turn.state.settings.opponent == BY_CANDIDATE:
        turn.tell(candidates[0], "name_opponent", options=list(options))
    else:
        turn.tell_hosts("name_opponent_asked", candidate=candidates[0])


def eligible(state: SeasonState, after: After) -> tuple[str, ...]:
    """Who can become the opponent: members who are in, are not a candidate, and hold no Token of Life of that match;
    if there is nobody, all others who are in."""
    others = tuple(each for each in state.handles_in() if each not in after.candidates)
    return tuple(each for each in others if each not in after.immune) or others


def name_opponent(turn: Turn, opponent: str, by: str | None, note: str) -> None:
    """The opponent has been named, by the candidate or (None) by a host."""
    after = turn.state.under_way()
    _meet(turn, after, (*after.candidates, opponent), "named", by=by, note=note)


def wait_no_longer(turn: Turn, note: str) -> None:
    """The time to name an opponent ends now, so that one is drawn."""
    turn.change(after=msgspec.structs.replace(turn.state.under_way(), closes=turn.now))
    turn.announce("left_to_draw", reason=note)


def draw_opponent(turn: Turn, draw: Draw) -> None:
    """Nobody has named an opponent in time: one is drawn."""
    after = turn.state.under_way()
    opponent = draw.choice(f"opponent:{after.match}", eligible(turn.state, after))
    _meet(turn, after, (*after.candidates, opponent), "drawn")


def _meet(turn: Turn, after: After, between: tuple[str, ...], how: str, by: str | None = None, note: str = "") -> None:
    turn.change(phase=DEATH_MATCH, after=msgspec.structs.replace(after, between=between, closes=None))
    turn.announce("death_match", between=list(between), how=how, by=by, reason=note)


def _decide_death_match(turn: Turn, result: MatchResult) -> None:
    after = turn.state.after
    between = after.between if after else ()
    winners = [each for each in between if each in result.winners]
    if turn.state.phase != DEATH_MATCH or len(winners) != 1:
        turn.tell_hosts("result_asked", between=list(between))
        return
    lose(turn, next(each for each in between if each != winners[0]))


def lose(turn: Turn, loser: str, note: str = "") -> None:
    """The Death Match is decided: the loser goes out, tokens are void, and the season goes on."""
    after = turn.state.under_way()
    rivals = [each for each in after.between if each != loser]
    turn.change(phase=RUNNING, after=None)
    turn.announce("death_match_lost", loser=loser, winners=rivals)
    exits.go_out(turn, loser, winner=rivals[0] if len(rivals) == 1 else None, note=note)
    exits.end_if_decided(turn)
    go_on(turn)


def restore(turn: Turn, before: SeasonState) -> None:
    """The season is again as it was before; what has moved since moves back."""
    for member in before.members:
        for asset in ASSETS:
            amount = balance(before.purses, member.handle, asset) - turn.balance(member.handle, asset)
            turn.move(None, member.handle, asset, amount, "taken_back")
    turn.change(
        members=before.members,
        published=before.published,
        phase=before.phase,
        after=before.after,
        waiting=before.waiting,
        last_exit=before.last_exit,
    )
    turn.announce("booking_taken_back", between=list(before.under_way().between))


def _match(turn: Turn, key: str) -> SeasonMatch:
    match = turn.state.match(key)
    if match is None:
        raise LookupError(f"there is no open match {key}")
    return match
