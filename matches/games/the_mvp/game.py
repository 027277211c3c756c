"""The match type's answers to the engine's contract."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, ClassVar

import msgspec

from matches.engine import decisions
from matches.engine.actions import Action, RawAction
from matches.engine.core import DECISION, RUNNING
from matches.engine.draw import Draw
from matches.engine.game import Game, Roster, Sizes, opening_core
from matches.engine.step import Step, Turn
from matches.engine.views import Outcome
from matches.games.the_mvp import (
    bots,
    forecast,
    playing,
    private_view,
    public_view,
    result,
    result_views,
    rounds,
    sentences,
)
from matches.games.the_mvp.actions import ACTIONS, AskIdentity, AskLocation, BuyChips, PlaceBids
from matches.games.the_mvp.cards import CARDS
from matches.games.the_mvp.config import PLAYERS, TEAMS, Config, check_teams, with_teams
from matches.games.the_mvp.pattern import PLACES
from matches.games.the_mvp.private_view import MvpPrivate
from matches.games.the_mvp.public_view import MvpPublic
from matches.games.the_mvp.state import CHIP, MvpState

replace = msgspec.structs.replace
MvpStep = Step[MvpState]


class TheMvp(Game[Config, MvpState, MvpPublic, MvpPrivate]):
    """Two teams bid for cards that lie on each other; the winning team's most useful player wins."""

    slug = "the_mvp"
    title = "The MVP"
    summary = (
        "Two teams of three bid secretly for 24 cards that lie on top of each other, and of the team whose cards "
        "make most points the player who has controlled most of them wins."
    )
    sizes = Sizes(least=PLAYERS, most=PLAYERS, usual=(PLAYERS, PLAYERS))
    teams = TEAMS
    assets = (CHIP,)
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "Two weeks, a round a day": {},
        "One evening, ten minutes a round": {"first_round": "20m", "round": "10m", "decision_time": "10m"},
    }
    endurance: ClassVar[Mapping[str, Any]] = {"chips": 1_000_000, "first_round": "365d", "garnet_credit": True}
    tones: ClassVar[Mapping[str, str]] = {"answer_bought": "jade", "garnets_earned": "jade"}
    actions = ACTIONS
    sentences = sentences.SENTENCES

    # -- settings --------------------------------------------------------------------------------

    def check_roster(self, roster: Roster) -> None:
        super().check_roster(roster)
        check_teams(roster)

    # -- play ------------------------------------------------------------------------------------

    def open(self, config: Config, roster: Roster, draw: Draw) -> MvpStep:
        """The first round is open at once. Teams that nobody has named are dealt, and stand in the core's roster."""
        core, turn = opening_core(
            with_teams(roster), garnet_credit=config.garnet_credit, phase=RUNNING, stock={CHIP: config.chips}
        )
        deck = config.deck or dict(zip(PLACES, draw.shuffle("deck", CARDS), strict=True))
        state = MvpState(core=core, config=config, deck=deck)
        rounds.announce_round(turn, state)
        return turn.step(state)

    def judge(self, state: MvpState, player: str, action: Action, now: timedelta, draw: Draw) -> MvpStep:
        match action:
            case PlaceBids():
                return playing.bid(state, player, action.adds, now)
            case BuyChips():
                return playing.buy_chips(state, player, action.count, now)
            case AskIdentity():
                return playing.ask_identity(state, player, action.place, now)
            case AskLocation():
                return playing.ask_location(state, player, action.card, now)
            case _:
                return playing.decide(state, player, action, now, draw)

    def next_deadline(self, state: MvpState) -> timedelta | None:
        """Each round's close; then the end of a window of decisions."""
        if state.core.phase == RUNNING:
            return state.config.closes_at(state.round)
        return decisions.window_closes(state.core)

    def pass_deadline(self, state: MvpState, draw: Draw) -> MvpStep:
        turn = Turn(state.core, self.due(state))
        if state.core.phase == DECISION:
            decisions.close_window(turn, draw)
            return turn.step(state)
        state = rounds.close(turn, state)
        if state.ending:
            result.conclude(turn, state, draw)
        else:
            state = replace(state, round=state.round + 1)
            rounds.announce_round(turn, state)
        return turn.step(state)

    # -- views -----------------------------------------------------------------------------------

    def public_view(self, state: MvpState) -> MvpPublic:
        return public_view.public_view(state, self.next_deadline(state))

    def private_view(self, state: MvpState, player: str) -> MvpPrivate:
        return private_view.private_view(state, player)

    def outcome(self, state: MvpState) -> Outcome | None:
        return result_views.outcome(state)

    def forecast(self, public: MvpPublic, private: MvpPrivate, action: Action, now: timedelta) -> Any:
        return forecast.forecast(public, private, action)

    def has_submitted(self, state: MvpState, player: str) -> bool | None:
        return player in state.sealed if state.core.phase == RUNNING else None

    def sealed_submission(self, state: MvpState, player: str) -> Any:
        box = state.sealed.get(player)
        return None if box is None else dict(box.value)

    def holds(self, state: MvpState, player: str) -> Mapping[str, int]:
        """Chips on cards, those that are sealed to go there included; none once the play is over."""
        if state.core.phase != RUNNING:
            return {}
        box = state.sealed.get(player)
        return {CHIP: sum(state.standing_of(player).values()) + (sum(box.value.values()) if box else 0)}

    def bot_action(self, public: MvpPublic, private: MvpPrivate, now: timedelta, draw: Draw) -> RawAction | None:
        return bots.action(public, private, draw)
