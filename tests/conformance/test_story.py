"""The story of a finished match of every game: it names only its players, and its moments refer to announcements."""

from collections.abc import Callable

import pytest

from matches.engine.draw import Draw
from matches.engine.game import AnyGame
from matches.engine.settings import Roster
from matches.engine.simulation import bot_match, stand_in
from matches.engine.step import EVERYONE, Step
from tests.conformance.subjects import Subject, every_game


def _played(game: AnyGame, roster: Roster) -> list[Step]:
    return [event.step for event in bot_match(game, game.read_config({}), roster, bytes(32))]


def _slept_through(game: AnyGame, roster: Roster) -> list[Step]:
    steps = [game.open(game.read_config({}), roster, Draw(bytes(32)))]
    draw = Draw(bytes(32))
    while game.next_deadline(steps[-1].state) is not None or (acted := stand_in(game, steps[-1].state, draw)):
        is_due = game.next_deadline(steps[-1].state) is not None
        steps.append(game.pass_deadline(steps[-1].state, draw) if is_due else acted.step)
    return steps


@every_game
@pytest.mark.parametrize("play", [_played, _slept_through])
def test_a_story_is_of_its_players_and_of_what_was_told(
    game: AnyGame, play: Callable[[AnyGame, Roster], list[Step]]
) -> None:
    roster = Subject(game, {}).roster(2, 977)
    steps, names = play(game, roster), [entrant.handle for entrant in roster]
    told = [item for step in steps for item in step.announcements if item.audience == EVERYONE]
    view, outcome = game.public_view(steps[-1].state), game.outcome(steps[-1].state)
    assert outcome is not None
    story = game.story(view, outcome, told, str.upper)
    assert set(story.lines) == set(names)
    for moment in story.turning_points:
        assert set(moment.players) <= set(names)
        assert moment.announcement is None or 0 <= moment.announcement < len(told)
        assert moment.text.endswith(".")
        assert not moment.players or any(name.upper() in moment.text for name in moment.players), moment.text
    assert story.turning_points or play is _slept_through
    assert set(view.who_leads.leaders) | set(view.who_leads.lines) <= set(names)
