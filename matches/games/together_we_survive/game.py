"""The match type of Together We Survive, which implements `matches.engine.game.Game`."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from matches.engine.core import GARNET, RUNNING
from matches.engine.draw import Draw
from matches.engine.game import Game, opening_core
from matches.engine.settings import Roster, Sizes, in_teams
from matches.engine.step import Step, Turn
from matches.games.together_we_survive import bots, private_view, public_view, result_views, rounds, story, voting
from matches.games.together_we_survive.config import GROUPS, A, Config
from matches.games.together_we_survive.private_view import SurvivePrivate
from matches.games.together_we_survive.public_view import SurvivePublic
from matches.games.together_we_survive.state import BOTH, TOKEN, SurviveState


class TogetherWeSurvive(Game[Config, SurviveState, SurvivePublic, SurvivePrivate]):
    """Group A votes people off a stage, group B shares donated votes, and everybody may play in both games."""

    slug = "together_we_survive"
    title = "Together We Survive, Together We Prosper"
    summary = (
        "Two votes at once: stay on stage in group A, or earn tokens in group B. In group A, those with the fewest "
        "votes leave the stage round by round. In group B, votes become tokens for all but those with the most. "
        "Everybody may vote in both."
    )
    designers = ("chaotic_iak", "RedsToad")
    sizes = Sizes(least=4, most=60, usual=(16, 16), of_team=2)
    first_settings = ("tokens_a", "tokens_b", "mass_win", "first_round", "round")
    teams = GROUPS
    assets = (TOKEN,)
    presets = {"A round a day": {}}
    actions = voting.ACTIONS
    moves = voting.MOVES
    possible = voting.POSSIBLE
    refusals = voting.REFUSALS
    told = story.TOLD
    secret_for_ever = voting.SECRET_FOR_EVER

    # -- play ------------------------------------------------------------------------------------

    def open(self, config: Config, roster: Roster, draw: Draw) -> Step[SurviveState]:
        dealt = in_teams(roster, GROUPS, halves=True)
        core, turn = opening_core(dealt, garnet_credit=config.garnet_credit, phase=RUNNING, stock={})
        state = SurviveState(core=core, config=config)
        for entrant in dealt:
            tokens = config.tokens_a if entrant.team == A else config.tokens_b
            turn.earn(entrant.handle, TOKEN, tokens, "opening")
        turn.announce("round_opened", round=1, on_stage=list(state.on_stage))
        return turn.step(state)

    def play_deadline(self, state: SurviveState) -> timedelta:
        """The close of the open round."""
        return state.config.closes_at(state.round)

    def advance(self, turn: Turn, state: SurviveState, draw: Draw) -> SurviveState:
        state = rounds.close(turn, state)
        return state if state.on_stage else rounds.conclude(turn, state, draw)

    # -- views -----------------------------------------------------------------------------------

    def public_view(self, state: SurviveState) -> SurvivePublic:
        return public_view.public_view(state, self.next_deadline(state))

    def lots(self, view: SurvivePublic, kind: str, field: str) -> Sequence[str]:
        if field == "kind":
            return GROUPS
        stage = [line.handle for line in view.group_a if line.on_stage]
        return {"vote_a": stage, "vote_b": [line.handle for line in view.group_b]}.get(kind, [])

    forecast = staticmethod(private_view.forecast)
    private_view = staticmethod(private_view.private_view)
    score = staticmethod(result_views.score)
    story = staticmethod(story.story)

    def sealed(self, state: SurviveState) -> Mapping[str, Any] | None:
        if state.core.phase != RUNNING:
            return None
        kinds = {"vote_a": state.sealed_a, "vote_b": state.sealed_b}
        players = (*state.sealed_a, *state.sealed_b)
        return {player: {kind: box[player].value for kind, box in kinds.items() if player in box} for player in players}

    def holds(self, state: SurviveState, player: str) -> Mapping[str, int]:
        box = state.sealed_a.get(player)
        held = {TOKEN: sum(box.value.values())} if box else {}
        if state.kind_of(player) != BOTH or state.core.garnet_credit:
            return held
        return {**held, GARNET: state.config.both_price}

    bot_play = staticmethod(bots.action)
