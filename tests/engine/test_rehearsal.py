"""A match that bots play beforehand, and what it tells its host."""

from typing import Any

from matches.engine.errors import Rejected
from matches.engine.rehearsal import Stuck, rehearse
from matches.engine.settings import Entrant
from tests.engine.tiny_game import GAME, TinyGame

ROSTER = (Entrant("ann"), Entrant("bob"), Entrant("cat"))
SEED = bytes(range(32))


class Alone(TinyGame):
    """Only ann may bid, and everybody's first try is refused."""

    def act(self, turn: Any, state: Any, player: str, action: Any) -> Any:
        if player != "ann":
            raise Rejected("poor", "You have no purse.")
        return super().act(turn, state, player, action)


def test_it_says_who_could_do_nothing_and_why() -> None:
    played = rehearse(Alone(), GAME.read_config({}), ROSTER, SEED)
    assert played.stuck == (
        Stuck("bob", "In play", "You have no purse."),
        Stuck("cat", "In play", "You have no purse."),
    )
