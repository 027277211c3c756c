"""The servers to which the site posts news: they note what they take, and now and then they fail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from lab.simulation.ground import AWorld
from notices.safe_addresses import NotReached
from notices.safe_http import Answer

_FAILS, _ANSWER_IS_LOST = 0.1, 0.05


class Receivers:
    """All of them. `acknowledged`: how often a post, by address and id, was taken and the site was told so; `taken`:
    ids by address, in the order in which they came first."""

    def __init__(self, world: AWorld) -> None:
        self._world = world
        self.acknowledged: Counter[tuple[str, str]] = Counter()
        self.taken: dict[str, dict[str, None]] = {}
        self.are_well = False

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        """In place of `safe_http.post`. Whoever posts may die just before it arrives, and just after."""
        self._world.moment("posting")
        id, share = headers["webhook-id"], 1.0 if self.are_well else self._world.chance.random()
        self._world.note(f"post {url} {id} {share:.3f}")
        if share < _FAILS:
            return Answer(503)
        self.taken.setdefault(url, {})[id] = None
        self._world.moment("posted")
        if share < _FAILS + _ANSWER_IS_LOST:
            raise NotReached("no_answer", "No answer came.")
        self.acknowledged[url, id] += 1
        return Answer(204)
