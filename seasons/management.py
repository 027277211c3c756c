"""What seasons add to the commands: scenarios for `manage.py play`, and what `manage.py verify` compares."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from matches.games.registry import game_of
from matches.management.registry import ScenarioKind, Subject
from seasons.engine import scenario, verification
from seasons.engine.scenario import SeasonScenario
from seasons.models import Season
from seasons.services.verification import verify_live


def _through_services(plan: SeasonScenario, keep: bool) -> dict[str, Any]:
    # Imported here: playing in memory needs no database.
    from seasons.services.scenario_runner import play_season

    return play_season(plan, keep=keep)


OF_A_SEASON = ScenarioKind(
    key="season",
    read=lambda raw: scenario.read(raw, game_of),
    play=scenario.play,
    play_through_services=_through_services,
    broken=scenario.broken,
)


def found(ids: list[str]) -> Iterator[Subject]:
    """The seasons of these public ids, or all, for `manage.py verify`."""
    seasons = Season.objects.order_by("pk")
    for season in (seasons.filter(public_id__in=ids) if ids else seasons).iterator():
        yield Subject(season.public_id, season.title, partial(verify_live, season), partial(_hashes, season))


def _hashes(season: Season) -> list[str]:
    return list(season.log.order_by("number").values_list("hash", flat=True))


def proved(raw: object) -> list[str]:
    """What does not agree in an exported season that is played again. Raises `ValueError`."""
    return verification.prove(verification.read(raw))
