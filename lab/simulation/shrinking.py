"""Makes a failing run short: leaves out steps as long as the same rule is broken (delta debugging)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lab.simulation.plans import Step

_MOST_TRIES = 300

Fails = Callable[[list[Step]], bool]


def shrunk(plan: Sequence[Step], fails: Fails) -> list[int]:
    """The places of steps that are enough for `fails`, which holds for the whole plan."""
    kept, parts, tries = list(range(len(plan))), 2, 0
    while len(kept) > 1 and tries < _MOST_TRIES:
        size = -(-len(kept) // parts)
        for start in range(0, len(kept), size):
            fewer = kept[:start] + kept[start + size :]
            tries += 1
            if fewer and fails([plan[place] for place in fewer]):
                kept, parts = fewer, max(parts - 1, 2)
                break
        else:
            if size == 1:
                break
            parts = min(parts * 2, len(kept))
    return kept
