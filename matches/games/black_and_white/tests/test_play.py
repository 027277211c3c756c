"""What scenarios cannot show: corrections by hosts, and who is told that it is their turn."""

from datetime import timedelta

import pytest

from matches.engine.errors import Rejected
from matches.games.black_and_white import GAME
from matches.games.black_and_white.tests.table import Table, duel, place

NOW = timedelta(hours=2)


def corrected(table: Table, player: str, amount: int) -> Table:
    table.steps.append(GAME.correct(table.state, player, "point", amount, NOW))
    return table


def test_whoever_loses_their_last_points_to_a_host_places_0_at_once_and_not_late() -> None:
    table = corrected(duel(), "ann", -99)
    assert GAME.next_deadline(table.state) == NOW
    table.until(NOW)
    assert table.told("everyone") == ["placed"]
    assert (table.state.on_turn, GAME.next_deadline(table.state)) == ("bob", NOW + timedelta(hours=24))


def test_a_host_who_takes_everybodys_points_ends_the_play() -> None:
    table = corrected(corrected(duel(), "bob", -99), "ann", -99).until(NOW)
    assert [each.placed for each in table.state.played] == [{"ann": 0, "bob": 0}]
    assert table.public.phase == "finished"


def test_points_that_a_host_gives_light_lamps_and_can_be_placed() -> None:
    table = corrected(duel(), "ann", 21)
    assert table.public.seat("ann").lamps == 7
    assert table.act(NOW, "ann", place(120)).public.seat("ann").lamps == 1


def test_points_that_were_placed_cannot_be_taken() -> None:
    table = duel().places(90)
    with pytest.raises(Rejected) as refused:
        GAME.correct(table.state, "ann", "point", -10, NOW)
    assert refused.value.code == "not_enough"


@pytest.mark.parametrize(("move_time", "told"), [("1h", ["your_turn"]), ("59m", [])])
def test_players_are_told_of_their_turn_where_they_have_time_to_be_elsewhere(move_time: str, told: list[str]) -> None:
    assert duel(move_time=move_time).places(1).told("player:bob") == told
