"""What was told to one player, and whose it is."""

from __future__ import annotations

from matches.models import Player

PERSONAL = ("added_to_match", "question_answered")
"""What concerns the person, and not what happens to their place in the play."""


def let_go_of_personal(player: Player) -> None:
    """The same where the next person plays on: what happened to the place is theirs now."""
    player.announcements.filter(kind__in=PERSONAL).update(player=None)


def let_go(player: Player) -> None:
    """What was told to the person of a place is not for the person who has the place next."""
    player.announcements.update(player=None)
