"""Plays season scenarios on the rules alone, in memory, and gives a season in the format that is printed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from matches.engine.core import FINISHED, PREGAME
from matches.engine.draw import Draw
from matches.engine.errors import Rejected
from matches.engine.ledger import GARNET, PRIORITY, TOL, balance
from matches.engine.match_time import seconds
from matches.engine.playing import broken_expectations, play_through, report, verdict
from matches.engine.scenario import Scenario, ScenarioError
from matches.engine.step import Step
from seasons.engine import season
from seasons.engine.lineup import lineup
from seasons.engine.scenario import MatchPlan, SeasonScenario, SeasonStep
from seasons.engine.state import Brought, MatchResult, SeasonState, account

Inside = dict[str, Brought]
"""What players have inside a match."""


def play(scenario: SeasonScenario) -> dict[str, Any]:
    """Play the whole scenario and report where it ends. Raises `ScenarioError` for a step that lies before the end of
    a match, and `Unplayable`."""
    table = _Table(scenario)
    verdicts = [table.take(step, index) for index, step in enumerate(scenario.steps)]
    return season_report(table.state, verdicts, table.now, table.inside)


def season_report(
    state: SeasonState, verdicts: list[dict[str, Any]], now: timedelta, inside: Mapping[str, Inside]
) -> dict[str, Any]:
    """A season as `manage.py play` prints it. `inside`: key of a match -> what its players have in it."""
    after = state.after
    playing = state.playing()
    return {
        "steps": verdicts,
        "now": seconds(now),
        "phase": state.phase,
        "candidates": list(after.candidates) if after else [],
        "between": list(after.between) if after and after.between else None,
        "accounts": {member.handle: account(state.purses, member.handle) for member in state.members},
        "inside": {
            each.handle: {GARNET: found.garnet, PRIORITY: found.priority}
            for each in state.members
            if (found := inside.get(playing.get(each.handle, ""), {}).get(each.handle)) is not None
        },
        "status": {member.handle: member.status for member in state.members},
        "places": {member.handle: member.place for member in state.members if member.place is not None},
    }


def broken(scenario: SeasonScenario, verdicts: list[dict[str, Any]]) -> list[str]:
    """One sentence for each step, of the season or inside a match, whose result is not what the file expects."""
    found = broken_expectations(scenario.steps, verdicts)
    for index, (step, given) in enumerate(zip(scenario.steps, verdicts, strict=True)):
        if step.match is not None and "match" in given:
            inner = broken_expectations(step.match.steps, given["match"]["steps"])
            found += [f"steps[{index}].match.{sentence}" for sentence in inner]
    return found


def need_order(at: timedelta, now: timedelta, index: int) -> None:
    """Raise `ScenarioError` if a step lies before the last thing that a match step did."""
    if at < now:
        raise ScenarioError(f"steps[{index}].at: the match before it goes on until {seconds(now)} seconds")


def result_of(game: Any, state: Any, *, cancelled: bool) -> MatchResult:
    """What a match that is over means to the season."""
    purses = state.core.purses
    final = {
        handle: Brought(balance(purses, handle, GARNET), balance(purses, handle, PRIORITY))
        for handle in state.core.handles
    }
    outcome = game.outcome(state)
    if cancelled or outcome is None:
        return MatchResult(final, cancelled=True)
    tokens = tuple(handle for handle in state.core.handles if balance(purses, handle, TOL) > 0)
    return MatchResult(final, outcome.winners, tokens, outcome.elimination_candidates)


class _Table:
    """The season as it is being played."""

    def __init__(self, scenario: SeasonScenario) -> None:
        self.draw = Draw(scenario.seed)
        self.state = season.begin(scenario.settings, scenario.cast).state
        self.now = timedelta()
        self.opened = 0
        self.inside: dict[str, Inside] = {}

    def take(self, step: SeasonStep, index: int) -> dict[str, Any]:
        need_order(step.at, self.now, index)
        self._pass_due(step.at)
        try:
            if step.match is not None:
                return {"accepted": True, "match": self._match(step.match, step)}
            if step.command is None:
                return {}
            self.state = season.apply(self.state, step.command, self.now).state
            self._pass_due(self.now)  # a time of 0 to name the opponent
        except Rejected as rejection:
            return verdict(rejection)
        return verdict(None)

    def _pass_due(self, until: timedelta) -> None:
        while (due := season.next_deadline(self.state)) is not None and due <= until:
            self.state = season.pass_deadline(self.state, self.draw).state
        self.now = until

    def _match(self, plan: MatchPlan, step: SeasonStep) -> dict[str, Any]:
        found = lineup(self.state, plan.game, plan.raw_config, plan.players)
        key, opened = str(self.opened + 1), self.now
        self.state = season.open_match(self.state, key, (e.handle for e in found.roster), opened).state
        self.opened += 1
        if step.blood_from:
            self.state = season.count_blood(self.state, key, opened).state
        pregame_ended: list[timedelta] = []
        ended: list[timedelta] = []

        def look(event: Step[Any]) -> None:
            core = event.state.core
            if core.phase != PREGAME and not pregame_ended:
                pregame_ended.append(core.time)
            if core.phase == FINISHED and not ended:
                ended.append(core.time)

        run_out = plan.run_out and not plan.cancel
        scenario = Scenario(plan.game, found.config, found.raw_config, plan.seed, found.roster, plan.steps, run_out)
        end = play_through(scenario, look)
        if pregame_ended:
            self._pass_due(opened + pregame_ended[0])
            self.state = season.pregame_over(self.state, key, self.now, self.now).state
        result = result_of(plan.game, end.state, cancelled=not ended)
        self.inside[key] = result.final
        if ended or plan.cancel:
            # Steps that come after the end of a match do not put its settlement off.
            self._pass_due(opened + (ended[0] if ended else end.now))
            self.state = season.match_is_over(self.state, key, result, self.now).state
        self._pass_due(opened + end.now)
        return report(plan.game, end.state, end.verdicts, end.now)
