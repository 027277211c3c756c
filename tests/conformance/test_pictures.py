"""Every game's picture, in every phase that its bots come to."""

from typing import Any

import pytest
from django.template.loader import select_template

from matches.engine.game import AnyGame
from matches.games import registry
from matches.models import Match
from matches.pages import pictures, rendering
from matches.pages.context import MatchContext, headline_of
from matches.pages.fragments import picture_of
from tests.conformance.staging import standings, stored
from tests.conformance.subjects import WITH_FOLDERS, every_game
from tests.engine.tiny_game import GAME as TINY
from tests.fixtures.present import START
from tests.pages.svg import faults_of, size_of

LONG = "Bartholomew the Third of Wolkenkuckucksheim"


@pytest.fixture(autouse=True)
def _the_example_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "all_games", lambda: {**WITH_FOLDERS, TINY.slug: TINY})


def drawing_of(match: Match) -> tuple[str, str]:
    """The picture as SVG, and its digest."""
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
        if number < 2:  # a title and names as they are, and long ones
            assert size_of(pictures.draw(svg)) == (pictures.WIDTH, pictures.HEIGHT)


@every_game
@pytest.mark.django_db
def test_the_line_says_what_is_going_on(game: AnyGame) -> None:
    for standing in standings(game):
        match = stored(standing)
        position = rendering.position_of(match)
        headline = headline_of(position, MatchContext(position, START).people)
        assert headline.where[0].isupper()
        assert f"{len(match.players.all())} players" in headline.line
        if standing.state.core.phase == "finished":
            assert "win" in headline.line
        else:
            assert headline.closes.endswith(" UTC") or game.hosts_asked(standing.state)


def test_a_game_without_a_picture_of_its_own_gets_the_standard_one() -> None:
    template: Any = select_template(picture_of(TINY.slug))
    assert not template.template.name.startswith("games/")
