"""What follows from a match: settlement, candidates, opponent, Death Match, who goes out, the season's end."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from matches.engine.core import BLOOD_GARNET, GARNET, PRIORITY, Posting, apply_postings, balance
from matches.engine.draw import Draw
from matches.engine.match_time import DAY
from seasons.engine.state import (
    ASSETS,
    AUTOMATIC,
    BY_CANDIDATE,
    DEATH_MATCH,
    ENDED,
    IN,
    LOST,
    MOST_BLOOD,
    NOBODY,
    OPPONENT,
    OUT,
    RUNNING,
    TO_WINNER,
    WITHDRAWN,
    After,
    Brought,
    Exit,
    Growth,
    MatchResult,
    SeasonMatch,
    SeasonState,
    Turn,
)

# -- amounts that move between members' accounts, matches and the bank ---------------------------------------


def bring(turn: Turn, key: str, players: Iterable[str]) -> dict[str, Brought]:
    """Move all garnets and priority of these players into a match; return what each brought."""
    brought = {}
    for handle in players:
        amounts = Brought(turn.balance(handle, GARNET), turn.balance(handle, PRIORITY))
        turn.move(handle, None, GARNET, amounts.garnet, "brought", match=key)
        turn.move(handle, None, PRIORITY, amounts.priority, "brought", match=key)
        brought[handle] = amounts
    return brought


def give_back(turn: Turn, match: SeasonMatch, final: dict[str, Brought], reason: str) -> None:
    """Move each player's amounts from a match back to their account."""
    for handle in match.brought:
        amounts = final.get(handle, Brought())
        turn.move(None, handle, GARNET, amounts.garnet, reason, match=match.key)
        turn.move(None, handle, PRIORITY, amounts.priority, reason, match=match.key)


def publish(turn: Turn) -> None:
    """Make the present balances public; for players in an open match including what they brought there."""
    inside = [
        Posting(None, handle, asset, amount, "brought")
        for match in turn.state.matches
        for handle, amounts in match.brought.items()
        for asset, amount in ((GARNET, amounts.garnet), (PRIORITY, amounts.priority))
    ]
    turn.change(published=apply_postings(turn.state.purses, inside))


def forfeit(turn: Turn, loser: str, winner: str | None) -> None:
    """Move the garnets of somebody who goes out, as `loser_garnets` says; a debt stays theirs. Without a winner, as
    when there was no Death Match, the garnets are lost."""
    rule = turn.state.settings.loser_garnets
    if rule not in (LOST, TO_WINNER):
        return
    receiver = winner if rule == TO_WINNER else None
    for asset in (GARNET, BLOOD_GARNET):
        amount = max(turn.balance(loser, asset), 0)
        turn.move(loser, receiver, asset, amount, "taken_over" if receiver else "lost")


def grown(units: int) -> int:
    """Return 1.1 times an amount of blood garnets in units, rounded half to even."""
    whole, rest = divmod(units * 11, 10)
    return min(whole + (rest > 5 or (rest == 5 and whole % 2 == 1)), MOST_BLOOD)


def grow(turn: Turn, growth: Growth) -> None:
    """Grow every positive balance of blood garnets once, and schedule the next growth."""
    for member in turn.state.members:
        units = turn.balance(member.handle, BLOOD_GARNET)
        if units > 0:
            turn.move(None, member.handle, BLOOD_GARNET, max(grown(units) - units, 0), "growth")
    turn.change(growth=msgspec.structs.replace(growth, next=turn.now + DAY))


# -- going out, withdrawing, and the end of the season -------------------------------------------------------


def go_out(turn: Turn, *losers: str, against: Sequence[str] = (), note: str = "", **more: Any) -> None:
    """Take members out at the same moment, perhaps by a Death Match or final against others. Their place is the number
    of members who were in just before."""
    winner = against[0] if len(against) == 1 else None
    state = turn.state
    last = state.last_exit
    exit_ = last if last is not None and last.at == turn.now else Exit(turn.now, len(state.handles_in()))
    turn.change(last_exit=exit_)
    for loser in losers:
        _set(turn, loser, status=OUT, place=exit_.place)
        forfeit(turn, loser, winner)
        turn.announce("went_out", player=loser, place=exit_.place, reason=note, against=list(against), **more)
    publish(turn)


def withdraw(turn: Turn, handle: str, note: str) -> None:
    """Withdraw a member from the season; they keep what they have."""
    place = len(turn.state.handles_in())
    _set(turn, handle, status=WITHDRAWN)
    turn.announce("withdrew", player=handle, place=place, reason=note)


def end_if_decided(turn: Turn) -> None:
    """End the season if at most one member is in."""
    if turn.state.phase != ENDED and len(turn.state.handles_in()) <= 1:
        end(turn)


def end(turn: Turn) -> None:
    """End the season: all who are in share first place. Open decisions become void."""
    winners = turn.state.handles_in()
    for handle in winners:
        _set(turn, handle, place=1)
    turn.change(phase=ENDED, after=None, waiting=(), growth=None)
    publish(turn)
    turn.announce("season_ended", winners=list(winners))


def _set(turn: Turn, handle: str, **fields: Any) -> None:
    turn.change(
        members=tuple(
            msgspec.structs.replace(each, **fields) if each.handle == handle else each for each in turn.state.members
        )
    )


def is_in(turn: Turn, handle: str) -> bool:
    """Whether a member is still in."""
    member = turn.state.member(handle)
    return member is not None and member.status == IN


# -- after a match: settlement, candidates, the opponent, the Death Match ------------------------------------


def match_is_over(turn: Turn, key: str, result: MatchResult) -> None:
    """Settle a match that has ended, or keep its result until a host confirms it (unless it was cancelled)."""
    match = _match(turn, key)
    if turn.state.settings.settlement == AUTOMATIC or result.cancelled:
        settle(turn, match, result)
        return
    found = msgspec.structs.replace(match, result=result)
    turn.change(matches=tuple(found if each.key == key else each for each in turn.state.matches))
    turn.tell_hosts("confirm_asked", match=key)


def settle(turn: Turn, match: SeasonMatch, result: MatchResult) -> None:
    """Return the players' amounts, and begin what follows from the match."""
    turn.change(matches=tuple(each for each in turn.state.matches if each.key != match.key))
    if result.cancelled:
        give_back(turn, match, match.brought, "cancelled")
        publish(turn)
        turn.announce("match_void", match=match.key)
        return
    give_back(turn, match, result.final, "returned")
    publish(turn)
    counts = not (match.is_death_match or match.is_final)  # in these two, tokens and candidates do not count
    candidates = list(result.candidates) if counts else []
    turn.announce("match_settled", match=match.key, winners=list(result.winners), candidates=candidates)
    if match.is_death_match:
        _decide_death_match(turn, result)
        return
    if match.is_final:
        _decide_final(turn, match, result)
        return
    found = After(match.key, result.candidates, result.tokens)
    turn.change(waiting=(*turn.state.waiting, found))
    go_on(turn)


def go_on(turn: Turn) -> None:
    """Begin what follows from the next waiting match, if nothing is under way."""
    while turn.state.phase == RUNNING and turn.state.waiting:
        first, *rest = turn.state.waiting
        turn.change(waiting=tuple(rest))
        _begin(turn, first)


def _begin(turn: Turn, after: After) -> None:
    candidates = tuple(each for each in after.candidates if is_in(turn, each))
    if not candidates:
        return
    if turn.state.settings.opponent == NOBODY:
        go_out(turn, *candidates)
        end_if_decided(turn)
        return
    after = msgspec.structs.replace(after, candidates=candidates)
    if len(candidates) > 1:
        _meet(turn, after, candidates, "both_candidates")
        if not turn.state.duel:
            turn.tell_hosts("result_asked", between=list(candidates))
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
    """Return who can become the opponent: members who are in, are no candidate, and hold no Token of Life of that
    match; if there is nobody, all others who are in."""
    others = tuple(each for each in state.handles_in() if each not in after.candidates)
    return tuple(each for each in others if each not in after.immune) or others


def name_opponent(turn: Turn, opponent: str, by: str | None, note: str) -> None:
    """Set the opponent, named by the candidate or (None) by a host."""
    after = turn.state.under_way()
    _meet(turn, after, (*after.candidates, opponent), "named", by=by, note=note)


def wait_no_longer(turn: Turn, note: str) -> None:
    """End the time to name an opponent now, so that one is drawn."""
    turn.change(after=msgspec.structs.replace(turn.state.under_way(), closes=turn.now))
    turn.announce("left_to_draw", reason=note)


def draw_opponent(turn: Turn, draw: Draw) -> None:
    """Draw an opponent, as nobody has named one in time."""
    after = turn.state.under_way()
    opponent = draw.choice(f"opponent:{after.match}", eligible(turn.state, after))
    _meet(turn, after, (*after.candidates, opponent), "drawn")


def _meet(turn: Turn, after: After, between: tuple[str, ...], how: str, by: str | None = None, note: str = "") -> None:
    turn.change(phase=DEATH_MATCH, after=msgspec.structs.replace(after, between=between, closes=None))
    turn.announce("death_match", between=list(between), how=how, by=by, reason=note)


def _decide_death_match(turn: Turn, result: MatchResult) -> None:
    duel, after = turn.state.duel, turn.state.after
    winners = [each for each in duel if each in result.winners]
    if len(winners) != 1:
        turn.tell_hosts("result_asked", between=list(after.between if after else duel))
        return
    lose(turn, next(each for each in duel if each != winners[0]))


def _decide_final(turn: Turn, match: SeasonMatch, result: MatchResult) -> None:
    """Take the loser of the final out, which ends the season; without a single winner a host says who has lost."""
    between = tuple(match.brought)
    turn.change(phase=DEATH_MATCH, after=After(match.key, (), between=between))
    _decide_death_match(turn, result)


def lose(turn: Turn, loser: str, note: str = "") -> None:
    """Decide the Death Match or final: the loser goes out, and the season goes on."""
    after = turn.state.under_way()
    rivals = [each for each in after.between if each != loser]
    turn.change(phase=RUNNING, after=None)
    final = {} if after.candidates else {"final": True}  # only the final has no candidates
    turn.announce("death_match_lost", loser=loser, winners=rivals, **final)
    go_out(turn, loser, against=rivals, note=note, **final)
    end_if_decided(turn)
    go_on(turn)


def restore(turn: Turn, before: SeasonState) -> None:
    """Return the season to the state `before`; what has moved since moves back."""
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
