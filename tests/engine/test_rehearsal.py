"""A match that bots play beforehand, and what it tells its host."""

from typing import Any

import msgspec

from matches.engine.errors import Rejected
from matches.engine.rehearsal import MATCHES, Deadline, Report, Stuck, rehearse, report_of
from matches.engine.settings import Entrant
from tests.engine.tiny_game import GAME, TinyGame

DAY = 86_400
ROSTER = (Entrant("ann"), Entrant("bob"), Entrant("cat"))
SEED = bytes(range(32))


def reported(game: Any = GAME, config: Any = None, roster: Any = ROSTER, enough: Any = lambda which: False) -> Report:
    return report_of(game, config or {}, roster, SEED, enough)


def test_the_report_can_be_stored_and_says_what_came_of_it() -> None:
    report = reported()
    assert msgspec.convert(msgspec.json.decode(msgspec.json.encode(report)), Report) == report
    played = report.played
    assert played.deadlines[0] == Deadline(DAY, "In play", "until")
    assert len(report.endings) == MATCHES
    assert report.endings[0].winners == played.winners
    assert len({ending.winners for ending in report.endings}) > 1, "other draws, other winners"
    assert DAY in report.fixed
    assert report.idle_length is not None
    assert report.idle_length >= DAY


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
