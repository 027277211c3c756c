"""Whatever somebody changes past the log of a season, `verify` finds it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import models, transaction

from matches.games.registry import game_of
from seasons.engine import scenario
from seasons.models import Season, SeasonRole
from seasons.services.scenario_runner import play_season
from seasons.services.verifying import verify
from tests.services.conftest import person
from tests.trust.fields import OUTSIDE, belonging, fields_of, label
from tests.trust.tampering import erase, found, other

pytestmark = pytest.mark.django_db

OF_SEASONS = [each for each in belonging() if label(each).startswith("seasons.") and label(each) not in OUTSIDE]
_PLAYED = Path(__file__).parents[1] / "seasons" / "scenarios" / "three_matches_in_a_row.json"


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: Any) -> Iterator[Season]:
    with django_db_blocker.unblock(), transaction.atomic():
        play_season(scenario.read(json.loads(_PLAYED.read_text()), game_of), keep=True)
        person("stranger")
        yield Season.objects.get()
        transaction.set_rollback(True)


@pytest.fixture
def season(made: Season, db: None) -> Season:
    return made


def rows_of(model: type[models.Model], season: Season) -> Any:
    manager = model._default_manager
    return manager.filter(pk=season.pk) if model is Season else manager.filter(season=season)


def test_an_honest_season_agrees_with_its_log(season: Season) -> None:
    assert verify(season) == []


@pytest.mark.parametrize("model", [each for each in OF_SEASONS if each is not SeasonRole], ids=label)
def test_every_field_that_is_changed_past_the_log_is_found(season: Season, model: type[models.Model]) -> None:
    missed = []
    for field in fields_of(model):
        row = rows_of(model, season).order_by("pk").first()
        place, value = model._default_manager.filter(pk=row.pk), other(field, field.value_from_object(row))
        if found(verify, season, lambda: place.update(**{field.attname: value})) == []:  # noqa: B023
            missed.append(f"{label(model)}.{field.attname}")
    assert missed == []


@pytest.mark.parametrize("model", [each for each in OF_SEASONS if each not in (Season, SeasonRole)], ids=label)
def test_every_row_that_is_taken_out_is_found(season: Season, model: type[models.Model]) -> None:
    rows = list(rows_of(model, season))
    some = {row.pk: row for row in (rows[0], rows[len(rows) // 2], rows[-1])}.values()
    assert [row.pk for row in some if found(verify, season, lambda: erase(row)) == []] == []  # noqa: B023


def test_a_host_who_is_added_past_the_log_is_found(season: Season) -> None:
    stranger, now = person("another"), season.created_at
    facts = {"season": season, "user": stranger, "role": SeasonRole.Role.OWNER, "since": now}
    assert found(verify, season, lambda: SeasonRole.objects.create(**facts))
