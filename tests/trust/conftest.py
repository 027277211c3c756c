"""The table of the services' tests; matches and a season that are made once for all tests of a file."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from matches.games.registry import game_of
from matches.models import clock
from seasons.engine import scenario
from seasons.models import Season
from seasons.services.scenario_runner import play_season
from tests.fixtures.present import START
from tests.services.conftest import HOUR, _tiny_game_is_registered, person, register_tiny_game, table
from tests.trust.worlds import Worlds

__all__ = ["_tiny_game_is_registered", "table"]

_PLAYED = Path(__file__).parents[1] / "seasons" / "scenarios" / "three_matches_in_a_row.json"


@pytest.fixture(scope="module")
def made_worlds(django_db_setup: None, django_db_blocker: Any) -> Iterator[Worlds]:
    with django_db_blocker.unblock(), transaction.atomic(), clock.fixed(START) as present:
        with pytest.MonkeyPatch.context() as patch:
            register_tiny_game(patch)  # each test registers it again
            worlds = Worlds(present)
        yield worlds
        transaction.set_rollback(True)


@pytest.fixture
def worlds(made_worlds: Worlds, db: None) -> Iterator[Worlds]:
    with clock.fixed(START + 12 * HOUR):
        yield made_worlds


@pytest.fixture(scope="module")
def made_season(django_db_setup: None, django_db_blocker: Any) -> Iterator[Season]:
    with django_db_blocker.unblock(), transaction.atomic():
        play_season(scenario.read(json.loads(_PLAYED.read_text()), game_of), keep=True)
        person("onlooker")
        yield Season.objects.get()
        transaction.set_rollback(True)


@pytest.fixture
def season(made_season: Season, db: None) -> Season:
    return made_season
