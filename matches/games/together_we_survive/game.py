"""The match type's answers to the engine's contract."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, ClassVar

from matches.engine import decisions
from matches.engine.actions import Action, GiveTokens, Vote
from matches.engine.core import DECISION, FINISHED, RUNNING, Phase
from matches.engine.draw import Draw
from matches.engine.errors import WRONG_PHASE, Rejected
from matches.engine.game import Game, Roster, Sizes, opening_core
from matches.engine.ledger import GARNET
from matches.engine.step import Step, Turn
from matches.engine.views import Outcome
from matches.games.together_we_survive import (
    bots,
    groups,
    private_view,
    public_view,
    result,
    result_views,
    rounds,
    sentences,
    voting,
)
from matches.games.together_we_survive.actions import ACTIONS, SECRET_FOR_EVER, VoteA, VoteB, Withdraw
from matches.games.together_we_survive.config import Config
from matches.games.together_we_survive.private_view import SurvivePrivate
from matches.games.together_we_survive.public_view import SurvivePublic
from matches.games.together_we_survive.state import BOTH, GROUPS, TOKEN, A, SurviveState

SurviveStep = Step[SurviveState]


class TogetherWeSurvive(Game[Config, SurviveState, SurvivePublic, SurvivePrivate]):
    """Group A votes people off a stage, group B shares donated votes, and everybody may play in both games."""

    slug = "together_we_survive"
    title = "Together We Survive, Together We Prosper"
    summary = (
        "Two games at once: in group A those with the fewest votes leave the stage round by round, in group B votes "
        "become tokens for all but those with the most, and everybody may vote in either."
    )
    sizes = Sizes(least=4, most=60, usual=(16, 16))
    teams = GROUPS
    assets = (TOKEN,)
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"A round a day": {}}
    tones: ClassVar[Mapping[str, str]] = {"kicked_out": "garnet", "group_decided": "jade", "garnets_earned": "jade"}
    actions = ACTIONS
    sentences = sentences.SENTENCES
    secret_for_ever = SECRET_FOR_EVER

    # -- settings --------------------------------------------------------------------------------

    def check_roster(self, roster: Roster) -> None:
        super().check_roster(roster)
        groups.check(roster)

    def warnings(self, config: Config, roster: Roster) -> tuple[str, ...]:
        return groups.unusual(roster) if self.sizes.least <= len(roster) <= self.sizes.most else ()

    # -- play ------------------------------------------------------------------------------------

    def open(self, config: Config, roster: Roster, draw: Draw) -> SurviveStep:
        dealt = groups.dealt(roster)
        core, turn = opening_core(dealt, garnet_credit=config.garnet_credit, phase=RUNNING, stock={})
        state = SurviveState(core=core, config=config)
        for entrant in dealt:
            tokens = config.tokens_a if entrant.team == A else config.tokens_b
            turn.earn(entrant.handle, TOKEN, tokens, "opening")
        turn.announce("round_opened", round=1, on_stage=list(state.on_stage))
        return turn.step(state)

    def judge(self, state: SurviveState, player: str, action: Action, now: timedelta, draw: Draw) -> SurviveStep:
        match action:
            case VoteA():
                _require(state, RUNNING)
                return voting.vote_a(state, player, action, now)
            case VoteB():
                _require(state, RUNNING)
                return voting.vote_b(state, player, action, now)
            case Withdraw():
                _require(state, RUNNING)
                return voting.withdraw(state, player, action, now)
            case Vote() | GiveTokens():
                _require(state, DECISION)
                turn = Turn(state.core, now)
                decisions.decide(turn, draw, player, action)
                return turn.step(state)
            case _:
                raise TypeError(f"{type(action).__name__} is not asked in this game")

    def next_deadline(self, state: SurviveState) -> timedelta | None:
        """Each round's close; then the end of the one window for decisions."""
        phase = state.core.phase
        if phase == RUNNING:
            return state.config.closes_at(state.round)
        return decisions.window_closes(state.core)

    def pass_deadline(self, state: SurviveState, draw: Draw) -> SurviveStep:
        turn = Turn(state.core, self.due(state))
        if state.core.phase == DECISION:
            decisions.close_window(turn, draw)
            return turn.step(state)
        state = rounds.close(turn, state)
        if not state.on_stage:
            state = result.conclude(turn, state, draw)
        return turn.step(state)

    # -- views -----------------------------------------------------------------------------------

    def public_view(self, state: SurviveState) -> SurvivePublic:
        return public_view.public_view(state, self.next_deadline(state))

    def private_view(self, state: SurviveState, player: str) -> SurvivePrivate:
        return private_view.private_view(state, player)

    def outcome(self, state: SurviveState) -> Outcome | None:
        return result_views.outcome(state)

    def forecast(self, public: SurvivePublic, private: SurvivePrivate, action: Action, now: timedelta) -> Any:
        return voting.forecast(private, action)

    def has_submitted(self, state: SurviveState, player: str) -> bool | None:
        if state.core.phase != RUNNING:
            return None
        return player in state.sealed_a or player in state.sealed_b

    def sealed_submission(self, state: SurviveState, player: str) -> Any:
        boxes = {"vote_a": state.sealed_a.get(player), "vote_b": state.sealed_b.get(player)}
        return {kind: box.value for kind, box in boxes.items() if box is not None} or None

    def holds(self, state: SurviveState, player: str) -> Mapping[str, int]:
        box = state.sealed_a.get(player)
        held = {TOKEN: sum(box.value.values())} if box else {}
        if state.kind_of(player) != BOTH or state.core.garnet_credit:
            return held
        return {**held, GARNET: state.config.both_price}

    def bot_action(
        self, public: SurvivePublic, private: SurvivePrivate, now: timedelta, draw: Draw
    ) -> dict[str, Any] | None:
        return bots.action(public, private, draw)


_OPEN_TO_YOU: dict[Phase, str] = {
    RUNNING: "A round is open: vote for players on stage or for group B. Nothing else is to be decided yet.",
    DECISION: "The play is over. Only Tokens of Life and the Elimination Candidates are still to be decided.",
    FINISHED: "The match is finished.",
}


def _require(state: SurviveState, *phases: Phase) -> None:
    """Raise `wrong_phase`, saying what would be accepted at this point of the match instead."""
    if state.core.phase not in phases:
        raise Rejected(WRONG_PHASE, _OPEN_TO_YOU[state.core.phase])
