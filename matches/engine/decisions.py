"""After the play: who becomes Elimination Candidate (EC), and who gets the surplus Tokens of Life.

The order is the same in every game: winners already have their tokens; then come the polls for the EC; then gifts of
surplus tokens; then the match is finished. A decision is final once made. One with a single possible answer is made
at once, and a missing one is drawn at the end of the window.

The module `polls` handles each single poll and gift. The functions here change a `Turn`, whose `phase` tells the game
afterwards whether the match is finished.
"""

from datetime import timedelta

from matches.engine.actions import Decision, GiveTokens, NameCandidate, Vote
from matches.engine.core import DECISION, FINISHED, TOL, Core, Decisions, Gift, Poll, replace
from matches.engine.draw import Draw
from matches.engine.errors import NOT_ELIGIBLE, NOT_YOUR_DECISION, Rejected
from matches.engine.polls import ACTION, answered, awaits, counts, eligible_now, resolved, with_missing_drawn
from matches.engine.step import Turn


def begin(
    turn: Turn,
    draw: Draw,
    *,
    polls: tuple[Poll, ...],
    window: timedelta,
    secret_gifts: tuple[Gift, ...] | None = None,
) -> None:
    """Open the decisions at `turn.now`, or finish the match at once if there is nothing to decide.

    `window` is the length of each window. `secret_gifts` are gifts made in the same window as the polls; without
    them, surplus tokens are given away once the EC is known.
    """
    turn.phase = DECISION
    turn.decisions = Decisions(
        closes=turn.now + window,
        window=window,
        polls=polls,
        gifts=secret_gifts or (),
        gifts_open=secret_gifts is not None,
        secret_gifts=secret_gifts is not None,
    )
    turn.touch_all()
    _settle(turn, draw)
    _tell_asked(turn, frozenset())
    # A window of length zero is over at once, and so is the one that follows it.
    while turn.phase == DECISION and not window:
        close_window(turn, draw)


def window_closes(core: Core) -> timedelta | None:
    """When the current window ends (match time); None before and after the decisions."""
    decisions = core.decisions
    return decisions.closes if decisions is not None and core.phase == DECISION else None


def decide(turn: Turn, draw: Draw, player: str, action: Decision) -> None:
    """Apply a player's decision. Raises `Rejected` (`not_your_decision` or `not_eligible`)."""
    if turn.decisions is None:
        raise Rejected(NOT_YOUR_DECISION, "The hosts have not said yet who has won. Nothing is yours to decide now.")
    decisions = turn.decisions
    asked = _asked(decisions)
    if isinstance(action, GiveTokens):
        turn.decisions = _give(turn, decisions, player, action.to)
    elif isinstance(action, NameCandidate | Vote):
        turn.decisions = _answer(turn, decisions, player, action)
    else:
        raise TypeError(f"{type(action).__name__} is not a decision")
    _settle(turn, draw)
    _tell_asked(turn, asked)


def close_window(turn: Turn, draw: Draw) -> None:
    """End the window: draw every missing decision, each with a draw of its own."""
    decisions = _open(turn)
    asked = _asked(decisions)
    polls = tuple(_draw_missing(turn, draw, poll) for poll in decisions.polls)
    turn.decisions = replace(decisions, polls=polls)
    if decisions.gifts_open:
        for gift in _pending(decisions):
            eligible = eligible_now(turn.core(), gift)
            chosen = draw.sample(f"gifts:{gift.giver}", eligible, gift.count)
            # Gifts drawn before this one may have left no choice; then nothing was drawn.
            drawn = len(eligible) > gift.count
            turn.decisions = _give_away(turn, _open(turn), gift, _in_order(turn, chosen), drawn)
    _settle(turn, draw)
    _tell_asked(turn, asked)


def _open(turn: Turn) -> Decisions:
    if turn.decisions is None:
        raise RuntimeError("no decisions are open")
    return turn.decisions


def _pending(decisions: Decisions) -> tuple[Gift, ...]:
    return tuple(gift for gift in decisions.gifts if gift.to is None)


def _asked(decisions: Decisions) -> frozenset[tuple[str, str]]:
    """The players who have something to decide, each with the action's type."""
    polls = [(who, ACTION[poll.kind]) for poll in decisions.polls for who in poll.deciders if awaits(poll, who)]
    gifts = [(gift.giver, "give_tokens") for gift in _pending(decisions)] if decisions.gifts_open else []
    return frozenset((*polls, *gifts))


def _tell_asked(turn: Turn, before: frozenset[tuple[str, str]]) -> None:
    """Tell each newly asked player privately, in list order; tell nobody if the window is over at once."""
    decisions = _open(turn)
    if turn.phase != DECISION or not decisions.window:
        return
    asked = _asked(decisions) - before
    for player in turn.handles:
        for kind in sorted(kind for handle, kind in asked if handle == player):
            turn.tell(player, "decision_asked", action=kind)


def _in_order(turn: Turn, players: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(handle for handle in turn.handles if handle in players)


# -- polls -------------------------------------------------------------------------------------


def _answer(turn: Turn, decisions: Decisions, player: str, action: NameCandidate | Vote) -> Decisions:
    kind = "name" if isinstance(action, NameCandidate) else "vote"
    mine = next((poll for poll in decisions.polls if poll.kind == kind and awaits(poll, player)), None)
    if mine is None:
        raise Rejected(NOT_YOUR_DECISION, _not_yours(turn, player))
    decided = answered(mine, player, action.player)
    turn.touch(player)
    return _with_poll(decisions, decided)


def _not_yours(turn: Turn, player: str) -> str:
    decisions = _open(turn)
    if any(player in poll.drawn for poll in decisions.polls):
        return "The time was up, so your decision was drawn; it is final."
    if any(player in poll.answers for poll in decisions.polls):
        return "You have decided already, and a decision is final."
    if any(gift.giver == player and gift.to is not None for gift in decisions.gifts):
        return "You have given your tokens already, and a decision is final."
    return "This decision is not yours to make now."


def _with_poll(decisions: Decisions, new: Poll) -> Decisions:
    polls = tuple(new if poll.key == new.key else poll for poll in decisions.polls)
    return replace(decisions, polls=polls)


def _draw_missing(turn: Turn, draw: Draw, poll: Poll) -> Poll:
    """Draw every missing answer of a poll. If they are votes, everybody is told how many were drawn, and each player
    who did not vote is told privately for whom."""
    after = with_missing_drawn(poll, draw)
    missing = after.drawn[len(poll.drawn) :]
    if missing and poll.kind == "vote":
        for player in missing:
            turn.tell(player, "vote_drawn", poll=poll.key, player=after.answers[player])
        turn.announce("votes_drawn", poll=poll.key, count=len(missing))
    return after


# -- gifts -------------------------------------------------------------------------------------


def _give(turn: Turn, decisions: Decisions, player: str, to: tuple[str, ...]) -> Decisions:
    pending = _pending(decisions) if decisions.gifts_open else ()
    gift = next((gift for gift in pending if gift.giver == player), None)
    if gift is None:
        raise Rejected(NOT_YOUR_DECISION, _not_yours(turn, player))
    eligible = eligible_now(turn.core(), gift)
    count = min(gift.count, len(eligible))
    fits = set(to) <= set(eligible)
    if len(to) != count or len(set(to)) != len(to) or not fits:
        many = "exactly one player" if count == 1 else f"exactly {count} different players"
        among = "" if fits else f" among these: {', '.join(eligible)}"
        raise Rejected(NOT_ELIGIBLE, f"Name {many}{among}.", field="to")
    return _give_away(turn, decisions, gift, _in_order(turn, to), False)


def _give_away(turn: Turn, decisions: Decisions, gift: Gift, to: tuple[str, ...], drawn: bool) -> Decisions:
    """Mark the gift as made. Open gifts move in the ledger and are announced now, secret ones at the end."""
    done = replace(gift, to=to, drawn=drawn)
    turn.touch(gift.giver)
    if gift.eligible is None:
        # The other givers now have fewer recipients to choose from.
        turn.touch(*(each.giver for each in _pending(decisions)))
    if not decisions.secret_gifts:
        _move_gift(turn, done)
    gifts = tuple(done if each.giver == gift.giver else each for each in decisions.gifts)
    return replace(decisions, gifts=gifts)


def _move_gift(turn: Turn, gift: Gift) -> None:
    for receiver in gift.to or ():
        turn.move(gift.giver, receiver, TOL, 1, "gift")
    lapsed = gift.count - len(gift.to or ())
    turn.pay(gift.giver, TOL, lapsed, "lapsed")
    turn.announce(
        "tokens_given",
        player=gift.giver,
        to=list(gift.to or ()),
        lapsed=lapsed,
        how="drawn" if gift.drawn else "given",
    )


# -- the order of things -----------------------------------------------------------------------


def _settle(turn: Turn, draw: Draw) -> None:
    """Make every decision that has only one answer, open the gifts once the polls are decided, and finish the match
    once nothing is left to decide."""
    _settle_polls(turn, draw)
    decisions = _open(turn)
    if any(poll.result is None for poll in decisions.polls):
        if decisions.gifts_open:
            _take_forced_gifts(turn)
        return
    if not decisions.gifts_open:
        _open_gifts(turn)
    _take_forced_gifts(turn)
    if not _pending(_open(turn)):
        _finish(turn)


def _settle_polls(turn: Turn, draw: Draw) -> None:
    for poll in _open(turn).polls:
        if poll.result is not None:
            continue
        settled = resolved(poll, draw)
        turn.decisions = _with_poll(_open(turn), settled)
        if settled.result is not None:
            turn.announce(
                "candidate_decided",
                poll=settled.key,
                player=settled.result,
                how=settled.how,
                by=settled.deciders[0] if settled.how == "named" else None,
                votes=counts(settled) if settled.kind == "vote" else {},
            )
            turn.touch_all()
    results = [poll.result for poll in _open(turn).polls]
    if results and None not in results:
        turn.candidates = tuple(dict.fromkeys(result for result in results if result))


def _open_gifts(turn: Turn) -> None:
    """Open the window in which everyone with more than one token gives away all but one."""
    decisions = _open(turn)
    gifts = tuple(
        Gift(handle, turn.balance(handle, TOL) - 1) for handle in turn.handles if turn.balance(handle, TOL) > 1
    )
    turn.decisions = replace(decisions, gifts=gifts, gifts_open=True, closes=turn.now + decisions.window)
    turn.touch_all()


def _take_forced_gifts(turn: Turn) -> None:
    """Make the gifts that leave no choice. One may force the next, so look again after each."""
    forced = True
    while forced:
        forced = False
        for gift in _pending(_open(turn)):
            eligible = eligible_now(turn.core(), gift)
            if len(eligible) <= gift.count:
                turn.decisions = _give_away(turn, _open(turn), gift, eligible, False)
                forced = True
                break


def _finish(turn: Turn) -> None:
    decisions = _open(turn)
    if decisions.secret_gifts:
        for gift in decisions.gifts:
            _move_gift(turn, gift)
    end(turn)


def end(turn: Turn) -> None:
    """Finish the match: everything is decided, or this game has nothing to decide."""
    turn.phase = FINISHED
    turn.announce("match_finished", winners=list(turn.winners), candidates=list(turn.candidates))
    turn.touch_all()
