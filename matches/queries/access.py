"""Who may see a match, and in which role."""

from __future__ import annotations

from typing import Any, NamedTuple

from matches.games.unknown_rules import UnknownRules
from matches.models import Match, Player, Role
from matches.queries import positions
from matches.services.commands import role_of


class MatchHidden(LookupError):
    """There is no such match, or this viewer may not see it; both get the same answer."""


class RulesNotHere(LookupError):
    """The match exists but cannot be shown: this site does not have the rules that it began with."""

    code = "rules_unknown"

    def __init__(self, title: str, message: str) -> None:
        super().__init__(message)
        self.title, self.message = title, message


class Viewer(NamedTuple):
    """A match and its viewer. `player` is the viewer's own part in it, if any; `role` the one as a host or observer."""

    match: Match
    user: Any
    player: Player | None
    role: Role | None = None

    @property
    def is_host(self) -> bool:
        """Whether the viewer gives commands."""
        return self.role is not None and self.role.acts

    @property
    def sees(self) -> bool:
        """Whether the viewer sees what hosts see, and acts or observes."""
        return self.role is not None


def access_match(public_id: str, user: Any, *, everybody: bool = False) -> Viewer:
    """The match of that id, if this user may see it; with all its players (`everybody`) for a page that shows them.
    Raises `MatchHidden`, `RulesNotHere`.

    Drafts are only for their hosts, observers and invited players.
    """
    match = positions.find(public_id) if everybody else Match.objects.filter(public_id=public_id).first()
    if match is None:
        raise MatchHidden
    viewer = viewer_of(match, user)
    if not match.is_public and not viewer.sees and viewer.player is None:
        raise MatchHidden
    if isinstance(match.rules, UnknownRules):
        raise RulesNotHere(match.title, match.rules.problem)
    return viewer


def viewer_of(match: Match, user: Any) -> Viewer:
    """This user as a viewer of a match that they may see."""
    if not user.is_authenticated:
        return Viewer(match, user, None)
    if "players" in getattr(match, "_prefetched_objects_cache", ()):
        player = next((each for each in match.players.all() if each.user_id == user.pk), None)
    else:
        player = match.players.filter(user_id=user.pk).first()
    return Viewer(match, user, player, role_of(match, user) if player is None else None)
