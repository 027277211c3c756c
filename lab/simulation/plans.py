"""A plan: the steps of a run, drawn from its seed. Each step has a seed of its own, and so does not depend on how many
draws the others make."""

from __future__ import annotations

import random
from typing import NamedTuple


class Step(NamedTuple):
    """Something that happens. With `at` it happens within the step before it that has none: at that many moments from
    its beginning (`World.moment`), or right after it."""

    kind: str
    seed: int
    at: int = 0


WEIGHTS = {
    "act": 30,
    "retry": 8,
    "work": 8,
    "sweep": 8,
    "due": 8,
    "wait": 8,
    "deliver": 8,
    "watch": 5,
    "leave": 2,
    "kill": 4,
    "host": 4,
    "pass_on": 4,
    "mail": 2,
    "news": 2,
    "remind": 3,
    "season": 3,
    "skew": 2,
    "gap": 1,
}
WITHIN = {
    "act": 8,
    "retry": 4,
    "work": 4,
    "sweep": 6,
    "deliver": 3,
    "host": 2,
    "pass_on": 2,
    "mail": 1,
    "news": 1,
    "remind": 2,
    "season": 2,
    "die": 8,
}
_FEWEST, _MOST = 6, 28
_INTERRUPTED = 0.3
_LATEST = 14


def plan_of(seed: int) -> list[Step]:
    """The steps of this seed. What is frequent differs from seed to seed."""
    draw = random.Random(f"plan:{seed}")
    mains, withins = _tilted(draw, WEIGHTS), _tilted(draw, WITHIN)
    steps = []
    for _ in range(draw.randint(_FEWEST, _MOST)):
        steps.append(Step(_drawn(draw, mains), draw.getrandbits(32)))
        while draw.random() < _INTERRUPTED:
            steps.append(Step(_drawn(draw, withins), draw.getrandbits(32), draw.randint(1, _LATEST)))
    return steps


def _tilted(draw: random.Random, weights: dict[str, int]) -> dict[str, float]:
    return {kind: weight * draw.choice((0.0, 0.5, 1.0, 1.0, 2.0, 4.0)) for kind, weight in weights.items()}


def _drawn(draw: random.Random, weights: dict[str, float]) -> str:
    if not any(weights.values()):
        return "act"
    return draw.choices(list(weights), list(weights.values()))[0]
