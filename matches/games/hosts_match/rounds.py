"""Opening and closing rounds, and the actions of hosts: posting results, changing later rounds, ending the play, and
saying who has won.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import timedelta

from msgspec import UNSET

from matches.engine import decisions
from matches.engine.actions import Moves
from matches.engine.core import DECISION, GARNET, MOST_CORRECTED, PRIORITY, TOL, Poll, replace, without_immune
from matches.engine.draw import Draw
from matches.engine.errors import MALFORMED, WRONG_PHASE, Rejected
from matches.engine.match_time import DAY
from matches.engine.polls import naming, voting
from matches.engine.purchases import NOT_ENOUGH
from matches.engine.sentences import asset_name, joined
from matches.engine.step import Turn
from matches.games.hosts_match.answers import UNKNOWN_QUESTION
from matches.games.hosts_match.config import (
    AT_ONCE,
    LARGEST,
    LONGEST_TEXT,
    MOST_ROUNDS,
    Round,
    round_faults,
    strangers_in,
    untidy,
)
from matches.games.hosts_match.state import (
    JUDGING,
    OPEN,
    OVER,
    WAITING,
    WINNERS_VOTE,
    AddRound,
    Booking,
    ChangeRound,
    Closed,
    Decide,
    EndPlay,
    HostState,
    Posted,
    PostResult,
)

# -- opening and closing -------------------------------------------------------------------------------


def deadline(state: HostState) -> timedelta | None:
    """The match time at which the round opens or closes; None while hosts judge it, and after the play."""
    return {WAITING: state.opens, OPEN: state.closes}.get(state.stage) if state.stage != OVER else None


def advance(turn: Turn, state: HostState, draw: Draw) -> HostState:
    """Open the waiting round, or close the open one: then its answers are final, and hosts judge it."""
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
    """Go on after a result: open the next round, at once or at the match's next full day, or end the play."""
    turn.touch_all()
    if state.is_last:
        return ended(turn, state)
    state = replace(state, round=state.round + 1)
    opens = turn.now if state.config.opens == AT_ONCE else -(-turn.now // DAY) * DAY
    return opened(turn, state) if opens == turn.now else replace(state, stage=WAITING, opens=opens)


def ended(turn: Turn, state: HostState) -> HostState:
    """End the play, and ask the hosts who has won."""
    turn.phase = DECISION
    turn.announce("play_ended")
    turn.tell_hosts("decision_asked_of_hosts")
    turn.touch_all()
    return replace(state, stage=OVER, ended=turn.now)


NOT_CLOSED_YET = "not_closed_yet"
ALREADY_POSTED = "already_posted"
UNKNOWN_PLAYER = "unknown_player"
UNKNOWN_ASSET = "unknown_asset"

REFUSALS = {
    NOT_CLOSED_YET: "The round is still open. You can judge it once it has closed.",
    ALREADY_POSTED: "The hosts have posted or decided that already.",
    UNKNOWN_PLAYER: "Nobody by that name plays in this match.",
    UNKNOWN_ASSET: "This match does not have that asset.",
    NOT_ENOUGH: "A balance would go below 0.",
}

MOST_TOKENS = 60
MOST_BOOKINGS = 500


# -- the result of a round -----------------------------------------------------------------------------


def post_result(turn: Turn, state: HostState, action: PostResult, draw: Draw) -> HostState:
    """Post the result of the closed round, and book what it gives and takes; then go on to the next round or the end.

    If the action names its `round`, another one is refused, so that two hosts do not book the same result twice."""
    _check_text(action)
    _check_stage(state, action)
    _check_names(turn, [booking.player for booking in action.book], "book")
    _check_names(turn, action.out, "out")
    known = (GARNET, PRIORITY, *state.config.asset_names)
    for place, booking in enumerate(action.book):
        if booking.asset not in known:
            raise Rejected(UNKNOWN_ASSET, f"This match has {joined(known)}.", field=f"book[{place}].asset")
    _book(turn, action.book)
    out = tuple(player for player in turn.handles if player in action.out and player not in state.out)
    text = action.text.strip()
    turn.announce("result_posted", round=state.round, text=text)
    if out:
        turn.announce("players_out", players=list(out))
    reveal = {key: action.reveal[key] for key in state.this.keys if key in action.reveal}
    posted = Posted(text, reveal, action.book, out)
    past = (*state.past[:-1], replace(state.past[-1], posted=posted))
    return follow(turn, replace(state, past=past, out=(*state.out, *out)))


def _check_text(action: PostResult) -> None:
    if said := untidy(action.text.strip(), LONGEST_TEXT, lines=True):
        raise Rejected(MALFORMED, f"The text {said}.", field="text")
    if len(action.book) > MOST_BOOKINGS:
        raise Rejected(MALFORMED, f"Record at most {MOST_BOOKINGS} entries at once.", field="book")
    for place, booking in enumerate(action.book):
        if abs(booking.amount) > LARGEST:
            raise Rejected(MALFORMED, f"An amount is at most {LARGEST}.", field=f"book[{place}].amount")


def _check_stage(state: HostState, action: PostResult) -> None:
    meant = state.round if action.round is UNSET else action.round
    if meant < state.round:
        raise Rejected(ALREADY_POSTED, f"The result of round {meant} has been posted already.")
    if state.stage == OPEN or meant > state.round:
        raise Rejected(NOT_CLOSED_YET, f"Round {meant} has not closed yet. Its result can be posted once it has.")
    if state.stage == WAITING:
        raise Rejected(ALREADY_POSTED, f"The result of round {state.round - 1} has been posted already.")
    for key in action.reveal:
        if key not in state.this.keys:
            asked = joined(state.this.keys) if state.this.keys else "nothing"
            raise Rejected(UNKNOWN_QUESTION, f"Round {state.round} asked {asked}.", field=f"reveal.{key}")


def _check_names(turn: Turn, players: Iterable[str], field: str) -> None:
    for place, player in enumerate(players):
        if player not in turn.handles:
            message = f"{player[:40]} does not play in this match: name its players by their handles."
            raise Rejected(UNKNOWN_PLAYER, message, field=f"{field}[{place}]{'.player' if field == 'book' else ''}")


def _book(turn: Turn, book: tuple[Booking, ...]) -> None:
    """Book the sum of what each player gets and pays of each asset. Raises `Rejected` (`not_enough`)."""
    sums: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], int] = {}
    for place, booking in enumerate(book):
        sums[booking.player, booking.asset] += booking.amount
        first.setdefault((booking.player, booking.asset), place)
    for (player, asset), amount in sums.items():
        held, field = turn.balance(player, asset), f"book[{first[player, asset]}].amount"
        if amount < 0 and not turn.can_pay(player, asset, -amount):
            # Without the balance, which may be known to the player alone.
            raise Rejected(NOT_ENOUGH, f"{player} does not have {asset_name(asset, -amount)}.", field=field)
        if abs(held + amount) > max(MOST_CORRECTED, abs(held)):
            raise Rejected(NOT_ENOUGH, f"A balance cannot be further than {MOST_CORRECTED} from zero.", field=field)
    for (player, asset), amount in sums.items():
        turn.earn(player, asset, max(amount, 0), "booked")
        turn.pay(player, asset, max(-amount, 0), "booked")
    for player in turn.handles:
        amounts = {asset: amount for (whose, asset), amount in sums.items() if whose == player and amount}
        if amounts:
            turn.tell(player, "booked", amounts=amounts)


# -- later rounds --------------------------------------------------------------------------------------


def change_round(turn: Turn, state: HostState, action: ChangeRound, draw: Draw) -> HostState:
    """Change a round that has not opened. Everybody is told that a host has done so, but not what changed."""
    first = state.round + (state.stage != WAITING)
    if not first <= action.round <= len(state.config.rounds):
        last = len(state.config.rounds)
        coming = f"rounds {first} to {last}" if first < last else f"round {last}" if first == last else "none"
        message = f"Only rounds that have not opened can be changed: {coming}."
        raise Rejected(WRONG_PHASE, message, field="round")
    given = {key: getattr(action, key) for key in ("title", "text", "length", "questions")}
    changed = replace(
        state.config.rounds[action.round - 1], **{key: value for key, value in given.items() if value is not UNSET}
    )
    turn.announce("round_changed")
    return _with_round(turn, state, action.round, changed)


def add_round(turn: Turn, state: HostState, action: AddRound, draw: Draw) -> HostState:
    """Add a round after the last."""
    count = len(state.config.rounds)
    if count == MOST_ROUNDS:
        raise Rejected(MALFORMED, f"A match has at most {MOST_ROUNDS} rounds.")
    turn.announce("round_added", rounds=count + 1)
    added = Round(action.title, action.text, action.length, action.questions)
    return _with_round(turn, state, count + 1, added)


def _with_round(turn: Turn, state: HostState, number: int, new: Round) -> HostState:
    for path, said in round_faults(new):
        if said:
            raise Rejected(MALFORMED, f"{path[1:]}: {said}.", field=path[1:])
    if strangers := strangers_in(new, turn.handles):
        raise Rejected(UNKNOWN_PLAYER, f"{joined(strangers)} cannot be chosen: only players can.", field="questions")
    rounds = state.config.rounds
    config = replace(state.config, rounds=(*rounds[: number - 1], new.tidy(), *rounds[number:]))
    return replace(state, config=config)


def end_play(turn: Turn, state: HostState, action: EndPlay, draw: Draw) -> HostState:
    """Let no further round open: the play ends with the current round's result, or now if the next has not opened."""
    if state.stage == WAITING:
        return ended(turn, _without_rounds_after(state, state.round - 1))
    if state.is_last:
        raise Rejected(WRONG_PHASE, f"Round {state.round} is the last one: the play ends when its result is posted.")
    turn.announce("play_ends_after", round=state.round)
    return _without_rounds_after(state, state.round)


def _without_rounds_after(state: HostState, number: int) -> HostState:
    config = replace(state.config, rounds=state.config.rounds[:number])
    return replace(state, config=config, round=number)


# -- the end -------------------------------------------------------------------------------------------


def decide(turn: Turn, state: HostState, action: Decide, draw: Draw) -> HostState:
    """Set the winners, give Tokens of Life, and begin the decisions that all matches have. Named candidates who hold a
    Token of Life are left out, unless nobody else is named."""
    if turn.decisions is not None:
        raise Rejected(ALREADY_POSTED, "The hosts have decided already.")
    named = () if action.candidates == WINNERS_VOTE else action.candidates
    if action.candidates == WINNERS_VOTE and not state.config.winners_decide:
        raise Rejected(MALFORMED, "In this match the hosts alone name the candidates.", field="candidates")
    for player, count in action.tokens.items():
        if not 0 <= count <= MOST_TOKENS:
            message = f"A player gets 0 to {MOST_TOKENS} Tokens of Life."
            raise Rejected(MALFORMED, message, field=f"tokens.{player}")
    for field, players in (("winners", action.winners), ("tokens", tuple(action.tokens)), ("candidates", named)):
        _check_names(turn, players, field)
    turn.winners = tuple(player for player in turn.handles if player in action.winners)
    for player in turn.handles:
        turn.earn(player, TOL, action.tokens.get(player, 0), "won")
    turn.announce("winners_decided", winners=list(turn.winners), tokens=dict(action.tokens))
    pointed_at = turn.handles if action.candidates == WINNERS_VOTE else named
    in_order = tuple(player for player in turn.handles if player in pointed_at)
    polls = _polls(turn, state, without_immune(turn.purses, in_order))
    decisions.begin(turn, draw, polls=polls, window=state.config.decision_time)
    return state


def _polls(turn: Turn, state: HostState, fitting: tuple[str, ...]) -> tuple[Poll, ...]:
    """The polls for the candidate: the winners vote or, if only hosts decide, everybody whom they name is one."""
    if not fitting:
        return ()
    if state.config.winners_decide:
        return (voting(turn.winners, fitting),)
    return tuple(naming((), (player,), key=f"candidate_{place}") for place, player in enumerate(fitting, 1))


HOST_MOVES: Moves = {
    PostResult: post_result,
    ChangeRound: change_round,
    AddRound: add_round,
    EndPlay: end_play,
    Decide: decide,
}
