"""Changing settings of a running match, as far as they concern parts that have not begun; and previews of commands.

Everybody is told at once that a host amended the settings, and why. What changed stays secret until the rules make it
public, or until the log opens after the match.
"""

import functools
import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, NamedTuple, ParamSpec

import msgspec

from matches.engine.core import BLOOD_GARNET, TOL
from matches.engine.draw import SEED_BYTES, Draw
from matches.engine.errors import ConfigError, Rejected
from matches.engine.game import AnyGame
from matches.engine.step import EVERYONE, Step
from matches.engine.strict_json import canonical
from matches.models import Match, Player, clock
from matches.services import belonging
from matches.services.commands import command, command_row, need_reason, need_status
from matches.services.errors import CommandRefused, MatchFault, RuleFailure, as_rule_failure, retrying
from matches.services.writer import Writer

CHANGED = (
    "Another host has changed the settings since you opened this form. Your changes are not saved, but what you typed "
    "is still there. Continue to see what it would change in the current settings."
)
IN_FORCE = "These settings are already in force: nothing would change."


class Amendment(msgspec.Struct, frozen=True):
    """The result of a change of settings.

    `config` is what to store: the keys that are set. `changes`: key -> its whole value before and after.
    `step` is the rules' answer, `due` the next deadline (match time) after it.
    """

    config: dict[str, Any]
    changes: dict[str, tuple[Any, Any]]
    step: Step[Any]
    due: timedelta | None


@retrying
def amend_match(
    match: Match, host: Any, given: Mapping[str, Any], reason: str, *, key: str = "", seen: str = ""
) -> None:
    """Change amendable settings of a running or paused match.

    `given`: key -> JSON as the setting reads it, or None for the default; keys that are left out stay as they are.
    `seen`: `mark_of` the settings that the host looked at, so that a host does not unknowingly undo what another has
    changed meanwhile; empty for no such check.
    Raises `ConfigError` that names the key, or the path in it, for what has begun or cannot be played;
    `CommandRefused` if nothing would change or another host has changed the settings; and `AlreadyDone` for a repeated
    `key`.
    """
    with command(match, host, key=key) as writer:
        need_status(writer, *Match.RUNNING, otherwise="You can amend settings only while a match is running.")
        row, reason = writer.match, need_reason(reason)
        if seen not in ("", mark_of(row)):
            raise CommandRefused(CHANGED)
        found = _amendment(writer.game, row.config, writer.state, given, writer.time)
        if not found.changes:
            raise CommandRefused(IN_FORCE)
        if (group := belonging.group_of(row)) and (problems := group.setting_problems(found.config)):
            raise CommandRefused(" ".join(problems))
        row.config = found.config
        entry = command_row(writer, host, "amend", key=key, changes=found.changes, reason=reason)
        writer.record(entry, found.step)
        writer.announce(entry, EVERYONE, "settings_amended", host=host.username, reason=reason)
        writer.touch(public=True)


def amend_back(writer: Writer, changes: Mapping[str, tuple[Any, Any]]) -> Amendment:
    """Take back an amendment (`changes`, as it was logged): store the earlier settings, and return the amendment whose
    step the caller must record. Raises `CommandRefused` if something concerned has begun meanwhile."""
    row = writer.match
    try:
        found = _amendment(
            writer.game, row.config, writer.state, {key: was for key, (was, _) in changes.items()}, writer.time
        )
    except ConfigError as error:
        raise CommandRefused(f"You cannot take the amendment back: {error.message}.") from error
    row.config = found.config
    return found


def mark_of(match: Match) -> str:
    """A short hash of the match's settings, to notice that somebody has changed them."""
    return hashlib.sha256(canonical(match.config).encode()).hexdigest()[:16]


def amendment_of(match: Match, given: Mapping[str, Any]) -> Amendment:
    """What `amend_match` would do now, without storing anything. The match must have begun, with no deadline due.

    Raises `ConfigError`, and `MatchFault` if the rules fail.
    """
    with _failing_politely():
        writer = Writer(match, clock.now())
        return _amendment(writer.game, match.config, writer.state, given, writer.time)


def note_of(match: Match) -> str:
    """A sentence on which amendable settings can no longer be changed. Raises `MatchFault` if the rules fail."""
    with _failing_politely(), as_rule_failure():
        return match.rules.changes_closed(match.rules.decode_state(match.state))


@contextmanager
def _failing_politely() -> Iterator[None]:
    try:
        yield
    except RuleFailure as failure:
        raise MatchFault("The rules of this match failed with these settings. Nothing was stored.") from failure


def _amendment(
    game: AnyGame, stored: Mapping[str, Any], state: Any, given: Mapping[str, Any], now: timedelta
) -> Amendment:
    game.need_amendable(given)
    before = state.config.write()
    config = {key: value for key, value in {**stored, **given}.items() if value is not None}
    after = game.read_config(config).write()
    for key in [key for key in after if key not in game.amendable and after[key] != before[key]]:
        # The default of this key depends on a changed one; this match keeps the value with which it began.
        config[key] = before[key]
    after = game.read_config(config).write()
    changes = {key: (before[key], after[key]) for key in after if after[key] != before[key]}
    step = _asked(game, state, {key: new for key, (_, new) in changes.items()}, now)
    with as_rule_failure():
        return Amendment(config, changes, step, game.next_deadline(step.state))


def _asked(game: AnyGame, state: Any, changes: Mapping[str, Any], now: timedelta) -> Step[Any]:
    """The rules' answer. `ConfigError` is raised outside the block, where it would count as a failure of the rules."""
    if not changes:
        return Step(state)
    with as_rule_failure():
        try:
            return game.amend(state, changes, now)
        except ConfigError as error:
            refusal = error
    raise refusal


# -- foreseen ------------------------------------------------------------------------------------------------
# Previews of what a host's correction, decision or amendment would lead to. Nothing is written.
#
# They compare what everybody may see before and after, never states. And they ask the rules only if the answer cannot
# depend on what is sealed or private: otherwise hosts could find that out by trying, and such tries leave no trace in
# the log.

P = ParamSpec("P")


class Foreseen(NamedTuple):
    """What everybody may see now and afterwards, as JSON values. `refusal`: why the rules would refuse it, or empty."""

    before: Mapping[str, Any]
    after: Mapping[str, Any]
    refusal: str = ""


def _or_none(foresee: Callable[P, Foreseen | None]) -> Callable[P, Foreseen | None]:
    """Return None if the rules fail: the page that asks for confirmation must not break because of a preview."""

    @functools.wraps(foresee)
    def foreseen_or_none(*args: P.args, **kwargs: P.kwargs) -> Foreseen | None:
        try:
            return foresee(*args, **kwargs)
        except (RuleFailure, MatchFault):
            return None

    return foreseen_or_none


@_or_none
def of_correction(match: Match, player: Player, asset: str, amount: int, *, is_open: bool) -> Foreseen | None:
    """What booking `amount` (stored units) would change; None if hosts may not know. `is_open`: whether everybody may
    know that balance.

    While a match runs, how much can be taken depends on sealed bids, so only giving is previewed."""
    if not is_open or asset == BLOOD_GARNET or (amount < 0 and not match.is_over):
        return None
    writer = Writer(match, clock.now())
    if writer.state is None:
        return None
    with as_rule_failure():
        before = _public(writer, writer.state)
        try:
            step = writer.game.correct(writer.state, player.handle, asset, amount, writer.time)
        except Rejected as rejection:
            return Foreseen(before, before, rejection.message)
        return Foreseen(before, _public(writer, step.state))


@_or_none
def of_decision(match: Match, player: Player, action: Mapping[str, Any]) -> Foreseen | None:
    """What deciding in a player's place would settle at once (candidates, Tokens of Life); None if that depends on
    secret votes or gifts, or on a draw."""
    writer = Writer(match, clock.now())
    decisions = None if writer.state is None else writer.state.core.decisions
    if decisions is None or decisions.secret_gifts or _is_secret(action, decisions):
        return None
    with as_rule_failure():
        found = [_decided(writer, player, action, seed) for seed in (bytes(SEED_BYTES), bytes([255]) * SEED_BYTES)]
        if found[0] != found[1]:
            return None
        return Foreseen(_settled(writer, writer.state), found[0])


@_or_none
def of_amendment(match: Match, amendment: Amendment) -> Foreseen | None:
    """What everybody would see at once after an amendment."""
    writer = Writer(match, clock.now())
    with as_rule_failure():
        return Foreseen(_public(writer, writer.state), _public(writer, amendment.step.state))


def _public(writer: Writer, state: Any) -> dict[str, Any]:
    """What everybody may see of a state, with the result if the match is finished."""
    seen: dict[str, Any] = msgspec.to_builtins(writer.game.public_view(state))
    outcome = writer.game.outcome(state)
    return seen if outcome is None else {**seen, "result": msgspec.to_builtins(outcome)}


def _is_secret(action: Mapping[str, Any], decisions: Any) -> bool:
    """Whether the effect of a decision could reveal how somebody has voted."""
    votes = any(poll.kind == "vote" and poll.result is None for poll in decisions.polls)
    return action["type"] == "vote" or votes


def _decided(writer: Writer, player: Player, action: Mapping[str, Any], seed: bytes) -> dict[str, Any]:
    """What the decision would settle with this seed, which is never the match's own."""
    try:
        step: Step[Any] = writer.game.submit(writer.state, player.handle, dict(action), writer.time, Draw(seed))
    except Rejected:
        return _settled(writer, writer.state)
    return _settled(writer, step.state)


def _settled(writer: Writer, state: Any) -> dict[str, Any]:
    core = state.core
    tokens = {handle: purse[TOL] for handle, purse in core.purses.items() if purse.get(TOL)}
    return {"candidates": list(core.candidates), "tokens of life": tokens}
