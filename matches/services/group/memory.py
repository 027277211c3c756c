"""What the group writer remembers of matches between transactions, so that it need not be read and decoded again.

It holds only while the stored head of the log is the one it was made from: any other writer moves the head.
"""

from __future__ import annotations

from collections.abc import Sequence

from accounts.models import ApiToken
from matches.models import Match, Player
from matches.services.group.writer import GroupedWriter, Position
from matches.services.storage import many
from matches.services.storage.recall import Recall

_MOST_MATCHES = 256


class Memory:
    """What one writer remembers; used by one thread at a time."""

    def __init__(self) -> None:
        self.matches = Recall(
            Match, changing=("next_deadline_at", "public_version", "log_count", "log_head"), without=("state",)
        )
        self.players = Recall(Player, changing=("version", "action_count"), most=5000)
        self.tokens = Recall(ApiToken, most=5000)
        self.ids: dict[str, int] = {}
        self._positions: dict[int, Position] = {}

    def positions(self, matches: Sequence[Match]) -> dict[int, Position]:
        """The present positions of matches whose rows are locked, read where they are not known."""
        unknown = [match.pk for match in matches if self._head(match.pk) != match.log_head]
        texts = dict(many.find(Match, "t.id, t.state", ("id",), [(pk,) for pk in unknown]))
        found = {}
        for match in matches:
            if match.pk in texts:
                found[match.pk] = Position(match.log_head, texts[match.pk], None, None, {})
            else:
                found[match.pk] = self._positions[match.pk]
        return found

    def _head(self, match_id: int) -> str | None:
        known = self._positions.get(match_id)
        return None if known is None else known.head

    def keep(self, writer: GroupedWriter) -> None:
        """Remember where a match stands after a commit."""
        match = writer.match
        self._positions.pop(match.pk, None)  # so that the newest come last
        if match.state:
            self._positions[match.pk] = writer.position
        if len(self._positions) > _MOST_MATCHES:
            del self._positions[next(iter(self._positions))]
