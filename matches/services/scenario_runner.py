"""Playing a scenario file through the real services, on a temporary match, for `manage.py play --database`.

The match's clock stands still and is set to the time of each step. So the result does not depend on how fast the
machine is, and the sweep never finds the match due. Everything happens in one transaction, which is rolled back unless
the match is to be kept.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.db import transaction

from matches.engine.errors import Rejected
from matches.engine.scenario import Scenario, ScenarioStep, Unplayable, report, verdict
from matches.models import Match, Player, clock
from matches.models.clock import CLOCK_FIELDS
from matches.services.actions import submit_for
from matches.services.creation import create_match
from matches.services.deadlines import advance
from matches.services.errors import MatchFault
from matches.services.hosting.corrections import ACT, judge_act
from matches.services.locking import lock_row, locked_match
from matches.services.opening import open_due
from matches.services.replay import verify
from matches.services.verification import BY_HAND
from matches.services.writer import Writer


def play_scenario(scenario: Scenario, *, keep: bool = False) -> dict[str, Any]:
    """Play a scenario, and return the report of its end, as `engine.scenario.play` does.

    With `keep` the match stays, paused where it stands, for a host to look at. Raises `Unplayable`
    if the rules fail, or if what is stored does not agree with the log.
    """
    with on_trial(keep):
        return _TemporaryMatch(scenario).play_whole()


@contextmanager
def on_trial(keep: bool) -> Iterator[None]:
    """Open a transaction, and roll it back at the end unless `keep` is true. Raises `Unplayable` if the rules fail."""
    with transaction.atomic():
        try:
            yield
        except MatchFault as fault:
            raise Unplayable(f"the rules failed: {fault.__cause__}") from fault
        if not keep:
            transaction.set_rollback(True)


def note_by_hand(writer: Writer) -> None:
    """Note in the log that from here on this program sets the clock."""
    writer.record(writer.row({"command": BY_HAND}, actor="site"))


class ScenarioMatch:
    """A match that is being played from a scenario, and its match time."""

    def __init__(self, match_id: int) -> None:
        self.match_id = match_id
        self.now = timedelta()
        self.players = {player.handle: player for player in Player.objects.filter(match_id=match_id)}

    def play(self, steps: Sequence[ScenarioStep], *, run_out: bool) -> list[dict[str, Any]]:
        """Play the steps of a match that has opened, and with `run_out` to its end. Returns a verdict on each step."""
        verdicts = [self._step(step) for step in steps]
        while run_out and (due := self._next_deadline()) is not None:
            self._set_time(due)
            advance(self.match_id)
        return verdicts

    def _set_time(self, time: timedelta) -> None:
        """Set the match's clock, which stands still, to a match time, never back."""
        self.now = max(self.now, time)
        match = lock_row(self.match_id)
        match.set_clock(clock.MatchClock(None, self.now))
        match.save(update_fields=CLOCK_FIELDS)

    def _step(self, step: ScenarioStep) -> dict[str, Any]:
        self._set_time(step.at)
        if not step.acts:
            advance(self.match_id)
            return {}
        if step.player is None:
            return self._by_host(step)
        player = self.players.get(step.player)
        if player is None:
            advance(self.match_id)
            return self._stranger(step)
        player.refresh_from_db()
        answer = submit_for(player, step.action)
        return verdict(None if answer.accepted else Rejected(answer.code, answer.message))

    def _by_host(self, step: ScenarioStep) -> dict[str, Any]:
        with locked_match(self.match_id) as writer:
            writer.pass_due()
            entry = writer.row({"command": ACT, "action": step.action}, actor="site")
            refusal = judge_act(writer, entry, step.action)
            writer.save()
        return verdict(refusal)

    def _stranger(self, step: ScenarioStep) -> dict[str, Any]:
        """Ask the rules about an action of somebody who is not a player, since services take only players."""
        match = Match.objects.get(pk=self.match_id)
        game = match.rules
        state = game.decode_state(match.state)
        try:
            game.submit(state, step.player or "", step.action, step.at, Writer(match, clock.now()).draw)
        except Rejected as rejection:
            return verdict(rejection)
        raise Unplayable(f"{game.title} took an action of a stranger")

    def _next_deadline(self) -> timedelta | None:
        match = Match.objects.get(pk=self.match_id)
        return match.rules.next_deadline(match.rules.decode_state(match.state))

    def report(self, verdicts: list[dict[str, Any]]) -> dict[str, Any]:
        """The match's position as `manage.py play` prints it. Raises `Unplayable` if what is stored and the log
        disagree."""
        match = Match.objects.get(pk=self.match_id)
        if disagreements := verify(match):
            raise Unplayable(" ".join(disagreements))
        found = report(match.rules, match.rules.decode_state(match.state), verdicts, self.now)
        return {**found, "balances": _balances(match)}

    def leave(self) -> None:
        """Pause the match where it stands, unless it is over."""
        match = Match.objects.get(pk=self.match_id)
        if match.status == Match.Status.OPEN:
            match.set_clock(clock.MatchClock(None, self.now), paused_at=clock.now())
            match.status = Match.Status.PAUSED
            match.save(update_fields=["status", *CLOCK_FIELDS])


class _TemporaryMatch(ScenarioMatch):
    """A new match made for one scenario."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        match = create_match(
            scenario.game.slug, f"Scenario: {scenario.game.title}", config=scenario.raw_config, seed=scenario.seed.hex()
        )
        for position, entrant in enumerate(scenario.roster):
            Player.objects.create(
                match=match,
                handle=entrant.handle,
                team=entrant.team or "",
                garnets=entrant.garnets,
                priority=entrant.priority,
                position=position,
                is_bot=True,
            )
        super().__init__(match.pk)

    def play_whole(self) -> dict[str, Any]:
        self._open()
        verdicts = self.play(self.scenario.steps, run_out=self.scenario.run_out)
        found = self.report(verdicts)
        self.leave()
        return found

    def _open(self) -> None:
        instant = clock.now()
        Match.objects.filter(pk=self.match_id).update(status=Match.Status.SCHEDULED, starts_at=instant)
        writer = Writer(lock_row(self.match_id), instant)
        open_due(writer)
        note_by_hand(writer)
        writer.match.set_clock(clock.MatchClock(None, self.now))
        writer.pass_due()
        writer.save()


def _balances(match: Match) -> dict[str, dict[str, int]]:
    """Everybody's holdings, from the database rather than from the state."""
    return {
        player.handle: {
            holding.asset: holding.amount for holding in player.holdings.order_by("asset") if holding.amount
        }
        for player in match.players.order_by("position")
    }
