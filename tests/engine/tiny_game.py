"""The tiniest game that needs the whole engine: one lot, sealed, first price.

Everyone may seal one bid in chips until `closes`; the highest wins the lot and pays, tied ones all
do. Each winner gets `tokens` Tokens of Life and a garnet; the Elimination Candidate is found among
those with the fewest chips, named by a sole winner, voted for by several. `ending` replaces all
that by fixed tokens and questions, so that tests can put any decision on the table. What the lot brings
may be amended until it is sold, and when it is sold as long as that lies ahead.

It is not the game in `tests/example_game`, which shows how little a game needs: this one needs all that the engine has.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Any, ClassVar

import msgspec

from matches.engine import decisions, polls
from matches.engine.actions import Action, GiveTokens, NameCandidate, Vote, action_types
from matches.engine.core import (
    FINISHED,
    GARNET,
    PHASES,
    RUNNING,
    TOL,
    Gift,
    Phase,
    Poll,
    Sealed,
    State,
    put_sealed,
    take_sealed,
    without_immune,
)
from matches.engine.draw import Draw
from matches.engine.errors import (
    NOT_ENOUGH_GARNETS,
    NOT_POSITIVE,
    NOTHING_TO_WITHDRAW,
    ConfigError,
    Rejected,
)
from matches.engine.game import Game, opening_core
from matches.engine.match_time import DAY, seconds
from matches.engine.notice_events import ROUTINE
from matches.engine.sentences import Told
from matches.engine.settings import Choice, Data, Flag, Roster, Settings, Sizes, Span, Whole
from matches.engine.step import Step, Turn
from matches.engine.views import Ask, PrivateView, PublicView, Score, private_fields, public_fields

LOT = "the lot"
CHIP = "chip"


class Bid(Action, frozen=True, tag="bid"):
    amount: int


class Withdraw(Action, frozen=True, tag="withdraw"):
    pass


class BuyChips(Action, frozen=True, tag="buy_chips"):
    count: int


class WhatIf(Action, frozen=True, tag="what_if"):
    """A question: what would become of a bid against these others."""

    amount: int
    others: tuple[int, ...] = ()


class Worth(msgspec.Struct, frozen=True):
    """The answer. `left`: the asker's chips after it, None for who has none."""

    wins: bool
    pays: int
    left: int | None


class Ending(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be decided, whatever was bid."""

    tokens: dict[str, int] = {}
    polls: tuple[Poll, ...] = ()
    secret_gifts: tuple[Gift, ...] | None = None


class TinyConfig(Settings, frozen=True, kw_only=True):
    chips: Annotated[int, Whole("Chips", maximum=1000)] = 10
    chip_price: Annotated[int, Whole("Garnets for one more chip", minimum=1, maximum=1000)] = 2
    closes: Annotated[timedelta, Span("Sealed bids are taken until", positive=True)] = DAY
    tokens: Annotated[int, Whole("Tokens of Life for each winner", maximum=5)] = 2
    prize: Annotated[str, Choice("What the winner earns", choices=("garnet", "nothing"))] = "garnet"
    decision_time: Annotated[timedelta, Span("Time for decisions")] = DAY
    garnet_credit: Annotated[bool, Flag("Garnets may go below zero")] = False
    ending: Annotated[Ending | None, Data("A fixed ending")] = None


class TinyState(State[TinyConfig], frozen=True):
    box: dict[str, Sealed[int]] = {}
    sold_for: int | None = None


class TinyPublic(PublicView, frozen=True, kw_only=True):
    closes: int | float
    sold_for: int | None
    chips: dict[str, int]


class TinyPrivate(PrivateView, frozen=True, kw_only=True):
    sealed: int | None


def _judge_amendment(turn: Turn, state: TinyState, config: TinyConfig) -> None:
    if state.core.phase != RUNNING:
        changed = (key for key in ("closes", "tokens", "prize") if getattr(config, key) != getattr(state.config, key))
        raise ConfigError(next(changed, "closes"), "the lot is sold already")
    if config.closes <= turn.now:
        raise ConfigError("closes", "must lie ahead of the present moment")


def _note(state: TinyState) -> str:
    return "" if state.core.phase == RUNNING else "The lot is sold, so nothing can be changed any more."


class TinyGame(Game[TinyConfig, TinyState, TinyPublic, TinyPrivate]):
    slug = "tiny"
    title = "Tiny"
    summary = "One lot, sealed, first price."
    sizes = Sizes(2, 8, (2, 4))
    assets = (CHIP,)
    actions = action_types(Bid, Withdraw, BuyChips, NameCandidate, Vote, GiveTokens)
    questions = action_types(WhatIf)
    told: ClassVar[Mapping[str, Told]] = {
        "lot_sold": Told(
            ROUTINE, lambda data, name: f"The lot went to {', '.join(map(name, data['winners'])) or 'nobody'}."
        ),
    }
    presets = {"credit": {"garnet_credit": True, "tokens": 3}, "at once": {"decision_time": 0}}
    amendable = ("closes", "tokens", "prize")
    judge_change = staticmethod(_judge_amendment)
    changes_closed = staticmethod(_note)
    possible: ClassVar[Mapping[Phase, str]] = {
        phase: f"Not now: the match is in the phase {phase}." for phase in PHASES
    }

    # -- play ------------------------------------------------------------------------------------

    def open(self, config: TinyConfig, roster: Roster, draw: Draw) -> Step[TinyState]:
        core, turn = opening_core(roster, garnet_credit=config.garnet_credit, phase=RUNNING, stock={CHIP: config.chips})
        return turn.step(TinyState(core, config))

    def act(self, turn: Turn, state: TinyState, player: str, action: Action) -> TinyState:
        if isinstance(action, Bid):
            return self._bid(state, turn, player, action.amount)
        if isinstance(action, BuyChips):
            return self._buy(state, turn, player, action.count)
        if player not in state.box:
            raise Rejected(NOTHING_TO_WITHDRAW, "You have no sealed bid to take back.")
        turn.touch(player)
        return msgspec.structs.replace(state, box=take_sealed(state.box, player))

    def _bid(self, state: TinyState, turn: Turn, player: str, amount: int) -> TinyState:
        if amount < 1:
            raise Rejected(NOT_POSITIVE, "Bid 1 chip or more.", field="amount")
        chips = turn.balance(player, CHIP)
        if amount > chips:
            raise Rejected("not_enough_chips", f"You can bid up to {chips} chips.", field="amount")
        turn.touch(player)
        return msgspec.structs.replace(state, box=put_sealed(state.box, player, amount, turn.now))

    def _buy(self, state: TinyState, turn: Turn, player: str, count: int) -> TinyState:
        if count < 1:
            raise Rejected(NOT_POSITIVE, "Buy 1 chip or more.", field="count")
        price = state.config.chip_price * count
        if not turn.can_pay(player, GARNET, price):
            raise Rejected(NOT_ENOUGH_GARNETS, f"You have {turn.balance(player, GARNET)} garnets.", field="count")
        turn.pay(player, GARNET, price, "chips")
        turn.earn(player, CHIP, count, "chips")
        return state

    def play_deadline(self, state: TinyState) -> timedelta:
        return state.config.closes

    def advance(self, turn: Turn, state: TinyState, draw: Draw) -> TinyState:
        best = max((sealed.value for sealed in state.box.values()), default=None)
        for player, sealed in state.box.items():
            won = sealed.value == best
            turn.bid("won" if won else "lost", LOT, player, CHIP, sealed.value)
            if won:
                turn.pay(player, CHIP, sealed.value, LOT)
        turn.winners = tuple(p for p in turn.handles if p in state.box and state.box[p].value == best)
        turn.announce("lot_sold", winners=list(turn.winners), amount=best)
        self._end(state.config, turn, draw)
        return msgspec.structs.replace(state, sold_for=best, box={})

    def _end(self, config: TinyConfig, turn: Turn, draw: Draw) -> None:
        ending = config.ending
        tokens = dict.fromkeys(turn.winners, config.tokens) if ending is None else ending.tokens
        for player, count in tokens.items():
            turn.earn(player, TOL, count, "won")
        for player in turn.winners if config.prize == "garnet" else ():
            turn.earn(player, GARNET, 1, "won")
        if ending is None:
            decisions.begin(turn, draw, polls=(_question(turn),), window=config.decision_time)
        else:
            decisions.begin(
                turn, draw, polls=ending.polls, window=config.decision_time, secret_gifts=ending.secret_gifts
            )

    # -- views -----------------------------------------------------------------------------------

    def public_view(self, state: TinyState) -> TinyPublic:
        core = state.core
        done = core.phase == FINISHED
        return TinyPublic(
            **public_fields(core, self.next_deadline(state)),
            closes=seconds(state.config.closes),
            sold_for=state.sold_for,
            chips={p: core.purses.get(p, {}).get(CHIP, 0) for p in core.handles} if done else {},
        )

    def private_view(self, state: TinyState, player: str, now: timedelta | None = None) -> TinyPrivate:
        core, mine = state.core, state.box.get(player)
        is_asked = core.phase == RUNNING and mine is None
        asked = (Ask("bid", "Seal your bid.", seconds(state.config.closes)),) if is_asked else ()
        return TinyPrivate(
            **private_fields(core, player, asked, "You do not bid.", now),
            sealed=None if mine is None else mine.value,
        )

    def score(self, state: TinyState) -> Score:
        chips = {p: state.core.purses.get(p, {}).get(CHIP, 0) for p in state.core.handles}
        return Score(chips, {"sold_for": state.sold_for})

    def answer(self, question: Action, public: PublicView | None, private: PrivateView | None) -> Worth:
        assert isinstance(question, WhatIf)
        chips = None if private is None else private.balances.get(CHIP, 0)
        if question.amount < 1 or (chips is not None and question.amount > chips):
            most = "1 chip or more" if chips is None else f"1 to {chips} chips"
            raise Rejected(NOT_POSITIVE, f"Ask about {most}.", field="amount")
        wins = all(question.amount >= other for other in question.others)
        pays = question.amount if wins else 0
        return Worth(wins, pays, None if chips is None else chips - pays)

    def forecast(self, public: PublicView, private: PrivateView, action: Action) -> Worth | None:
        if not isinstance(action, Bid):
            return None
        return Worth(True, action.amount, private.balances.get(CHIP, 0) - action.amount)

    def sealed(self, state: TinyState) -> Mapping[str, Any] | None:
        return {player: box.value for player, box in state.box.items()} if state.core.phase == RUNNING else None

    def holds(self, state: TinyState, player: str) -> Mapping[str, int]:
        return {CHIP: state.box[player].value} if player in state.box else {}

    def bot_play(self, public: PublicView, private: PrivateView, now: timedelta, draw: Draw) -> dict[str, Any] | None:
        most = private.balances.get(CHIP, 0)
        return {"type": "bid", "amount": 1 + draw.integer("amount", most)} if private.asked and most else None


def _question(turn: Turn) -> Poll:
    mortal = without_immune(turn.purses, turn.handles)
    fewest = min(turn.balance(p, CHIP) for p in mortal)
    options = tuple(p for p in mortal if turn.balance(p, CHIP) == fewest)
    ask = polls.voting if len(turn.winners) > 1 else polls.naming
    return ask(turn.winners, options)


GAME = TinyGame()
