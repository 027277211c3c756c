"""The hook for apps that group matches, such as seasons: they register here (`AppConfig.ready`), so that matches/ need
not know them.

Services ask the group about settings, joining, opening and corrections, never about an action.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from matches.models import Match, Player


class Group(Protocol):
    """The group of one match. The methods `why_…` and `…_problems` return sentences for people, or nothing."""

    def desk(self) -> tuple[str, str]:
        """The group's name, and the address of its console."""

    def setting_problems(self, config: dict[str, Any]) -> list[str]:
        """Why the match cannot be played with these settings, for hosts."""

    def player_problems(self, players: Iterable[Player]) -> list[str]:
        """Why these players cannot play the match now, for everybody."""

    def handle_of(self, user: Any) -> str:
        """The handle under which a person plays in all matches of the group; empty if they do not."""

    def why_not_play(self, user: Any, handle: str = "") -> str:
        """Why a person may not have a place in the match, or the place with this handle."""

    def why_not_correct(self) -> str:
        """Why no balance of the match can be corrected any more."""

    def why_no_growth(self) -> str:
        """Why blood garnets cannot grow in the match."""

    def why_not_typed(self) -> str:
        """Why hosts cannot set the opening balances of players."""

    def brings(self) -> Mapping[str, str]:
        """Handle -> what the player would bring if the match opened now, in words, for hosts."""

    def when_cancelled(self) -> str:
        """A sentence on what happens to what players brought if the match is cancelled."""

    def config(self, config: dict[str, Any]) -> dict[str, Any]:
        """The settings with which the match opens, given those that its hosts set."""

    def bring(self, players: Iterable[Player]) -> None:
        """At the opening, set what each of these players brings (`garnets`, `priority`), and move it from the group to
        the match, in the caller's transaction. Raises `Refused`; then nothing has moved."""


Find = Callable[[Match], Group | None]

_finders: list[Find] = []


def register(find: Find) -> None:
    """Register a function that returns a match's group, or None."""
    if find not in _finders:
        _finders.append(find)


def group_of(match: Match) -> Group | None:
    """The group to which a match belongs; None if it stands alone."""
    return next((group for find in _finders if (group := find(match)) is not None), None)
