"""Who sees colours, lamps and winners can tell nothing else: duels that differ in numbers alone look the same."""

import os
from random import Random

import pytest

from matches.games.black_and_white.config import Config
from matches.games.black_and_white.tests.table import Table, duel, place
from tests.games.twins import look_the_same_to

PAIRS = int(os.environ.get("PAIRS", "500"))
NUMBERS = [place(number) for number in (-1, 0, 3, 30, 99, 100)]


def _twin_numbers(one: Table, other: Table, chance: Random) -> tuple[int, int]:
    """A number for each of the two tables that look the same; different ones, if there are any."""
    player = one.state.on_turn
    config: Config = one.state.config
    left = [table.state.points_of(player or "") for table in (one, other)]

    def looks(points: int, number: int, table: Table) -> tuple[object, ...]:
        current = table.state.this_round
        # Who has no points answers with 0 at once.
        answered = 0 if not table.state.points_of(table.state.other(player or "")) else None
        against = next(iter(current.placed.values()), answered)
        sign = None if against is None else (number > against) - (number < against)
        return config.colour(number), config.lamps(points - number), sign, points == number

    number = chance.choice([chance.randint(0, left[0]), min(left[0], chance.randint(0, 14))])
    wanted = looks(left[0], number, one)
    fitting = [n for n in range(left[1] + 1) if looks(left[1], n, other) == wanted]
    return (number, chance.choice(fitting)) if fitting else (-1, -1)


def _twins(seed: int) -> int:
    """Two duels, of which one player's numbers differ, as long as they go; how many numbers did."""
    chance = Random(seed)
    secret, viewer = ("ann", "bob") if seed % 2 else ("bob", "ann")
    config = {"lamp": chance.choice((5, 20, 33)), "white_from": chance.choice((1, 10, 15))}
    one, other, differing = duel(**config), duel(**config), 0
    while (player := one.state.on_turn) is not None:
        at = (len(one.steps) + 1) * 3600
        if player == secret:
            numbers = _twin_numbers(one, other, chance)
            if numbers[0] < 0:
                break
        else:
            # What wins against one number must win against the other too.
            numbers = (chance.randint(0, min(one.private(viewer).points, 25)),) * 2
            placed = [next(iter(table.state.this_round.placed.values()), None) for table in (one, other)]
            if None not in placed and len({(n > p) - (n < p) for n, p in zip(numbers, placed, strict=True)}) > 1:  # type: ignore[operator]
                break
        one.act(at, player, place(numbers[0]))
        other.act(at, player, place(numbers[1]))
        differing += numbers[0] != numbers[1]
        if one.state.on_turn is None or other.state.on_turn is None:
            break
        if one.state != other.state:
            look_the_same_to(viewer, one, other, NUMBERS[:1])
    return differing


def test_duels_that_differ_in_numbers_alone_look_the_same_to_the_other_player() -> None:
    assert sum(_twins(seed) > 0 for seed in range(2 * PAIRS)) >= PAIRS


def test_numbers_are_open_once_the_match_is_finished() -> None:
    table = duel(wins=1).places(11, 9)
    assert [[stone.points for stone in each.stones] for each in table.public.rounds] == [[11, 9]]
    assert [seat.left for seat in table.public.seats] == [88, 90]


@pytest.mark.parametrize("number", [0, 5])
def test_a_number_tells_the_other_player_when_it_is_their_turn_and_no_more(number: int) -> None:
    table = duel().places(number)
    assert table.told("player:bob") == ["your_turn"]
    assert table.told("everyone") == ["placed"]
    (placed,) = [item for item in table.last.announcements if item.kind == "placed"]
    assert placed.data == {"player": "ann", "round": 1, "colour": "black", "lamps": 5}
    assert table.last.touched == {"ann", "bob"}
