"""What games with rounds of sealed submissions share: when rounds open and close, sealing, and asking for it."""

from datetime import timedelta
from typing import Annotated, Any, TypeVar

from matches.engine.core import RUNNING, Core, put_sealed, replace
from matches.engine.match_time import DAY, seconds
from matches.engine.settings import Settings, Span
from matches.engine.step import Turn
from matches.engine.views import Ask, MatchTime, PublicView


class InRounds(Settings, frozen=True, kw_only=True):
    """Base of the config of a game in rounds, numbered from 1. A game may also have a setting `pregame`."""

    first_round: Annotated[timedelta, Span("First round", "How long the first round takes.", positive=True)] = DAY
    round: Annotated[timedelta, Span("Later rounds", "How long each later round takes.", positive=True)] = DAY

    def opens_at(self, number: int) -> timedelta:
        """The match time at which a round opens, which is when the one before it closes."""
        start: timedelta = getattr(self, "pregame", timedelta())
        return start if number == 1 else start + self.first_round + (number - 2) * self.round

    def closes_at(self, number: int) -> timedelta:
        """The match time at which a round closes."""
        return self.opens_at(number + 1)


class PublicInRounds(PublicView, frozen=True, kw_only=True):
    """A public view with the number of the open or latest round, and its times while it is open."""

    round: int
    opens_at: MatchTime | None
    closes_at: MatchTime | None


def round_fields(core: Core, config: InRounds, number: int) -> dict[str, Any]:
    """The fields of `PublicInRounds`."""
    is_open = core.phase == RUNNING
    return {
        "round": number,
        "opens_at": seconds(config.opens_at(number)) if is_open else None,
        "closes_at": seconds(config.closes_at(number)) if is_open else None,
    }


S = TypeVar("S")


def seal(turn: Turn, state: S, player: str, value: Any) -> S:
    """The state with a player's sealed submission made or replaced; nobody else learns of it."""
    turn.touch(player)
    boxes: Any = state
    return replace(boxes, sealed=put_sealed(boxes.sealed, player, value, turn.now))  # type: ignore[no-any-return]


def asked_to_seal(state: Any, player: str, text: str) -> tuple[Ask, ...]:
    """What a player is asked in the open round: `text`, until they have sealed something."""
    if state.core.phase != RUNNING or player in state.sealed:
        return ()
    return (Ask("bid", text, seconds(state.config.closes_at(state.round))),)
