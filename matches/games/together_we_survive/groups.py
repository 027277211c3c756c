"""Who is in which group."""

from __future__ import annotations

from collections import Counter

import msgspec

from matches.engine.core import Entrant
from matches.engine.errors import ConfigError
from matches.games.together_we_survive.state import GROUPS, A, B

FEWEST = 2
"""The fewest players in a group."""

USUAL = 8


def check(roster: tuple[Entrant, ...]) -> None:
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


def dealt(roster: tuple[Entrant, ...]) -> tuple[Entrant, ...]:
    """The roster with everybody in a group: if nobody has one, the first half of the list, rounded up, is A."""
    if any(entrant.team for entrant in roster):
        return roster
    half = (len(roster) + 1) // 2
    return tuple(
        msgspec.structs.replace(entrant, team=A if place < half else B) for place, entrant in enumerate(roster)
    )


def unusual(roster: tuple[Entrant, ...]) -> tuple[str, ...]:
    """A sentence for the host if groups have other sizes than usual."""
    counts = _counts(dealt(roster))
    if set(counts.values()) == {USUAL}:
        return ()
    return (
        f"The match is made for {USUAL} players in each group; "
        f"this one has {counts[A]} in group A and {counts[B]} in group B.",
    )


def _counts(roster: tuple[Entrant, ...]) -> dict[str, int]:
    counts = Counter(entrant.team for entrant in roster)
    return {group: counts[group] for group in GROUPS}
