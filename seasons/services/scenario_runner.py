"""Plays a season scenario through the real services, on a temporary season, for `manage.py play --database`.

The current time stands still and is set to the time of each step. Everything happens in one transaction, rolled back
unless the season is to be kept.
"""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from matches.engine.core import GARNET, PRIORITY
from matches.engine.errors import Rejected
from matches.engine.scenario import Unplayable, verdict
from matches.games.registry import game_of
from matches.models import Match, Player, clock
from matches.services import outages
from matches.services.errors import CommandRefused, refused_by_rules
from matches.services.kinds import ScenarioKind
from matches.services.locking import lock_row
from matches.services.opening import open_due
from matches.services.scenario_runner import ScenarioMatch, on_trial
from matches.services.writer import Writer as MatchWriter
from seasons.engine import scenario as scenarios
from seasons.engine.scenario import Inside, MatchPlan, SeasonScenario, SeasonStep, need_order, play, season_report
from seasons.engine.season import lineup
from seasons.engine.state import BLOOD_UNITS, Brought
from seasons.models import Member, Season
from seasons.services import running
from seasons.services.verification import verify
from seasons.services.writer import Writer, locked_season, told_by_file

_ACTOR = "site"


def play_season(scenario: SeasonScenario, *, keep: bool = False) -> dict[str, Any]:
    """Play a scenario and return the report of its end, as `seasons.engine.scenario.play` does.

    With `keep` the season stays, for a host to look at; it then ends now. Raises `ScenarioError`, and `Unplayable` if
    the rules fail or stored data disagrees with the log.
    """
    length = timedelta(seconds=play(scenario)["now"]) if keep else timedelta()
    start = clock.now() - length
    with on_trial(keep), outages.ignored(), told_by_file(), clock.fixed(start) as present:
        return _TemporarySeason(scenario, present).play()


class _ScenarioMatch(ScenarioMatch):
    """A match whose time is the current time."""

    def __init__(self, match_id: int, present: clock.FixedTime) -> None:
        super().__init__(match_id)
        self.present, self.opened_at = present, present.instant

    def _set_time(self, time: timedelta) -> None:
        self.now = max(self.now, time)
        self.present.instant = self.opened_at + self.now


class _TemporarySeason:
    """One temporary season."""

    def __init__(self, scenario: SeasonScenario, present: clock.FixedTime) -> None:
        self.scenario, self.present = scenario, present
        self.started: datetime = present.instant
        season = Season.objects.create(
            title="Scenario season",
            settings=scenario.settings.write(),
            seed=scenario.seed.hex(),
            created_at=clock.now(),
        )
        for position, entry in enumerate(scenario.cast):
            Member.objects.create(
                season=season,
                handle=entry.handle,
                team=entry.team or "",
                garnets=entry.garnets,
                priority=entry.priority,
                blood_garnets=Decimal(entry.blood) / BLOOD_UNITS,
                position=position,
                is_bot=True,
            )
        self.season_id: int = season.pk
        with locked_season(season.pk) as writer:
            running.begin_now(writer, actor=_ACTOR)

    @property
    def now(self) -> timedelta:
        return self.present.instant - self.started

    def play(self) -> dict[str, Any]:
        boards: dict[str, _ScenarioMatch] = {}
        verdicts = [self._step(step, index, boards) for index, step in enumerate(self.scenario.steps)]
        with locked_season(self.season_id) as writer:
            if disagreements := verify(writer.season):
                raise Unplayable(" ".join(disagreements))
            state = writer.begun
        inside = {match.key: _inside(boards[match.key].match_id) for match in state.matches}
        for board in boards.values():
            board.leave()
        return season_report(state, verdicts, self.now, inside)

    def _step(self, step: SeasonStep, index: int, boards: dict[str, _ScenarioMatch]) -> dict[str, Any]:
        need_order(step.at, self.now, index)
        self.present.instant = self.started + step.at
        try:
            if step.match is not None:
                return {"accepted": True, "match": self._match(step.match, step, boards)}
            with locked_season(self.season_id) as writer:
                if step.command is None:
                    return {}
                running.give(writer, step.command, _ACTOR)
        except CommandRefused as refusal:
            return verdict(Rejected(refusal.code, refusal.message))
        return verdict(None)

    def _match(self, plan: MatchPlan, step: SeasonStep, boards: dict[str, _ScenarioMatch]) -> dict[str, Any]:
        with locked_season(self.season_id) as writer:
            match = self._made(writer, plan, is_final=step.final)
            key = next(each.key for each in writer.matches.values() if each.match_id == match.pk)
            if step.blood_from:
                running.count_blood_now(writer, key, actor=_ACTOR)
        board = boards[key] = _ScenarioMatch(match.pk, self.present)
        self._open(board)
        verdicts = board.play(plan.steps, run_out=plan.run_out and not plan.cancel)
        found = board.report(verdicts)
        if plan.cancel:
            _cancel(board.match_id)
        with locked_season(self.season_id):
            pass
        return found

    def _made(self, writer: Writer, plan: MatchPlan, *, is_final: bool) -> Match:
        """Make the match as a draft, after checking that it could open."""
        with refused_by_rules():
            found = lineup(writer.begun, plan.game, plan.raw_config, plan.players, is_final=is_final)
        fields = {"seed": plan.seed.hex(), "status": Match.Status.SCHEDULED}
        return running.make_match(
            writer, plan.game.slug, "", found.raw_config, plan.players, is_final=is_final, **fields
        )

    def _open(self, board: _ScenarioMatch) -> None:
        Match.objects.filter(pk=board.match_id).update(starts_at=board.opened_at)
        writer = MatchWriter(lock_row(board.match_id), board.opened_at)
        open_due(writer)
        if writer.match.start_problem:
            raise Unplayable(writer.match.start_problem)
        writer.pass_due()
        writer.save()


def _cancel(match_id: int) -> None:
    """Cancel a match as a host does."""
    writer = MatchWriter(lock_row(match_id), clock.now())
    match = writer.match
    if match.is_over:
        return
    match.set_clock(clock.MatchClock(None, writer.time))
    match.status, match.finished_at = Match.Status.CANCELLED, writer.now
    writer.save()


def _inside(match_id: int) -> Inside:
    """What each player has in a match, by the ledger."""
    players = Player.objects.filter(match_id=match_id).prefetch_related("holdings")
    found = {}
    for player in players:
        held = {holding.asset: holding.amount for holding in player.holdings.all()}
        found[player.handle] = Brought(held.get(GARNET, 0), held.get(PRIORITY, 0))
    return found


OF_A_SEASON = ScenarioKind(
    key="season",
    read=lambda raw: scenarios.read(raw, game_of),
    play=play,
    play_through_services=lambda scenario, keep: play_season(scenario, keep=keep),
    broken=scenarios.broken,
)
