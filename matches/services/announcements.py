"""What was told to one player, and whose it is."""

from __future__ import annotations

from matches.models import Player

PERSONAL = ("added_to_match", "question_answered")
"""What concerns the person, and not what happens to their place in the play."""


def let_go_of_personal(player: Player) -> None:
    """Hide from the next person of a place what concerned the last one alone. What happened to the place in the play is
    theirs now."""
    player.announcements.filter(kind__in=PERSONAL).update(player=None)


def let_go(player: Player) -> None:
    """Keep from the next person of a place all that the last one was told, and had said of their absence."""
    player.announcements.update(player=None)
    player.absences.all().delete()
