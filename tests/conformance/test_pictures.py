"""Every game's picture fits in every phase that its bots reach."""

import pytest
from django.template import Engine

from matches.engine.game import AnyGame
from matches.games import registry
from matches.models import Match
from matches.pages import pictures, rendering
from matches.pages.context import MatchContext
from tests.conformance.staging import standings, stored
from tests.conformance.subjects import WITH_FOLDERS, every_game
from tests.engine.tiny_game import GAME as TINY
from tests.fixtures.present import START
from tests.pages.svg import faults_of, size_of


class Refused(str):
    """What a template gets instead of something that is not there, which Django would leave out without a word."""

    def __mod__(self, name: object) -> str:
        raise AssertionError(f"{name} is not there")


LONG = "Bartholomew the Third of Wolkenkuckucksheim"


@pytest.fixture(autouse=True)
def _the_example_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "all_games", lambda: {**WITH_FOLDERS, TINY.slug: TINY})
    monkeypatch.setattr(Engine.get_default(), "string_if_invalid", Refused("%s"))


def drawing_of(match: Match) -> tuple[str, str]:
    """Return the picture as SVG, and its digest."""
    found = Match.objects.get(pk=match.pk)
    position = rendering.position_of(found)
    drawing = pictures.drawing_of(position, MatchContext(position, START))
    return drawing.svg, drawing.digest


@every_game
@pytest.mark.django_db
def test_every_phase_has_a_picture_that_fits(game: AnyGame) -> None:
    for number, standing in enumerate(standings(game)):
        match = stored(standing)
        if number % 2:
            match.title = "Autumn league, third division: the replay of the second semi-final"
            match.save()
            match.players.filter(position__lt=3).update(name=LONG)
        svg, _ = drawing_of(match)
        assert faults_of(svg) == [], f"{game.slug} in {standing.state.core.phase}"
        if number < 2:  # drawn once with usual names and once with long ones
            assert size_of(pictures.draw(svg)) == (pictures.WIDTH, pictures.HEIGHT)
