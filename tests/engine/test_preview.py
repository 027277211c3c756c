"""A match in which nobody acts, scene by scene."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from matches.engine.draw import Draw
from matches.engine.preview import Preview, filled, preview_of
from matches.engine.roster import Entrant
from tests.engine.tiny_game import GAME, TinyGame

DAY = timedelta(days=1)
ROSTER = (Entrant("ann"), Entrant("bob", garnets=3), Entrant("cat"))
POLL = {"key": "ec", "kind": "vote", "deciders": ["ann"], "options": ["bob", "cat"]}


def rehearsed(most: int = 60, **config: Any) -> Preview:
    return preview_of(GAME, GAME.read_config(config), ROSTER, Draw(bytes(32)), most)


def test_there_is_a_scene_for_the_opening_and_one_for_each_deadline() -> None:
    found = rehearsed(ending={"polls": [POLL]})
    assert [(scene.label, scene.time) for scene in found.scenes] == [
        ("In play", timedelta()),
        ("Decisions", DAY),
        ("Finished", 2 * DAY),
    ]
    assert found.whole


def test_it_begins_with_the_roster_and_nobody_does_anything() -> None:
    opening, end = rehearsed().scenes
    assert opening.state.core.roster == ROSTER
    assert GAME.outcome(end.state).winners == ()


def test_what_nobody_ever_sees_is_no_scene() -> None:
    """At the match time 0 the match is over at once."""
    (only,) = rehearsed(closes=0).scenes
    assert (only.label, only.time) == ("Finished", timedelta())


class Rounds(TinyGame):
    """A deadline every day, without end or until the third."""

    last: int | None = 3

    def next_deadline(self, state: Any) -> timedelta | None:
        passed = state.core.time // DAY
        return None if passed == self.last else (passed + 1) * DAY

    def pass_deadline(self, state: Any, draw: Draw) -> Any:
        core = msgspec.structs.replace(state.core, time=self.next_deadline(state))
        return super().correct(msgspec.structs.replace(state, core=core), "ann", "chip", 1, core.time)


class Endless(Rounds):
    last = None


def test_phases_that_come_several_times_are_numbered() -> None:
    found = preview_of(Rounds(), GAME.read_config({}), ROSTER, Draw(bytes(32)))
    assert [scene.label for scene in found.scenes] == [f"In play {number} of 4" for number in (1, 2, 3, 4)]


def test_a_match_without_an_end_has_so_many_scenes_and_says_that_there_are_more() -> None:
    found = preview_of(Endless(), GAME.read_config({}), ROSTER, Draw(bytes(32)), most=5)
    assert [scene.label for scene in found.scenes] == [f"In play {number}" for number in range(1, 6)]
    assert not found.whole


class Stuck(TinyGame):
    """Its deadlines never get later."""

    def next_deadline(self, state: Any) -> timedelta | None:
        return DAY

    def pass_deadline(self, state: Any, draw: Draw) -> Any:
        return super().correct(state, "ann", "chip", 1, DAY)


def test_rules_that_stand_still_are_left_alone_in_the_end() -> None:
    found = preview_of(Stuck(), GAME.read_config({}), ROSTER, Draw(bytes(32)))
    assert [scene.time for scene in found.scenes] == [timedelta(), DAY]
    assert not found.whole


class TestPlaceholders:
    def test_free_places_are_filled_without_taking_anybodys_handle(self) -> None:
        roster = filled((Entrant("ann"), Entrant("Player_3")), 4)
        assert [entrant.handle for entrant in roster] == ["ann", "Player_3", "player_4", "player_5"]

    def test_nobody_is_sent_away(self) -> None:
        assert filled(ROSTER, 2) == ROSTER

    @pytest.mark.parametrize(("places", "counts"), [(4, [2, 2]), (5, [3, 2])])
    def test_teams_are_shared_out(self, places: int, counts: list[int]) -> None:
        roster = filled((Entrant("ann", "blue"), Entrant("bob")), places, ("red", "blue"))
        teams = [entrant.team for entrant in roster]
        assert teams[:2] == ["blue", "red"]
        assert [teams.count("red"), teams.count("blue")] == counts
