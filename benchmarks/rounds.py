"""Whole matches of bots through the rules alone, and how long a deadline takes: `python -m benchmarks.rounds SLUG`.

Rules wait for nothing, so CPU time is measured, which does not depend on other work on the machine.
"""

from __future__ import annotations

import argparse
import gc
import json
from collections.abc import Iterator
from datetime import timedelta
from statistics import median
from time import process_time
from typing import Any

from matches.engine.draw import Draw
from matches.engine.game import AnyGame
from matches.engine.roster import Entrant
from matches.games.registry import all_games


class BotMatch:
    """A match that bots play by themselves; `took` holds the CPU seconds that each deadline took."""

    def __init__(self, game: AnyGame, number: int, players: int, looks: int) -> None:
        self.game, self.looks = game, looks
        self.draw = Draw(number.to_bytes(32, "big"))
        self.took: list[float] = []
        self.private: dict[str, Any] = {}
        names = [f"p{place}" for place in range(1, players + 1)]
        teams = game.teams or (None,)
        # More players than the game takes are let in too: only the speed of the rules matters here.
        roster = tuple(Entrant(name, teams[place % len(teams)], garnets=3) for place, name in enumerate(names))
        self.chances = {name: Draw(f"{number}:{name}".encode().ljust(32, b".")) for name in names}
        self._take(game.open(game.read_config({}), roster, self.draw))

    def run(self) -> Any:
        """Play to the end. Returns the outcome."""
        while (due := self.game.next_deadline(self.state)) is not None:
            for now in self._moments(due):
                self._everybody_looks(now)
            if self.game.next_deadline(self.state) == due:
                start = process_time()
                step = self.game.pass_deadline(self.state, self.draw)
                self.took.append(process_time() - start)
                self._take(step)
        return self.game.outcome(self.state)

    def _moments(self, due: timedelta) -> Iterator[timedelta]:
        begin = self.state.core.time
        for look in range(self.looks if due > begin else 0):
            yield begin + (due - begin) * look / self.looks

    def _everybody_looks(self, now: timedelta) -> None:
        for name, chance in self.chances.items():
            due = self.game.next_deadline(self.state)
            if due is None or due <= now:
                return
            action = self.game.bot_action(self.public, self._private(name), now, chance)
            if action is not None:
                self._take(self.game.submit(self.state, name, action, now, self.draw))

    def _private(self, name: str) -> Any:
        if name not in self.private:
            self.private[name] = self.game.private_view(self.state, name)
        return self.private[name]

    def _take(self, step: Any) -> None:
        """Views are made again if the step says that they have changed, as on the site."""
        self.state = step.state
        if step.public:
            self.public = self.game.public_view(self.state)
        for name in step.touched:
            self.private.pop(name, None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=sorted(all_games()), metavar="SLUG")
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--players", type=int, default=0, help="default: as many as the game is made for")
    parser.add_argument("--looks", type=int, default=2, help="how often each bot looks between two deadlines")
    options = parser.parse_args()
    game = all_games()[options.game]
    players = options.players or game.sizes.usual[0]
    took: list[float] = []
    finished = 0
    gc.freeze()  # or a collection of everything imported now and then slows a deadline
    start = process_time()
    for number in range(options.matches):
        match = BotMatch(game, number, players, options.looks)
        finished += match.run() is not None
        took += match.took
    seconds = process_time() - start
    print(
        json.dumps(
            {
                "players": players,
                "finished": finished,
                "cpu_seconds": round(seconds, 1),
                "matches_per_second": round(finished / seconds, 1),
                "deadline_median_ms": round(median(took) * 1000, 2),
                "deadline_max_ms": round(max(took) * 1000, 2),
            }
        )
    )


if __name__ == "__main__":
    main()
