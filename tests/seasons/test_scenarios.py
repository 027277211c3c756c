"""Season scenarios: each goes as it says to where it says, and through the services to the same bytes.

The expected reports are kept without the lines of their matches, which the games' own scenarios check.
To write them again after a ruling: python -m tests.seasons.test_scenarios
"""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from matches.engine.errors import Rejected
from matches.games.registry import game_of
from seasons.engine import commands, scenario, season
from seasons.engine.state import CastEntry, MatchResult, SeasonSettings
from tests.fixtures.chosen import one_in

HERE = Path(__file__).parent
FILES = sorted((HERE / "scenarios").glob("*.json"))


def _read(path: Path) -> scenario.SeasonScenario:
    return scenario.read(json.loads(path.read_text()), game_of)


def _short(report: dict[str, Any]) -> dict[str, Any]:
    steps = [{key: value for key, value in step.items() if key != "match"} for step in report["steps"]]
    return {**report, "steps": steps}


def test_there_are_scenarios_and_each_says_what_to_expect() -> None:
    assert len(FILES) >= 25
    assert {path.name for path in FILES} == {path.name for path in (HERE / "expected").glob("*.json")}


@pytest.mark.django_db
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_season_goes_as_it_says_in_memory_and_through_the_services(path: Path) -> None:
    """Through the services in each run another half of them."""
    # Imported here: writing the reports again needs no database.
    from seasons.services.scenario_runner import play_season

    plan = _read(path)
    report = scenario.play(plan)
    assert scenario.broken(plan, report["steps"]) == []
    assert _short(report) == json.loads((HERE / "expected" / path.name).read_text())
    if path in one_in(2, FILES):
        assert json.dumps(play_season(plan)) == json.dumps(report)


def test_a_death_match_waits_until_every_settlement_is_confirmed() -> None:
    """Of two matches beside each other, which a file does not have."""
    names, now = ("ann", "bob", "cat", "dan", "eve", "fay"), timedelta()
    state = season.begin(SeasonSettings.read({"settlement": "confirmed"}), tuple(map(CastEntry, names))).state
    for key, players in (("first", names[:3]), ("second", names[3:])):
        state = season.open_match(state, key, players, now).state
    for key, candidates in (("first", ("ann", "bob")), ("second", ("dan",))):
        match = state.match(key)
        assert match is not None
        state = season.match_is_over(state, key, MatchResult(match.brought, candidates=candidates), now).state
    state = season.apply(state, {"settle": "first"}, now).state
    assert season.due_players(state) == ("ann", "bob")
    with pytest.raises(Rejected, match="has yet to confirm a settlement"):
        season.open_match(state, "death", ("ann", "bob"), now)
    state = season.apply(state, {"settle": "second"}, now).state
    state = season.open_match(state, "death", ("ann", "bob"), now).state
    assert [match.is_death_match for match in state.matches] == [True]


def test_hosts_say_who_of_more_than_two_candidates_has_lost() -> None:
    """No match can: its rules could name two losers."""
    names, now = ("ann", "bob", "cat", "dan"), timedelta()
    state = season.begin(SeasonSettings.read({}), tuple(map(CastEntry, names))).state
    state = season.open_match(state, "first", names, now).state
    step = season.match_is_over(state, "first", MatchResult(state.matches[0].brought, candidates=names[1:]), now)
    assert "result_asked" in [each.kind for each in step.announcements]
    assert season.due_players(step.state) == names
    for players in (names, names[1:], names[1:3]):
        with pytest.raises(Rejected, match="the Death Match is to be decided"):
            season.open_match(step.state, "death", players, now)
    state = season.apply(step.state, {"death_match": {"loser": "dan"}, "reason": "Lost twice."}, now).state
    assert (state.phase, state.handles_in()) == ("running", names[:3])


@pytest.mark.django_db
def test_a_site_that_sweeps_plays_the_same(settings: Any) -> None:
    """A scenario's days go by in a moment, in which nobody sweeps: that is no outage."""
    from matches.models import Heartbeat, Outage, clock
    from matches.services.outages import SWEEP
    from seasons.services.scenario_runner import play_season

    settings.OUTAGE_AFTER = timedelta(minutes=10)
    Heartbeat.objects.create(name=SWEEP, at=clock.now())
    plan = _read(HERE / "scenarios" / "an_opponent_who_is_not_named_is_drawn.json")
    assert json.dumps(play_season(plan)) == json.dumps(scenario.play(plan))
    assert not Outage.objects.exists()


def test_every_verb_and_every_code_is_shown() -> None:
    verbs, codes = set(), set()
    for path in FILES:
        verdicts = json.loads((HERE / "expected" / path.name).read_text())["steps"]
        for step, given in zip(_read(path).steps, verdicts, strict=True):
            if step.command and given["accepted"]:
                verbs.add(commands.verb_of(step.command))
            codes.add(given.get("code"))
    codes.discard(None)
    assert verbs == set(commands.VERBS)
    assert codes == {
        "malformed", "wrong_phase", "not_in_cast", "not_in", "already_playing", "not_your_decision", "not_eligible",
        "not_enough", "not_positive",
    }  # fmt: skip


if __name__ == "__main__":
    (HERE / "expected").mkdir(exist_ok=True)
    for file in FILES:
        found = json.dumps(_short(scenario.play(_read(file))), indent=1)
        (HERE / "expected" / file.name).write_text(f"{found}\n")
