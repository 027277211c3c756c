"""Settings and groups: defaults, what is refused, what hosts are warned of."""

import pytest

from matches.engine.draw import Draw
from matches.engine.errors import ConfigError
from matches.engine.settings import Entrant
from matches.games.together_we_survive import GAME
from matches.games.together_we_survive.tests.table import Table


def roster(count: int, *teams: str) -> tuple[Entrant, ...]:
    return tuple(Entrant(f"p{place}", teams[place] if place < len(teams) else None) for place in range(count))


@pytest.mark.parametrize(("count", "first"), [(4, 2), (5, 3), (15, 8), (16, 8)])
def test_without_teams_the_first_half_rounded_up_is_group_a(count: int, first: int) -> None:
    opened = GAME.open(GAME.read_config({}), roster(count), Draw(bytes(32))).state.core
    assert [entrant.team for entrant in opened.roster] == ["A"] * first + ["B"] * (count - first)


def test_teams_are_kept_as_listed() -> None:
    table = Table("ann bob cat", "kim leo")
    assert (table.state.group("A"), table.state.group("B")) == (("ann", "bob", "cat"), ("kim", "leo"))


@pytest.mark.parametrize(
    ("players", "says"),
    [
        (roster(3), "takes 4 to 60 players"),
        (roster(61), "takes 4 to 60 players"),
        (roster(4, "A", "A", "B"), "p3 has no team"),
        (roster(4, "A", "A", "A", "B"), "team B has 1"),
        (roster(4, "B", "B", "B", "B"), "team A has 0"),
        (roster(4, "A", "A", "B", "C"), "C, which is not a team"),
        (roster(4, "a", "A", "B", "B"), "a, which is not a team"),
    ],
)
def test_rosters_that_cannot_play_are_refused(players: tuple[Entrant, ...], says: str) -> None:
    with pytest.raises(ConfigError, match=says) as refused:
        GAME.check_roster(players)
    assert refused.value.key == "players"
