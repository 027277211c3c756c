"""The report of a run: a table of faults, and what came of the history."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lab.crash.checker import Violation

MOST_DELAY = 5.0
"""Seconds that others may wait while one process is frozen, and until pushes are whole after Redis returns."""


class Blow(NamedTuple):
    """A fault as it happened, in seconds. From its mending: `answered`, until each web answered an action; `whole`,
    until each socket shows what is answered; `swept`, until deadlines were swept again. `waited`: the longest that
    anybody at the other programs had to wait while one was frozen, with all that they had to send again."""

    kind: str
    lasted: float
    answered: float
    whole: float
    swept: float | None = None
    waited: float | None = None


@dataclass
class Figures:
    """Of a run. `sent`: attempts; `deeds`: actions; `answered` those of them that the rules judged."""

    blows: list[Blow] = field(default_factory=list)
    sent: int = 0
    unanswered: int = 0
    deeds: int = 0
    answered: int = 0
    accepted: int = 0
    timers: str = ""
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)


def table(blows: Sequence[Blow]) -> Iterable[str]:
    """A row for each kind of fault, in Markdown: the median and the longest time."""
    by_kind = defaultdict[str, list[Blow]](list)
    for blow in blows:
        by_kind[blow.kind].append(blow)
    yield "| fault | times | answered again after | pushes whole after | swept again after | others waited |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for kind in sorted(by_kind):
        some = by_kind[kind]
        swept = [blow.swept for blow in some if blow.swept is not None]
        waits = [blow.waited for blow in some if blow.waited is not None]
        yield (
            f"| {kind} | {len(some)} | {_spread([blow.answered for blow in some])} "
            f"| {_spread([blow.whole for blow in some])} | {_spread(swept) if swept else ''} "
            f"| {f'{max(waits):.1f} s' if waits else ''} |"
        )


def _spread(values: list[float]) -> str:
    ordered = sorted(values)
    return f"{ordered[len(ordered) // 2]:.1f} s, {ordered[-1]:.1f} s"


def text(figures: Figures, violations: Sequence[Violation]) -> str:
    """All of it."""
    kinds = defaultdict[str, int](int)
    for each in violations:
        kinds[each.kind] += 1
    lines = [
        *table(figures.blows),
        "",
        f"{len(figures.blows)} faults in {figures.seconds:.0f} s. {figures.sent} requests with {figures.deeds} "
        f"actions, {figures.unanswered} requests without an answer; {figures.answered} actions judged, "
        f"{figures.accepted} accepted.",
        f"Lost {kinds['lost']}, doubled {kinds['doubled']}, refused but stored {kinds['refused but stored']}.",
        f"Deadlines: {figures.timers}",
        *figures.notes,
        f"Violations: {len(violations)}",
        *(f"  {each.kind}: {each.text}" for each in violations[:50]),
    ]
    return "\n".join(lines)
