"""The match type's answers to the engine's contract."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, ClassVar

import msgspec

from matches.engine import decisions, sealed
from matches.engine.actions import Action, NameCandidate
from matches.engine.core import DECISION, FINISHED, PREGAME, RUNNING, Phase
from matches.engine.draw import Draw
from matches.engine.errors import NOT_ENOUGH_GARNETS, NOT_POSITIVE, WRONG_PHASE, Rejected
from matches.engine.game import Game, Roster, Sizes, opening_core
from matches.engine.ledger import GARNET
from matches.engine.sentences import counted, joined
from matches.engine.step import Announcement, Step, Turn
from matches.engine.views import Outcome
from matches.games.number_auction import (
    bots,
    private_view,
    public_view,
    result,
    result_views,
    rounds,
    sentences,
    what_if,
)
from matches.games.number_auction.actions import ACTIONS, QUESTIONS, BuyTokens, PlaceBids
from matches.games.number_auction.auction import purchase_price
from matches.games.number_auction.config import Config
from matches.games.number_auction.private_view import NumbersPrivate
from matches.games.number_auction.public_view import NumbersPublic
from matches.games.number_auction.scoring import NUMBERS
from matches.games.number_auction.state import TOKEN, Bids, NumbersState

UNKNOWN_NUMBER = "unknown_number"
NOT_ENOUGH_TOKENS = "not_enough_tokens"

replace = msgspec.structs.replace
NumbersStep = Step[NumbersState]


class NumberAuction(Game[Config, NumbersState, NumbersPublic, NumbersPrivate]):
    """Sealed second-price rounds for the numbers 1 to 50; lines in a grid of conditions decide."""

    slug = "number_auction"
    title = "Number Auction"
    summary = (
        "The numbers 1 to 50 are auctioned in sealed rounds in which the winner pays the second highest bid, "
        "and whoever fills most lines of a grid of conditions that nobody else fills wins."
    )
    sizes = Sizes(least=3, most=8, usual=(4, 4))
    assets = (TOKEN,)
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"Ten days, a round a day": {}}
    endurance: ClassVar[Mapping[str, Any]] = {"tokens": 1_000_000, "first_round": "365d"}
    tones: ClassVar[Mapping[str, str]] = {"numbers_won": "jade", "garnets_earned": "jade", "bids_lost": "garnet"}
    demo_match_numbers: ClassVar[Mapping[str, int]] = {"decision": 281}  # fewest points are rarely a tie
    actions = ACTIONS
    sentences = sentences.SENTENCES
    questions = QUESTIONS

    # -- play ------------------------------------------------------------------------------------

    def open(self, config: Config, roster: Roster, draw: Draw) -> NumbersStep:
        core, turn = opening_core(
            roster, garnet_credit=config.garnet_credit, phase=PREGAME, stock={TOKEN: config.tokens}
        )
        order = config.numbers or draw.shuffle("numbers", NUMBERS)
        shown = dict.fromkeys(core.handles, config.tokens)
        return turn.step(NumbersState(core=core, config=config, order=order, shown=shown))

    def judge(self, state: NumbersState, player: str, action: Action, now: timedelta, draw: Draw) -> NumbersStep:
        match action:
            case PlaceBids():
                return _bid(state, player, action, now)
            case BuyTokens():
                return _buy_tokens(state, player, now)
            case NameCandidate():
                return _name(state, player, action, now, draw)
            case _:
                raise TypeError(f"{type(action).__name__} is not asked in this game")

    def next_deadline(self, state: NumbersState) -> timedelta | None:
        """The first round's beginning; then each round's close; then the end of the decision."""
        phase = state.core.phase
        if phase == PREGAME:
            return state.config.pregame
        if phase == RUNNING:
            return state.config.closes_at(state.round)
        return decisions.window_closes(state.core)

    def pass_deadline(self, state: NumbersState, draw: Draw) -> NumbersStep:
        turn = Turn(state.core, self.due(state))
        if state.core.phase == DECISION:
            decisions.close_window(turn, draw)
            return turn.step(state)
        if state.core.phase == PREGAME:
            return turn.step(rounds.begin(turn, state))
        state = rounds.close(turn, state)
        if state.round < state.config.rounds:
            return turn.step(rounds.begin(turn, state))
        return turn.step(result.conclude(turn, state, draw))

    # -- views -----------------------------------------------------------------------------------

    def public_view(self, state: NumbersState) -> NumbersPublic:
        return public_view.public_view(state, self.next_deadline(state))

    def private_view(self, state: NumbersState, player: str) -> NumbersPrivate:
        return private_view.private_view(state, player)

    def outcome(self, state: NumbersState) -> Outcome | None:
        return result_views.outcome(state)

    def answer(self, question: Action, public: NumbersPublic | None, private: NumbersPrivate | None) -> Any:
        return what_if.answer(question, public, private)

    def forecast(self, public: NumbersPublic, private: NumbersPrivate, action: Action, now: timedelta) -> Any:
        return what_if.forecast(private, action)

    def lot_of(self, item: Announcement) -> str | None:
        number = item.data.get("number")
        return str(number) if isinstance(number, int) else None

    def has_submitted(self, state: NumbersState, player: str) -> bool | None:
        return player in state.sealed if state.core.phase == RUNNING else None

    def sealed_submission(self, state: NumbersState, player: str) -> Any:
        box = state.sealed.get(player)
        return None if box is None else {str(number): amount for number, amount in box.value.items()}

    def bot_action(
        self, public: NumbersPublic, private: NumbersPrivate, now: timedelta, draw: Draw
    ) -> dict[str, Any] | None:
        return bots.action(public, private, draw)


# -- actions -----------------------------------------------------------------------------------


_OPEN_TO_YOU: dict[Phase, str] = {
    PREGAME: "The first round has not begun: until then you can only buy tokens.",
    RUNNING: "A round is open: you can bid on its numbers and buy tokens. Nothing is to be decided yet.",
    DECISION: "The last round has closed. Only the Elimination Candidate is still to be named.",
    FINISHED: "The match is finished.",
}


def _require(state: NumbersState, *phases: Phase) -> None:
    """Raise `wrong_phase`, saying what would be accepted at this point of the match instead."""
    if state.core.phase not in phases:
        raise Rejected(WRONG_PHASE, _OPEN_TO_YOU[state.core.phase])


def _bid(state: NumbersState, player: str, action: PlaceBids, now: timedelta) -> NumbersStep:
    """Sealed bids for this round, replacing the earlier ones; checked alone, against nobody else's."""
    _require(state, RUNNING)
    turn = Turn(state.core, now)
    bids = _judged(state, action.bids, turn.balance(player, TOKEN))
    turn.touch(player)
    return turn.step(replace(state, sealed=sealed.put(state.sealed, player, bids, now)))


def _judged(state: NumbersState, bids: Mapping[str, int], tokens: int) -> Bids:
    """The positive bids, by number. Raises the first of the three rules that any of the bids breaks."""
    for name, amount in bids.items():
        if amount < 0:
            message = "A bid is a whole number of tokens, 0 or more; 0 means that you do not bid."
            raise Rejected(NOT_POSITIVE, message, field=f"bids.{name}")
    known = {str(number): number for number in state.numbers}
    for name in bids:
        if name not in known:
            message = f"This round is about {joined(known)}; other numbers cannot be bid on now."
            raise Rejected(UNKNOWN_NUMBER, message, field=f"bids.{name}")
    for name, amount in bids.items():
        if amount > tokens:
            message = f"You have {counted(tokens, 'token')}, so {tokens} is the most that you can bid on {name}."
            raise Rejected(NOT_ENOUGH_TOKENS, message, field=f"bids.{name}")
    return {known[name]: bids[name] for name in known if bids.get(name)}


def _buy_tokens(state: NumbersState, player: str, now: timedelta) -> NumbersStep:
    """Tokens for garnets, privately, until the last round closes."""
    _require(state, PREGAME, RUNNING)
    turn = Turn(state.core, now)
    bought = state.bought.get(player, 0)
    price, brings = purchase_price(bought), state.config.tokens_per_garnet
    if not private_view.can_buy(state, player):
        raise Rejected(
            NOT_ENOUGH_GARNETS,
            f"Your next {counted(brings, 'token')} would cost {counted(price, 'garnet')}; "
            f"you have {turn.balance(player, GARNET)}.",
        )
    turn.pay(player, GARNET, price, "tokens_bought")
    turn.earn(player, TOKEN, brings, "tokens_bought")
    turn.tell(player, "tokens_bought", tokens=brings, garnets=price)
    return turn.step(replace(state, bought=state.bought | {player: bought + 1}))


def _name(state: NumbersState, player: str, action: NameCandidate, now: timedelta, draw: Draw) -> NumbersStep:
    """The winner names the Elimination Candidate."""
    _require(state, DECISION)
    turn = Turn(state.core, now)
    decisions.decide(turn, draw, player, action)
    return turn.step(state)
