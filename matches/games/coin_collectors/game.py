"""The match type's answers to the engine's contract."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, ClassVar

import msgspec

from matches.engine import decisions, sealed
from matches.engine.actions import Action, GiveTokens, Vote
from matches.engine.core import DECISION, FINISHED, PREGAME, RUNNING, Phase
from matches.engine.draw import Draw
from matches.engine.errors import WRONG_PHASE, Rejected
from matches.engine.game import Game, Roster, Sizes, opening_core
from matches.engine.step import Announcement, Step, Turn
from matches.engine.views import Outcome
from matches.games.coin_collectors import (
    amending,
    bots,
    private_view,
    public_view,
    questions,
    result,
    sentences,
    settling,
)
from matches.games.coin_collectors.actions import ACTIONS, QUESTIONS, PlaceBids
from matches.games.coin_collectors.bidding import judge, written
from matches.games.coin_collectors.coins import COINS
from matches.games.coin_collectors.config import Config
from matches.games.coin_collectors.items import KINDS, asset_of
from matches.games.coin_collectors.private_view import CollectorsPrivate
from matches.games.coin_collectors.public_view import CollectorsPublic
from matches.games.coin_collectors.state import CollectorsState

replace = msgspec.structs.replace
CollectorsStep = Step[CollectorsState]


class CoinCollectors(Game[Config, CollectorsState, CollectorsPublic, CollectorsPrivate]):
    """Sealed rounds of auctions; gold bidders share first, then silver, then bronze."""

    slug = "coin_collectors"
    title = "Coin Collectors"
    summary = (
        "Rounds of sealed auctions in which coins buy shares of still more coins: gold takes its part first, "
        "silver and bronze what is left, and only the highest coin is spent."
    )
    sizes = Sizes(least=3, most=12, usual=(7, 7))
    assets = (*COINS, *map(asset_of, KINDS))
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "Five rounds, a day each": {},
        "One evening, a quarter of an hour a round": {"pregame": "15m", "round": "15m", "decision_time": "15m"},
    }
    endurance: ClassVar[Mapping[str, Any]] = {"round": "365d", "start": dict.fromkeys(COINS, 1000)}
    actions = ACTIONS
    sentences = sentences.SENTENCES
    questions = QUESTIONS
    tones: ClassVar[Mapping[str, str]] = {"bids_dropped": "garnet"}
    amendable = amending.AMENDABLE

    # -- play ------------------------------------------------------------------------------------

    def open(self, config: Config, roster: Roster, draw: Draw) -> CollectorsStep:
        stock: dict[str, int] = {coin: config.start.of(coin) for coin in COINS}
        core, turn = opening_core(roster, garnet_credit=config.garnet_credit, phase=PREGAME, stock=stock)
        return turn.step(CollectorsState(core=core, config=config))

    def judge(self, state: CollectorsState, player: str, action: Action, now: timedelta, draw: Draw) -> CollectorsStep:
        match action:
            case PlaceBids():
                return _seal(state, player, action, now)
            case Vote() | GiveTokens():
                return _decide(state, player, action, now, draw)
            case _:
                raise TypeError(f"{type(action).__name__} is not asked in this game")

    def next_deadline(self, state: CollectorsState) -> timedelta | None:
        """The pregame's end, the close of the round, then the decisions' end."""
        phase = state.core.phase
        if phase in (PREGAME, RUNNING):
            return state.config.closes_at(state.round)
        return decisions.window_closes(state.core)

    def pass_deadline(self, state: CollectorsState, draw: Draw) -> CollectorsStep:
        turn = Turn(state.core, self.due(state))
        if state.core.phase == DECISION:
            decisions.close_window(turn, draw)
            return turn.step(state)
        return turn.step(_next_round(turn, state, draw))

    def amend(self, state: CollectorsState, changes: Mapping[str, Any], now: timedelta) -> CollectorsStep:
        """The state with rounds that have not started changed. Raises `ConfigError`."""
        return amending.amend(state, self.amended_config(state, changes), now)

    def amend_note(self, state: CollectorsState) -> str:
        return amending.note(state)

    # -- views -----------------------------------------------------------------------------------

    def public_view(self, state: CollectorsState) -> CollectorsPublic:
        return public_view.public_view(state, self.next_deadline(state))

    def private_view(self, state: CollectorsState, player: str) -> CollectorsPrivate:
        return private_view.private_view(state, player)

    def outcome(self, state: CollectorsState) -> Outcome | None:
        return result.outcome(state)

    def lot_of(self, item: Announcement) -> str | None:
        auction = item.data.get("auction")
        return auction if isinstance(auction, str) else None

    def has_submitted(self, state: CollectorsState, player: str) -> bool | None:
        return player in state.sealed if state.core.phase == RUNNING else None

    def sealed_submission(self, state: CollectorsState, player: str) -> Any:
        sealed_now = state.sealed.get(player)
        return None if sealed_now is None else msgspec.to_builtins(sealed_now.value)

    def bot_action(
        self, public: CollectorsPublic, private: CollectorsPrivate, now: timedelta, draw: Draw
    ) -> dict[str, Any] | None:
        return bots.action(public, private, draw)

    # -- what if ---------------------------------------------------------------------------------

    def answer(self, question: Action, public: CollectorsPublic | None, private: CollectorsPrivate | None) -> Any:
        """How a prize would be shared; knows only what was typed. Raises `Rejected`."""
        return questions.answer(question, public)

    def forecast(self, public: CollectorsPublic, private: CollectorsPrivate, action: Action, now: timedelta) -> Any:
        """What a submission would take and leave; None for anything else."""
        return questions.forecast(public, private, action)


# -- actions -----------------------------------------------------------------------------------


_OPEN_TO_YOU: dict[Phase, str] = {
    PREGAME: "Nothing can be done in the pregame: bids are taken from the start of round 1 on.",
    RUNNING: "A round is running: you can seal your bids for it. Nothing is to be decided yet.",
    DECISION: "All rounds are over. Only the candidate and surplus tokens are still to be decided.",
    FINISHED: "The match is finished.",
}


def _require(state: CollectorsState, phase: Phase) -> None:
    if state.core.phase != phase:
        raise Rejected(WRONG_PHASE, _OPEN_TO_YOU[state.core.phase])


def _seal(state: CollectorsState, player: str, action: PlaceBids, now: timedelta) -> CollectorsStep:
    """A submission for the round that runs, replacing the earlier one; nothing is taken before the close."""
    _require(state, RUNNING)
    turn = Turn(state.core, now)
    judge(turn, state.config, state.round, player, action)
    turn.touch(player)
    submission = written(action, state.config.rounds[state.round - 1])
    return turn.step(replace(state, sealed=sealed.put(state.sealed, player, submission, now)))


def _decide(state: CollectorsState, player: str, action: Action, now: timedelta, draw: Draw) -> CollectorsStep:
    """Voting on the candidate, giving tokens away."""
    _require(state, DECISION)
    turn = Turn(state.core, now)
    decisions.decide(turn, draw, player, action)
    return turn.step(state)


# -- deadlines ---------------------------------------------------------------------------------


def _next_round(turn: Turn, state: CollectorsState, draw: Draw) -> CollectorsState:
    """Close the round that runs, if one does, and start the next; after the last the play is over."""
    turn.touch_all()
    if state.round:
        closed = settling.close(turn, state)
        state = replace(state, sealed={}, closed=(*state.closed, closed))
    if state.round == len(state.config.rounds):
        return result.conclude(turn, state, draw)
    turn.phase = RUNNING
    state = replace(state, round=state.round + 1)
    _announce_round(turn, state)
    return state


def _announce_round(turn: Turn, state: CollectorsState) -> None:
    config, number = state.config, state.round
    this = config.rounds[number - 1]
    turn.announce(
        "round_started",
        round=number,
        rounds=len(config.rounds),
        auctions=list(this.names),
        auction_limit=this.auction_limit,
        bid_limit=this.bid_limit,
    )
    before = config.appeared(number - 1)
    for kind in config.appeared(number):
        if kind not in before:
            said = config.words(kind)
            turn.announce("item_explained", item=kind, name=said.name, description=said.description)
