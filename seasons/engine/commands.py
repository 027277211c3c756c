"""Commands of members and hosts in a season: how each is written as JSON, checked and carried out.

    {"name_opponent": "dan", "by": "cat"}          without `by`: a host, who gives a reason if the candidate names
    {"draw_opponent": true, "reason": "cat is away."}    a host ends the wait
    {"death_match": {"loser": "dan"}, "reason": "Lost 3 to 1."}    {"take_back": true}: that result
    {"correct": {"player": "ann", "asset": "garnet", "amount": -1}, "reason": "Bought a hint."}
    {"gift": {"from": "ann", "to": "dan", "amount": 2}}    if the season has gifts
    {"out": "eve", "reason": "…"}    {"withdraw": "fay", "reason": "…"}    {"settle": KEY}    {"end": true}

Order of checks: `malformed`, (of a gift) `not_positive`, `wrong_phase`, `not_in_cast`, `not_in`, `already_playing`,
`not_your_decision`, `not_eligible`, `not_enough`. Each is made for the whole command before the next.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import msgspec

from matches.engine.core import BLOOD_GARNET, GARNET, MOST_CORRECTED
from matches.engine.errors import MALFORMED, NOT_ELIGIBLE, NOT_POSITIVE, NOT_YOUR_DECISION, WRONG_PHASE, Rejected
from matches.engine.sentences import SAY_WHY
from seasons.engine import aftermath
from seasons.engine.state import (
    ASSETS,
    BY_CANDIDATE,
    DEATH_MATCH,
    ENDED,
    IN,
    OPPONENT,
    SeasonState,
    Step,
    Turn,
    blood_units,
    whole,
)

NOT_IN_CAST = "not_in_cast"
NOT_IN = "not_in"
ALREADY_PLAYING = "already_playing"
NOT_ENOUGH = "not_enough"

LONGEST_REASON = 300
LEAST_GIFT = "A gift is at least 1 garnet."
TAKE_BACK_WITHIN = timedelta(minutes=10)
NOTHING_TO_TAKE_BACK = (
    "The booking of a Death Match can be taken back for ten minutes, as long as nothing has followed and the season "
    "goes on."
)

_ENDED = "The season has ended; nothing more can be booked in it."


def apply(state: SeasonState, raw: Mapping[str, Any], now: timedelta) -> Step:
    """Return the step of a command at `now`; the caller has passed all due deadlines. Raises `Rejected`."""
    verb = verb_of(raw)
    turn = Turn(state, now)
    do, _ = _COMMANDS[verb]
    do(turn, raw)
    return turn.step()


def verb_of(raw: Mapping[str, Any]) -> str:
    """Return the one verb of a command. Raises `Rejected` (`malformed`)."""
    found = [key for key in raw if key in _COMMANDS]
    if len(found) != 1:
        raise malformed(f"A command has one of {', '.join(_COMMANDS)}.")
    _, known = _COMMANDS[found[0]]
    for key in raw:
        if key not in (found[0], *known):
            raise malformed(f"{key!r:.40} does not belong to {found[0]}.")
    return found[0]


def malformed(message: str, field: str | None = None) -> Rejected:
    """Return the refusal of a command that cannot be read."""
    return Rejected(MALFORMED, message, field=field)


# -- shared checks -------------------------------------------------------------------------------------------


def _handle(raw: object, field: str) -> str:
    if not isinstance(raw, str) or not raw:
        raise malformed("Name a member by their handle.", field)
    return raw


def _reason(raw: Mapping[str, Any]) -> str:
    reason = raw.get("reason")
    if not isinstance(reason, str) or not reason.strip():
        raise malformed(SAY_WHY, "reason")
    if len(reason) > LONGEST_REASON:
        raise malformed(f"A reason has at most {LONGEST_REASON} characters.", "reason")
    if "\0" in reason:  # not every database can store it
        raise malformed("A reason is text, without NUL characters.", "reason")
    return reason


def need_running(state: SeasonState) -> None:
    """Raise `Rejected` (`wrong_phase`) while something follows from a match, and after the end."""
    if state.phase == ENDED:
        raise Rejected(WRONG_PHASE, _ENDED)
    if state.is_settling():
        raise Rejected(WRONG_PHASE, f"First finish what follows from the last match: {to_be_done(state)}.")


def to_be_done(state: SeasonState) -> str:
    """Say what has to happen before the season goes on."""
    if state.phase == OPPONENT:
        return "the opponent for the Death Match is to be named"
    if state.phase == DEATH_MATCH:
        return "the Death Match is to be decided"
    return "a host is to confirm its settlement"


def need_members(state: SeasonState, *handles: str) -> None:
    """Raise `Rejected` (`not_in_cast`) if one of them is a stranger."""
    for handle in handles:
        if state.member(handle) is None:
            raise Rejected(NOT_IN_CAST, f"{handle} is not in the cast of this season.")


def need_in(state: SeasonState, *handles: str) -> None:
    """Raise `Rejected` (`not_in`) if one of them is out or has withdrawn."""
    for handle in handles:
        member = state.member(handle)
        if member is not None and member.status != IN:
            how = "is out" if member.status == "out" else "has withdrawn"
            raise Rejected(NOT_IN, f"{handle} {how}.")


def need_free(state: SeasonState, *handles: str, besides: str = "") -> None:
    """Raise `Rejected` (`already_playing`) if one of them is in a match that is not settled."""
    playing = state.playing()
    for handle in handles:
        if playing.get(handle, besides) != besides:
            raise Rejected(ALREADY_PLAYING, f"{handle} plays in another match of the season, which is not settled yet.")


# -- commands ------------------------------------------------------------------------------------------------


def _name_opponent(turn: Turn, raw: Mapping[str, Any]) -> None:
    opponent = _handle(raw["name_opponent"], "name_opponent")
    by = _handle(raw["by"], "by") if "by" in raw else None
    if by is not None and "reason" in raw:
        raise malformed("Only a host who names the opponent in the candidate's place gives a reason.", "reason")
    state, after = turn.state, turn.state.after
    in_place = by is None and state.settings.opponent == BY_CANDIDATE
    note = _reason(raw) if in_place or "reason" in raw else ""
    if state.phase != OPPONENT or after is None:
        raise Rejected(WRONG_PHASE, "There is no opponent to be named now.")
    people = (opponent, by) if by is not None else (opponent,)
    need_members(state, *people)
    need_in(state, *people)
    if by is not None and not (state.settings.opponent == BY_CANDIDATE and by in after.candidates):
        who = after.candidates[0] if state.settings.opponent == BY_CANDIDATE else "a host"
        raise Rejected(NOT_YOUR_DECISION, f"The opponent is named by {who}.")
    options = aftermath.eligible(state, after)
    if opponent not in options:
        raise Rejected(NOT_ELIGIBLE, f"{opponent} cannot be the opponent. Choose from {', '.join(options)}.")
    aftermath.name_opponent(turn, opponent, by, note)


def _draw_opponent(turn: Turn, raw: Mapping[str, Any]) -> None:
    if raw["draw_opponent"] is not True:
        raise malformed("Expected true.", "draw_opponent")
    note = _reason(raw)
    if turn.state.phase != OPPONENT:
        raise Rejected(WRONG_PHASE, "There is no opponent to be drawn now.")
    aftermath.wait_no_longer(turn, note)


def _death_match(turn: Turn, raw: Mapping[str, Any]) -> None:
    result = raw["death_match"]
    if not isinstance(result, Mapping) or set(result) != {"loser"}:
        raise malformed('Expected {"loser": a handle}.', "death_match")
    loser, note = _handle(result["loser"], "loser"), _reason(raw)
    state, after = turn.state, turn.state.after
    if state.phase != DEATH_MATCH or after is None:
        raise Rejected(WRONG_PHASE, "There is no Death Match to be decided now.")
    if any(match.is_death_match for match in state.matches):
        raise Rejected(WRONG_PHASE, "The Death Match is being played and decides this, unless a host cancels it.")
    need_members(state, loser)
    need_in(state, loser)
    need_free(state, loser)
    if loser not in after.between:
        raise Rejected(NOT_ELIGIBLE, f"The Death Match is between {' and '.join(after.between)}.", field="loser")
    before = state
    aftermath.lose(turn, loser, note)
    if turn.state.phase != ENDED:  # not after the end, which makes the seed public
        turn.change(before=before)


def _take_back(turn: Turn, raw: Mapping[str, Any]) -> None:
    if raw["take_back"] is not True:
        raise malformed("Expected true.", "take_back")
    if turn.before is msgspec.UNSET or turn.now - turn.since >= TAKE_BACK_WITHIN:
        raise Rejected(WRONG_PHASE, NOTHING_TO_TAKE_BACK)
    aftermath.restore(turn, turn.before)


def _correct(turn: Turn, raw: Mapping[str, Any]) -> None:
    what = raw["correct"]
    if not isinstance(what, Mapping) or set(what) != {"player", "asset", "amount"}:
        raise malformed("Expected player, asset and amount.", "correct")
    handle, asset, note = _handle(what["player"], "player"), what["asset"], _reason(raw)
    if not isinstance(asset, str) or asset not in ASSETS:
        raise malformed(f"Expected one of {', '.join(ASSETS)}.", "asset")
    read = blood_units if asset == BLOOD_GARNET else whole
    try:
        amount = read(what["amount"])
    except ValueError as error:
        raise malformed(f"Amount: {error}.", "amount") from None
    if amount == 0:
        raise malformed("A correction of 0 changes nothing.", "amount")
    if turn.state.phase == ENDED:
        raise Rejected(WRONG_PHASE, _ENDED)
    need_members(turn.state, handle)
    most = MOST_CORRECTED * (10_000 if asset == BLOOD_GARNET else 1)
    after = turn.balance(handle, asset) + amount
    if not turn.can_pay(handle, asset, -amount) or abs(after) > max(most, abs(after - amount)):
        message = f"{handle} has less than that outside of matches, or would have too much."
        raise Rejected(NOT_ENOUGH, message, field="amount")
    turn.move(None, handle, asset, amount, "correction", note=note)
    turn.announce("account_corrected", player=handle, asset=asset, reason=note)
    turn.tell(handle, "corrected", asset=asset, amount=str(what["amount"]), reason=note)


def _gift(turn: Turn, raw: Mapping[str, Any]) -> None:
    what = raw["gift"]
    if not isinstance(what, Mapping) or set(what) != {"from", "to", "amount"}:
        raise malformed("Expected from, to and amount.", "gift")
    giver, receiver = _handle(what["from"], "from"), _handle(what["to"], "to")
    try:
        amount = whole(what["amount"])
    except ValueError as error:
        raise malformed(f"Amount: {error}.", "amount") from None
    if amount < 1:
        raise Rejected(NOT_POSITIVE, LEAST_GIFT, field="amount")
    state = turn.state
    if not state.settings.gifts and state.phase != ENDED:
        raise Rejected(WRONG_PHASE, "In this season members cannot give each other garnets.")
    need_running(state)
    need_members(state, giver, receiver)
    need_in(state, giver, receiver)
    need_free(state, giver, receiver)
    if giver == receiver:
        raise Rejected(NOT_ELIGIBLE, "Choose somebody else: nobody gives garnets to themselves.", field="to")
    has = turn.balance(giver, GARNET)
    if amount > has:  # even where credit lets garnets go below zero
        raise Rejected(NOT_ENOUGH, f"{giver} has {max(has, 0)}, and can give that many at most.", field="amount")
    turn.move(giver, receiver, GARNET, amount, "gift")
    turn.announce("gift_given", giver=giver, receiver=receiver)
    turn.tell(receiver, "gift_received", giver=giver, amount=amount)


def _out(turn: Turn, raw: Mapping[str, Any]) -> None:
    handle, note = _leaver(turn.state, raw, "out")
    aftermath.go_out(turn, handle, note=note)
    aftermath.end_if_decided(turn)


def _withdraw(turn: Turn, raw: Mapping[str, Any]) -> None:
    handle, note = _leaver(turn.state, raw, "withdraw")
    aftermath.withdraw(turn, handle, note)
    aftermath.end_if_decided(turn)


def _leaver(state: SeasonState, raw: Mapping[str, Any], verb: str) -> tuple[str, str]:
    handle, note = _handle(raw[verb], verb), _reason(raw)
    need_running(state)
    need_members(state, handle)
    need_in(state, handle)
    need_free(state, handle)
    return handle, note


def _settle(turn: Turn, raw: Mapping[str, Any]) -> None:
    which = raw["settle"]
    if which is not True and not isinstance(which, str):
        raise malformed("Name the match to settle.", "settle")
    for match in turn.state.matches:
        if match.result is not None and which in (True, match.key):
            aftermath.settle(turn, match, match.result)
            return
    raise Rejected(WRONG_PHASE, "There is no match to be settled; perhaps somebody has just done it.")


def _end(turn: Turn, raw: Mapping[str, Any]) -> None:
    if raw["end"] is not True:
        raise malformed("Expected true.", "end")
    if turn.state.phase == ENDED:
        raise Rejected(WRONG_PHASE, _ENDED)
    if turn.state.matches:
        raise Rejected(WRONG_PHASE, "A match of the season is not settled. Let it end, settle it, or cancel it first.")
    aftermath.end(turn)


_COMMANDS: dict[str, tuple[Callable[[Turn, Mapping[str, Any]], None], tuple[str, ...]]] = {
    "name_opponent": (_name_opponent, ("by", "reason")),
    "draw_opponent": (_draw_opponent, ("reason",)),
    "death_match": (_death_match, ("reason",)),
    "take_back": (_take_back, ()),
    "correct": (_correct, ("reason",)),
    "gift": (_gift, ()),
    "out": (_out, ("reason",)),
    "withdraw": (_withdraw, ("reason",)),
    "settle": (_settle, ()),
    "end": (_end, ()),
}
"""Verb -> its function, and the keys that can stand beside it."""

VERBS = tuple(_COMMANDS)
KEYS = frozenset(key for _, keys in _COMMANDS.values() for key in keys)
