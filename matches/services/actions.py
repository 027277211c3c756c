"""Judging a player's action and recording it. People's actions come through the group writer (`group.queue.submit`).
Those of bots and hosts, and those that cannot share a transaction, are judged alone."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple

from matches.engine.draw import Draw
from matches.engine.errors import Rejected
from matches.engine.match_time import seconds
from matches.engine.sentences import NO_PLAYER
from matches.engine.step import EVERYONE, to_player
from matches.engine.strict_json import canonical
from matches.infra import metrics
from matches.models import Match, Player, Submission, clock
from matches.services import signals
from matches.services.commands import command_row, need_host
from matches.services.errors import (
    BadKey,
    KeyConflict,
    MatchFault,
    NotAPlayer,
    Refused,
    RuleFailure,
    TooLarge,
    as_rule_failure,
    retrying,
)
from matches.services.locking import locked_match
from matches.services.opening import open_due
from matches.services.storage import log
from matches.services.writer import Writer

LONGEST_PAYLOAD = 16_384
LONGEST_KEY = 100


class Answer(NamedTuple):
    """What became of an action.

    `receipt` (only if accepted): the number among the player's actions, the instant, the match time in seconds, and a
    salted hash that can be checked after the match. `versions`: of the public and the player's own view, as they are
    now. `match` and `player` are as stored now, so that a page need not read them again. `given_at`: when the action
    was judged, which may be long ago if it answers an earlier request with the same key.
    """

    accepted: bool
    code: str
    message: str
    field: str | None
    receipt: dict[str, Any] | None
    versions: dict[str, int]
    match: Match
    player: Player
    given_at: datetime


def find_player(match: Match, user_id: int | None) -> Player:
    """The player as whom a user plays in a match. Raises `NotAPlayer`."""
    found = Player.objects.filter(match_id=match.pk, user_id=user_id).first() if user_id else None
    if found is None:
        raise not_a_player(match)
    return found


def not_a_player(match: Match) -> NotAPlayer:
    """The refusal for somebody who does not play in the match. `is_hidden` tells the API to hide that it exists."""
    refusal = NotAPlayer(f"{NO_PLAYER} You can watch its board.")
    refusal.is_hidden = not match.is_public
    return refusal


class BotPlays(Refused):
    """A bot plays for this person, who cannot act meanwhile."""

    code = "bot_plays"
    status = 409


class MovedOn(Refused):
    """An action was meant for another part of play than the one in which it arrived."""

    code = "moved_on"
    status = 409


def refuse_while_a_bot_plays(writer: Writer, player: Player, key: str) -> None:
    """Raise `BotPlays` if a bot plays for this player, unless they have used this idempotency key before."""
    if player.is_bot and not (key and writer.known(player.user_id, key)):
        raise BotPlays("A bot plays for you now. Take your place back first, under “Your place”, or ask a host.")


@retrying
def submit_alone(
    match_id: int,
    find: Callable[[Writer], Player],
    raw: object,
    key: str = "",
    *,
    meant_for: str = "",
    by_host: Any = None,
    reason: str = "",
    wait: bool,
) -> Answer:
    """Judge and record one action in a transaction of its own, which may also open the match.

    `find` returns, under the lock, the player who acts, or raises. `raw` is decoded JSON, `key` the idempotency key:
    the same key with the same body repeats the first answer and changes nothing. `meant_for`: the part of play
    (`Match.part_of_play`) to which the action belongs, if it is known. Rejections come back as answers (and go into the
    log once the match has begun, up to a quota). Raises `KeyConflict`, `BadKey`, `TooLarge`, `MovedOn`,
    `TooManyRefused`, `MatchFault`, `Busy`. Without `wait` it raises `Busy` soon if others keep the match locked.
    """
    payload = read(raw, key)
    with metrics.COMMITS_ALONE.time(), locked_match(match_id, wait=wait) as writer:
        player = find(writer)
        answer = act(writer, player, raw, payload, key, meant_for=meant_for, by_host=by_host, reason=reason)
    metrics.judged(answer.accepted, way="alone")
    return answer


def submit_for(player: Player, raw: object, *, by_host: Any = None, reason: str = "") -> Answer:
    """Submit a player's action, or a host's decision (`by_host`, `reason`) in their place; see `submit_alone`. Raises
    `NotAHost` if `by_host` does not host the match."""

    def find(writer: Writer) -> Player:
        if by_host is not None:
            need_host(writer.match, by_host)
        # Read again, since the caller may have read the player a while ago.
        return Player.objects.get(pk=player.pk)

    return submit_alone(player.match_id, find, raw, by_host=by_host, reason=reason, wait=True)


def read(raw: object, key: str) -> str:
    """The canonical JSON of an action, for the log. Raises `TooLarge`, and `BadKey` for a key that cannot be stored."""
    try:
        payload = canonical(raw)
    except RecursionError:
        raise TooLarge("The action is nested too deeply.") from None
    if len(payload) > LONGEST_PAYLOAD:
        raise TooLarge(f"An action can be at most {LONGEST_PAYLOAD} characters long.")
    check_key(key)
    return payload


def check_key(key: str) -> None:
    """Raise `BadKey` for an idempotency key that cannot be stored."""
    if len(key) > LONGEST_KEY or not (key.isascii() and key.isprintable()):
        raise BadKey(f"An Idempotency-Key is at most {LONGEST_KEY} letters, digits and symbols.")


def act(
    writer: Writer,
    player: Player,
    raw: Any,
    payload: str,
    key: str,
    *,
    meant_for: str = "",
    by_host: Any = None,
    reason: str = "",
) -> Answer:
    """Open the match or pass deadlines if they are due, then judge and record a player's action. `payload` is what
    `read` returned. Rejections come back as answers; raises as `submit_alone`."""
    actor = f"host:{by_host.username}" if by_host else f"player:{player.handle}"
    if key and (known := writer.known(by_host.pk if by_host else player.user_id, key)):
        if known.payload not in (payload, log.shortened(payload, raw)):
            raise KeyConflict
        return _answer(known, writer, player)
    opened = open_due(writer)
    writer.pass_due()
    if meant_for:
        _refuse_if_moved_on(writer, meant_for)
    row = log.new_row(
        kind=Submission.Kind.ACTION,
        actor=actor,
        player=player,
        user_id=by_host.pk if by_host else None if player.is_bot else player.user_id,
        payload=payload,
        received_at=writer.now,
        match_time=writer.time,
        accepted=True,
        key=key,
    )
    try:
        step = _judge(writer, player.handle, raw)
    except Rejected as rejection:
        row.accepted, row.code, row.message = False, rejection.code, rejection.message
        row.field = rejection.field or ""
        # Before the opening there is no state to log against, and a match that is over gets no more rows.
        if writer.state is not None and not writer.match.is_over:
            if not by_host:
                writer.refuse_beyond_quota(player)
            row.payload = log.shortened(payload, raw)
            writer.record(row)
        if writer.state is not None or opened:
            writer.finish_action()
        player.version += player.pk in writer.touched
        return _answer(row, writer, player)
    if by_host and raw["type"] == "give_tokens":  # before it is announced
        signals.place_played_by_others.send(sender=Player, player=player)
    row.own_number = player.action_count + 1
    writer.record(row, step)
    if by_host:
        _tell_that_a_host_decided(writer, player, raw, by_host, reason)
    writer.pass_due()
    writer.finish_action(player)
    return _answer(row, writer, player)


def _refuse_if_moved_on(writer: Writer, meant_for: str) -> None:
    """Raise `MovedOn` if the match is now in another part of play."""
    with as_rule_failure():
        view = None if writer.state is None else writer.game.public_view(writer.state)
        part = writer.match.part_of_play(view)
    if meant_for != part:
        raise MovedOn(
            f"You filled this in for “{meant_for}”, which is over, so nothing was sent. Look at what has changed, then"
            " send it if you still want to."
        )


def _tell_that_a_host_decided(writer: Writer, player: Player, raw: Any, host: Any, reason: str) -> None:
    """Tell everybody which host decided and why, but not what. The player for whom they decided is always told, but
    everybody learns who that is only if the decision is public: otherwise it would show who has voted."""
    decisions = writer.state.core.decisions
    is_secret = raw["type"] == "vote" or (decisions is not None and decisions.secret_gifts)
    known = {} if is_secret else {"player": player.handle}
    row = writer.record(command_row(writer, host, "decide", reason=reason, **known))
    known_to_all = {"host": host.username, "reason": reason}
    writer.announce(row, EVERYONE, "decision_by_host", **known_to_all, **known)
    writer.announce(row, to_player(player.handle), "decision_by_host", **known_to_all, player=player.handle)
    writer.touch(public=True, players={player.pk})


def _judge(writer: Writer, handle: str, raw: object) -> Any:
    refuse_unless_open(writer.match)
    with as_rule_failure():
        return writer.game.submit(writer.state, handle, raw, writer.time, writer.draw)


def refuse_unless_open(match: Match) -> None:
    """Raise `Rejected` if the match takes no actions at all now (paused, cancelled, not yet open)."""
    status = Match.Status(match.status)
    if status == Match.Status.PAUSED:
        raise Rejected("match_paused", "The match is paused. You can act again when it resumes.")
    if status == Match.Status.CANCELLED:
        raise Rejected("match_cancelled", "This match was cancelled, so you can no longer act in it.")
    if status in Match.BEFORE:
        raise Rejected("match_not_open", "The match has not begun yet. Come back when it begins.")


def _answer(row: Submission, writer: Writer, player: Player) -> Answer:
    receipt = None
    if row.accepted:
        receipt = {
            "number": row.own_number,
            "at": row.received_at.astimezone(UTC).isoformat(),
            "match_time": seconds(row.match_time),
            "hash": row.receipt_hash,
            "salt": row.salt,
        }
    versions = {"public": writer.match.public_version, "private": player.version}
    field, at = row.field or None, row.received_at
    return Answer(row.accepted, row.code, row.message, field, receipt, versions, writer.match, player, at)


def dry_run(match: Match, player: Player, raw: object, state: Any = None) -> Rejected | None:
    """How the rules would judge an action at this moment: None if they would accept it. `state` is the decoded
    `match.state`, if the caller has it.

    Stores nothing and takes no lock, so that forms can ask while somebody types. It tells no more than submitting the
    action would. Deadlines that are due and not yet passed are passed in memory first. Raises `MatchFault`.
    """
    try:
        refuse_unless_open(match)
        with as_rule_failure():
            game, draw = match.rules, Draw(match.chance)
            state = game.decode_state(match.state) if state is None else state
            time = max(match.clock.time(clock.now()), state.core.time)
            while (due := game.next_deadline(state)) is not None and due <= time:
                state = game.pass_deadline(state, draw).state
            game.submit(state, player.handle, raw, time, draw)
    except Rejected as rejection:
        return rejection
    except RuleFailure as failure:
        raise MatchFault("Something is wrong with this match. Its hosts know.") from failure
    return None
