"""The settings of Black and White."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Annotated

from matches.engine.errors import ConfigError
from matches.engine.match_time import DAY, NO_TIME
from matches.engine.sentences import joined
from matches.engine.settings import Roster, Setting, Settings, Span, Values, Whole, on_credit, time_to_decide

BLACK = "black"
WHITE = "white"


class Leader(Setting, frozen=True, kw_only=True):
    """A setting for the handle of a player, or None."""

    def read(self, raw: object) -> str | None:
        if raw is not None and (not isinstance(raw, str) or not raw):
            raise self.refuse("expected the handle of one of the players, or nothing to let the site draw one")
        return raw


def more_than_half(values: Values) -> int:
    """The default number of won rounds that wins the match."""
    rounds: int = values["rounds"]
    return rounds // 2 + 1


class Config(Settings, frozen=True, kw_only=True):
    """The settings of one match."""

    points: Annotated[int, Whole("Points", "What each player starts with.", minimum=1, maximum=999)] = 99
    rounds: Annotated[int, Whole("Rounds", "The match has at most this many rounds.", minimum=1, maximum=25)] = 9
    wins: Annotated[
        int,
        Whole(
            "Rounds that win",
            "The first to win this many rounds wins the match. Usually more than half.",
            minimum=1,
            maximum=25,
            default_from=more_than_half,
        ),
    ]
    lamp: Annotated[int, Whole("Points per lamp", "Points that a player needs for each extra lamp.", minimum=1)] = 20
    white_from: Annotated[int, Whole("White from", "Lower numbers are black.", minimum=1, maximum=999)] = 10
    first: Annotated[
        str | None,
        Leader("First to lead", "Handle of round 1's leader. If empty, the site draws one.", draw="who leads round 1"),
    ] = None
    tokens: Annotated[int, Whole("Token of Life", "1 if the winner gets one, otherwise 0.", maximum=1)] = 0
    pregame: Annotated[timedelta, Span("Pregame", "Nobody can place a number until it ends.")] = NO_TIME
    move_time: Annotated[
        timedelta,
        Span(
            "Time for a turn",
            "For each number. If a player is late, the site places 0.",
            positive=True,
        ),
    ] = DAY
    garnet_credit: Annotated[bool, on_credit("purchases (there are none in this game)")] = False
    decision_time: Annotated[timedelta, time_to_decide("decisions (there are none in this game)")] = DAY

    def lamps(self, points: int) -> int:
        """How many lamps show for a number of points left."""
        return points // self.lamp + 1

    def colour(self, points: int) -> str:
        """The colour of a number, which everybody sees."""
        return WHITE if points >= self.white_from else BLACK

    def conflicts(self) -> Iterator[ConfigError]:
        if self.wins > self.rounds:
            yield ConfigError("wins", f"expected at most the {self.rounds} rounds of the match", beside=("rounds",))

    def misfits(self, roster: Roster) -> Iterator[ConfigError]:
        handles = [entrant.handle for entrant in roster]
        if self.first is not None and self.first not in handles:
            yield ConfigError("first", f"choose one of the players to lead round 1: {joined(handles, 'or')}")

    def unusual(self, roster: Roster) -> tuple[str, ...]:
        if self.white_from > self.points:
            return ("Nobody can place a white number.",)
        return ()
