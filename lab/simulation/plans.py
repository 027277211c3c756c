"""A plan: the steps of a run, drawn from its seed. Each step has a seed of its own, and so does not depend on how many
draws the others make."""

import random
from typing import NamedTuple


class Step(NamedTuple):
    """Something that happens. With `at` it happens within the step before it that has none: at that many moments from
    its beginning (`World.moment`), or right after it."""

    kind: str
    seed: int
    at: int = 0


_KINDS = {
    "act": (30, 8),
    "retry": (8, 4),
    "work": (8, 4),
    "sweep": (8, 6),
    "due": (8, 0),
    "wait": (8, 0),
    "deliver": (8, 3),
    "watch": (5, 0),
    "leave": (2, 0),
    "kill": (4, 0),
    "host": (4, 2),
    "pass_on": (4, 2),
    "mail": (2, 1),
    "news": (2, 1),
    "remind": (3, 2),
    "season": (3, 2),
    "skew": (2, 0),
    "gap": (1, 0),
    "die": (0, 8),
}
"""How often each happens by itself, and within another."""
_FEWEST, _MOST = 6, 28
_INTERRUPTED = 0.3
_LATEST = 14


def plan_of(seed: int) -> list[Step]:
    """The steps of this seed. What is frequent differs from seed to seed."""
    draw = random.Random(f"plan:{seed}")
    mains, withins = _tilted(draw, 0), _tilted(draw, 1)
    steps = []
    for _ in range(draw.randint(_FEWEST, _MOST)):
        steps.append(Step(_drawn(draw, mains), draw.getrandbits(32)))
        while draw.random() < _INTERRUPTED:
            steps.append(Step(_drawn(draw, withins), draw.getrandbits(32), draw.randint(1, _LATEST)))
    return steps


def _tilted(draw: random.Random, place: int) -> dict[str, float]:
    return {kind: often[place] * draw.choice((0.0, 0.5, 1.0, 1.0, 2.0, 4.0)) for kind, often in _KINDS.items()}


def _drawn(draw: random.Random, weights: dict[str, float]) -> str:
    if not any(weights.values()):
        return "act"
    return draw.choices(list(weights), list(weights.values()))[0]
