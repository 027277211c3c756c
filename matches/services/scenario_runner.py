"""Plays a scenario file through the real services, on a temporary match, for `manage.py play --database`.

The match's clock stands still and is set to the time of each step. So the result does not depend on how fast the
machine is, and the sweep never finds the match due.
Everything happens in one transaction, rolled back unless the match is to be kept.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import transaction

from matches.engine.core import FINISHED
from matches.engine.errors import Rejected
from matches.engine.scenario import Scenario, ScenarioStep, Unplayable, report, verdict
from matches.models import Match, Player, clock
from matches.models.clock import CLOCK_FIELDS
from matches.services.actions import submit_for
from matches.services.creation import create_match
from matches.services.deadlines import advance
from matches.services.errors import MatchFault
from matches.services.locking import lock_row
from matches.services.opening import open_due
from matches.services.replay import verify
from matches.services.writer import Writer


def play_scenario(scenario: Scenario, *, keep: bool = False) -> dict[str, Any]:
    """The report of where the scenario ends, as `engine.scenario.play` gives it.

    With `keep` the match stays, paused where it stands, for a host to look at. Raises `Unplayable`
    where the rules fail or the books do not agree with the log.
    """
    with transaction.atomic():
        try:
            found = _Scratch(scenario).play()
        except MatchFault as fault:
            raise Unplayable(f"the rules failed: {fault.__cause__}") from fault
        if not keep:
            transaction.set_rollback(True)
    return found


class _Scratch:
    """One temporary match and the time at which its clock stands."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.now = timedelta()
        match = create_match(
            scenario.game.slug, f"Scratch: {scenario.game.title}", config=scenario.raw_config, seed=scenario.seed.hex()
        )
        self.players = {
            entrant.handle: Player.objects.create(
                match=match,
                handle=entrant.handle,
                team=entrant.team or "",
                garnets=entrant.garnets,
                priority=entrant.priority,
                position=position,
                is_bot=True,
            )
            for position, entrant in enumerate(scenario.roster)
        }
        self.match_id: int = match.pk

    def play(self) -> dict[str, Any]:
        self._open()
        verdicts = [self._step(step) for step in self.scenario.steps]
        if self.scenario.run_out:
            while (due := self._next_deadline()) is not None:
                self._set_time(due)
                advance(self.match_id)
        return self._close(verdicts)

    def _open(self) -> None:
        instant = clock.now()
        Match.objects.filter(pk=self.match_id).update(status=Match.Status.SCHEDULED, starts_at=instant)
        writer = Writer(lock_row(self.match_id), instant)
        open_due(writer)
        writer.match.stop_clock(self.now)
        writer.pass_due()
        writer.save()

    def _set_time(self, time: timedelta) -> None:
        self.now = max(self.now, time)
        match = lock_row(self.match_id)
        match.stop_clock(self.now)
        match.save(update_fields=CLOCK_FIELDS)

    def _step(self, step: ScenarioStep) -> dict[str, Any]:
        self._set_time(step.at)
        if not step.acts:
            advance(self.match_id)
            return {}
        player = self.players.get(step.player or "")
        if player is None:
            advance(self.match_id)
            return self._stranger(step)
        player.refresh_from_db()
        answer = submit_for(player, step.action)
        return verdict(None if answer.accepted else Rejected(answer.code, answer.message))

    def _stranger(self, step: ScenarioStep) -> dict[str, Any]:
        """What the rules say to one who is no player: the services know such people only as users."""
        match = Match.objects.get(pk=self.match_id)
        game, scenario = match.rules, self.scenario
        state = game.decode_state(match.state)
        try:
            game.submit(state, step.player or "", step.action, step.at, Writer(match, clock.now()).draw)
        except Rejected as rejection:
            return verdict(rejection)
        raise Unplayable(f"{scenario.game.title} took an action of a stranger")

    def _next_deadline(self) -> timedelta | None:
        match = Match.objects.get(pk=self.match_id)
        return match.rules.next_deadline(match.rules.decode_state(match.state))

    def _close(self, verdicts: list[dict[str, Any]]) -> dict[str, Any]:
        match = Match.objects.get(pk=self.match_id)
        if disagreements := verify(match):
            raise Unplayable(" ".join(disagreements))
        state = match.rules.decode_state(match.state)
        if state.core.phase != FINISHED:
            match.pause_clock(clock.now(), self.now)
            match.status = Match.Status.PAUSED
            match.save(update_fields=["status", *CLOCK_FIELDS])
        found = report(match.rules, state, verdicts, self.now)
        return {**found, "balances": _balances(match)}


def _balances(match: Match) -> dict[str, dict[str, int]]:
    """Everybody's holdings as the books have them, not as the state says."""
    return {
        player.handle: {
            holding.asset: holding.amount for holding in player.holdings.order_by("asset") if holding.amount
        }
        for player in match.players.order_by("position")
    }
