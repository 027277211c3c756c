"""Who is in which group."""

from __future__ import annotations

from collections import Counter

import msgspec

from matches.engine.errors import ConfigError
from matches.engine.roster import Roster

A, B = "A", "B"
GROUPS = (A, B)
"""The two groups, and the kinds of votes for their players."""

FEWEST = 2
"""The fewest players in a group."""


def check(roster: Roster) -> None:
    """Raise `ConfigError` unless all players have a group, or none, and both groups have enough."""
    for entrant in roster:
        if entrant.team and entrant.team not in GROUPS:
            raise ConfigError("players", f"{entrant.team!r} is not a group of this game; groups are A and B")
    without = [entrant.handle for entrant in roster if not entrant.team]
    if without and len(without) < len(roster):
        raise ConfigError(
            "players",
            f"put every player into group A or B, or none of them; {without[0]} has no group, and others have one",
        )
    for group, count in _counts(dealt(roster)).items():
        if count < FEWEST:
            raise ConfigError("players", f"each group needs {FEWEST} players or more; group {group} has {count}")


def dealt(roster: Roster) -> Roster:
    """The roster with everybody in a group: if nobody has one, the first half of the list, rounded up, is A."""
    if any(entrant.team for entrant in roster):
        return roster
    half = (len(roster) + 1) // 2
    return tuple(
        msgspec.structs.replace(entrant, team=A if place < half else B) for place, entrant in enumerate(roster)
    )


def unusual(roster: Roster) -> tuple[str, ...]:
    """A sentence for the host on groups that differ in size."""
    counts = _counts(dealt(roster))
    if abs(counts[A] - counts[B]) <= len(roster) % 2:
        return ()
    return (
        f"The match is made for groups of one size; this one has {counts[A]} players in group A and {counts[B]} in "
        "group B.",
    )


def _counts(roster: Roster) -> dict[str, int]:
    counts = Counter(entrant.team for entrant in roster)
    return {group: counts[group] for group in GROUPS}
