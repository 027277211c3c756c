"""A rehearsal leaves nothing behind. tests/access/test_matrix.py looks for its traces at every address."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.apps import apps
from django.core import serializers

from matches.models import Rehearsal
from matches.services.rehearsals import setup_in
from seasons.services.cast import add_member
from seasons.services.drafts import create_season
from seasons.services.running import add_match, begin
from tests.access.cast import SEED, START, Cast, cast_at
from tests.fixtures.any_game import SLUG
from tests.fixtures.rehearsed import rehearse


@pytest.fixture
def cast(db: None) -> Iterator[Cast]:
    with cast_at(START) as cast:
        yield cast


def stored() -> dict[str, str]:
    """Everything in the database, by table, except rehearsals."""
    models = [model for model in apps.get_models(include_auto_created=True) if model is not Rehearsal]
    return {model._meta.db_table: serializers.serialize("json", model.objects.order_by("pk")) for model in models}


def test_a_rehearsal_leaves_nothing_behind_in_any_other_table(cast: Cast) -> None:
    before = stored()
    draft, host = cast.matches["draft"], cast.people["host"]
    made = rehearse(draft, host, START + timedelta(days=1))
    assert made.report is not None
    assert made.seed not in (draft.seed, SEED.hex())
    assert stored() == before
    assert "matches_match" in before
    assert "matches_outboxrow" in before


def test_in_a_season_everybody_plays_with_what_they_would_bring_and_nothing_has_moved(cast: Cast) -> None:
    host = cast.people["host"]
    season = create_season("A season", host)
    for number, handle in enumerate(("ace", "basset", "cribbage", "deuce"), start=1):
        add_member(season, host, handle, is_bot=True, garnets=number, priority=10 * number)
    begin(season, host)
    match = add_match(season, host, SLUG)
    before = stored()
    made = rehearse(match, host, START + timedelta(days=1))
    players = setup_in(made).players
    assert [(player.handle, player.garnets, player.priority) for player in players] == [
        ("ace", 1, 10),
        ("basset", 2, 20),
        ("cribbage", 3, 30),
        ("deuce", 4, 40),
    ]
    assert stored() == before
