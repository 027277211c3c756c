"""What a match may belong to besides itself. An app that ties matches together registers here (`AppConfig.ready`);
matches/ knows none by name.

Asked only where it matters: at settings, joining, opening and corrections, never for an action.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from matches.models import Match, Player


class Group(Protocol):
    """What a match belongs to, as far as the match is concerned. Sentences are for people; empty means no objection."""

    def desk(self) -> tuple[str, str]:
        """What it is called, and the address at which its hosts look after it."""

    def setting_problems(self, config: dict[str, Any]) -> list[str]:
        """Why the match cannot be played with these settings. Hosts read it."""

    def player_problems(self, players: Iterable[Player]) -> list[str]:
        """Why these players cannot play it now. Everybody can read it."""

    def why_not_play(self, user: Any) -> str:
        """Why a person may not have a place in it."""

    def why_not_correct(self) -> str:
        """Why no balance of it can be corrected any more."""

    def why_no_growth(self) -> str:
        """Why blood garnets cannot grow in it."""

    def why_not_typed(self) -> str:
        """Why hosts do not say what players bring."""

    def brings(self) -> Mapping[str, str]:
        """Handle -> what they would bring if it opened now, in words, for hosts."""

    def when_cancelled(self) -> str:
        """What becomes of what players brought if it is cancelled."""

    def config(self, config: dict[str, Any]) -> dict[str, Any]:
        """The settings with which it opens, given those that its hosts set."""

    def bring(self, players: Iterable[Player]) -> None:
        """It opens, at `match.starts_at`: set what each of these players brings (`garnets`, `priority`), and move it
        there, in the caller's transaction. Raises `Refused`; then nothing has moved."""


Find = Callable[[Match], Group | None]

_finders: list[Find] = []


def register(find: Find) -> None:
    """From now on ask this function what a match belongs to."""
    if find not in _finders:
        _finders.append(find)


def group_of(match: Match) -> Group | None:
    """What a match belongs to; None if it stands alone."""
    return next((group for find in _finders if (group := find(match)) is not None), None)
