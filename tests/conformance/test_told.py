"""What a game tells is either an event, of which people hear elsewhere, or routine on purpose."""

from __future__ import annotations

import pytest

from matches.engine import notice_events
from matches.engine.game import AnyGame
from matches.engine.sentences import SENTENCES
from notices import events
from tests.conformance.match import Match
from tests.conformance.scenario_files import told_in_scenarios
from tests.conformance.subjects import WITH_FOLDERS, Subject

every_game = pytest.mark.parametrize("game", WITH_FOLDERS.values(), ids=WITH_FOLDERS)


def events_of(game: AnyGame) -> dict[str, str]:
    """Kind -> event, of the game's own kinds."""
    return {**game.notice_events, **{kind: event for kind, (event, _) in game.named_events.items()}}


def kinds_that_bots_tell(game: AnyGame) -> set[str]:
    """Of a few matches of bots and time, and of all scenarios."""
    told = set(told_in_scenarios(game))
    for number in range(3):
        match = Match(Subject(game, {}), number, extra=number)
        match.run_out()
        told |= match.told
    return {kind for kind, _ in told}


@every_game
def test_every_kind_is_an_event_or_routine_and_not_both(game: AnyGame) -> None:
    known = set(events_of(game)) | game.routine
    unknown = (set(game.sentences) | kinds_that_bots_tell(game)) - known - set(SENTENCES)
    assert not unknown, f"say in notice_events, named_events or routine what {sorted(unknown)} is to people"
    assert not set(events_of(game)) & game.routine
    assert not set(game.notice_events) & set(game.named_events)
    assert known <= set(game.sentences), "these are never told"


@every_game
def test_events_are_ones_of_which_people_can_hear(game: AnyGame) -> None:
    assert set(events_of(game).values()) <= set(events.EVENTS)


def test_every_kind_of_the_engine_and_the_platform_is_an_event_or_routine() -> None:
    named = set(notice_events.NAMED_EVENTS)
    assert set(SENTENCES) == set(notice_events.NOTICE_EVENTS) | named | notice_events.ROUTINE
    assert not (set(notice_events.NOTICE_EVENTS) | named) & notice_events.ROUTINE
    used = {*notice_events.NOTICE_EVENTS.values(), *(event for event, _ in notice_events.NAMED_EVENTS.values())}
    assert used <= set(events.EVENTS)
