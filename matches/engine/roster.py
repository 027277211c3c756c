"""Who plays a match, and how many can."""

from __future__ import annotations

import msgspec


class Entrant(msgspec.Struct, frozen=True):
    """One player as listed when the match opens: opening garnets and priority are whole, >= 0; garnets that are brought
    from a season with credit may be below zero."""

    handle: str
    team: str | None = None
    garnets: int = 0
    priority: int = 0


Roster = tuple[Entrant, ...]
"""All players, in list order."""


class Sizes(msgspec.Struct, frozen=True):
    """How many players there may be. Outside `usual` (least, most) hosts get a warning."""

    least: int
    most: int
    usual: tuple[int, int]

    def in_words(self) -> str:
        """The possible numbers of players: “3 to 8”, or “6” if only one is possible."""
        return str(self.least) if self.least == self.most else f"{self.least} to {self.most}"
