"""The suite finds faults: the tiny game with a fault planted in it fails."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from matches.engine.draw import Draw
from matches.engine.step import Announcement, BidEvent, Step
from matches.engine.views import PublicView
from tests.conformance.match import Match, Move
from tests.conformance.subjects import Subject
from tests.conformance.test_secrecy import secretive
from tests.engine.tiny_game import TinyGame

replace = msgspec.structs.replace
SCRIPT = [
    Move(kind, number) for number in range(12) for kind in ("bot", "mischief", "deadline" if number > 5 else "bot")
]
FAULTS: dict[str, type[TinyGame]] = {}


def fault(expected: str) -> Callable[[type[TinyGame]], type[TinyGame]]:
    """Register a faulty game with a part of the message that the suite must give."""

    def enter(game: type[TinyGame]) -> type[TinyGame]:
        FAULTS[expected] = game
        return game

    return enter


class _Changed(TinyGame):
    """A game that changes the steps of players' actions by `change`."""

    def change(self, step: Step[Any], player: str) -> Step[Any]:
        raise NotImplementedError

    def submit(self, state: Any, player: str, raw: object, now: timedelta, draw: Draw) -> Step[Any]:
        return self.change(super().submit(state, player, raw, now, draw), player)


@fault("balances are not the sum of the postings")
class Forges(_Changed):
    def change(self, step: Step[Any], player: str) -> Step[Any]:
        return replace(step, state=replace(step.state, core=replace(step.state.core, purses={"ann": {"chip": 99}})))


@fault("the public view changed, and the step does not say so")
class Hushes(TinyGame):
    def pass_deadline(self, state: Any, draw: Draw) -> Step[Any]:
        return replace(super().pass_deadline(state, draw), public=False, announcements=())


@fault("a sealed submission moved the public version")
class Shouts(_Changed):
    def change(self, step: Step[Any], player: str) -> Step[Any]:
        return replace(step, public=True)


@fault("who is not touched")
class Whispers(_Changed):
    def change(self, step: Step[Any], player: str) -> Step[Any]:
        other = "bob" if player == "ann" else "ann"
        return replace(step, announcements=(Announcement(f"player:{other}", "match_resumed"),))


@fault("the seed is part of a state or view")
class Leaks(TinyGame):
    def public_view(self, state: Any) -> PublicView:
        return replace(super().public_view(state), winners=(bytes(self._seed).hex(),))

    def open(self, config: Any, roster: Any, draw: Draw) -> Step[Any]:
        self._seed = draw._seed
        return super().open(config, roster, draw)


@fault("what is stored reads back as another state")
class Loses(TinyGame):
    def decode_state(self, raw: bytes | str) -> Any:
        return replace(super().decode_state(raw), sold_for=7)


@fault("two bids of")
class Doubles(_Changed):
    def change(self, step: Step[Any], player: str) -> Step[Any]:
        return replace(step, bids=(BidEvent("standing", "Z", player, "chip", 1, False),) * 2)


@pytest.mark.parametrize("sentence", FAULTS)
def test_a_planted_fault_is_found(sentence: str) -> None:
    with pytest.raises(AssertionError) as caught:
        Match(Subject(FAULTS[sentence](), {}), 1).play(SCRIPT).run_out()
    assert sentence in str(caught.value)


def test_the_same_play_without_a_fault_passes() -> None:
    assert Match(Subject(TinyGame(), {}), 1).play(SCRIPT).run_out().state.core.phase == "finished"


def test_a_sealed_bid_that_shows_to_others_is_found_by_the_twins() -> None:
    class Peeks(TinyGame):
        """Shows everyone the sum of all sealed bids, and no step says that this has changed."""

        def private_view(self, state: Any, player: str, now: timedelta | None = None) -> Any:
            total = sum(sealed.value for sealed in state.box.values())
            return replace(super().private_view(state, player, now), if_idle=str(total))

    with pytest.raises(AssertionError, match=r"view changed|sees another"):
        secretive(Match(Subject(Peeks(), {}), 1), [Move("bot", number) for number in range(8)], "ann", 5)
