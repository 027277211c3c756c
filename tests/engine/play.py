"""Small words for tests that drive a game: a table at which one match is played."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from matches.engine.draw import Draw
from matches.engine.errors import Rejected
from matches.engine.game import AnyGame
from matches.engine.match_time import parse_duration
from matches.engine.settings import Entrant
from matches.engine.step import Announcement, Step
from tests.engine.tiny_game import GAME

SEED = bytes(range(32))


class Table:
    """A match in progress; every step is kept."""

    def __init__(
        self, *players: str, game: AnyGame = GAME, seed: bytes = SEED, garnets: int = 0, **config: Any
    ) -> None:
        self.game = game
        self.draw = Draw(seed)
        self.roster = tuple(Entrant(handle, garnets=garnets) for handle in players)
        self.steps: list[Step[Any]] = [game.open(game.read_config(config), self.roster, self.draw)]
        self.now = timedelta()

    @property
    def state(self) -> Any:
        return self.steps[-1].state

    @property
    def phase(self) -> str:
        return str(self.state.core.phase)

    @property
    def candidates(self) -> tuple[str, ...]:
        return tuple(self.state.core.candidates)

    @property
    def told(self) -> list[Announcement]:
        """Everything announced so far, to any audience."""
        return [item for step in self.steps for item in step.announcements]

    def told_of(self, kind: str) -> list[dict[str, Any]]:
        return [item.data for item in self.told if item.kind == kind]

    def holds(self, player: str, asset: str = "tol") -> int:
        return int(self.state.core.purses.get(player, {}).get(asset, 0))

    def asked(self, player: str) -> tuple[str, ...]:
        return tuple(ask.kind for ask in self.game.private_view(self.state, player).asked)

    def options(self, player: str) -> tuple[str, ...]:
        """Whom the player may choose in the first decision that is asked of them."""
        return tuple(self.game.private_view(self.state, player).asked[0].options)

    def closes(self) -> timedelta | None:
        return self.game.next_deadline(self.state)

    def until(self, at: str | int) -> Table:
        """Let time pass to `at`, with every deadline on the way."""
        self.now = parse_duration(at)
        while (due := self.closes()) is not None and due <= self.now:
            self.steps.append(self.game.pass_deadline(self.state, self.draw))
        return self

    def do(self, who: str, kind: str, **fields: Any) -> Table:
        """An action that the rules accept."""
        action = {"type": kind, **fields}
        self.steps.append(self.game.submit(self.state, who, action, self.now, self.draw))
        return self

    def refused(self, who: str, kind: str, **fields: Any) -> str:
        """The code with which the rules refuse an action."""
        try:
            self.game.submit(self.state, who, {"type": kind, **fields}, self.now, self.draw)
        except Rejected as rejection:
            return rejection.code
        return "accepted"
