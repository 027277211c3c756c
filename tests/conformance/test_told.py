"""Every kind of announcement is declared in `told`: as an event that people are notified of, or as routine."""

import pytest

from matches.engine.game import AnyGame
from matches.engine.notice_events import ROUTINE
from matches.engine.sentences import TOLD
from notices import events
from tests.conformance.match import Match
from tests.conformance.scenario_files import told_in_scenarios
from tests.conformance.subjects import WITH_FOLDERS, Subject

every_game = pytest.mark.parametrize("game", WITH_FOLDERS.values(), ids=WITH_FOLDERS)


def kinds_that_bots_tell(game: AnyGame) -> set[str]:
    """Return the kinds that a few matches without actions and all scenarios announce."""
    told = set(told_in_scenarios(game))
    for number in range(3):
        match = Match(Subject(game, {}), number, extra=number)
        match.run_out()
        told |= match.told
    return {kind for kind, _ in told}


@every_game
def test_every_kind_that_is_told_is_declared(game: AnyGame) -> None:
    unknown = kinds_that_bots_tell(game) - set(game.told) - set(TOLD)
    assert not unknown, f"say in `told` what {sorted(unknown)} is to people, and in which words"


@every_game
def test_events_are_ones_of_which_people_can_hear(game: AnyGame) -> None:
    used = {each.event for each in (*game.told.values(), *TOLD.values())}
    assert used <= {*events.EVENTS, ROUTINE}
    assert not any(each.named for each in game.told.values() if each.event == ROUTINE)
