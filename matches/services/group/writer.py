"""The writer of one match in a group's transaction: like `Writer`, but the tables are written for the whole group."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from accounts.models import ApiToken
from matches.engine.core import FINISHED
from matches.engine.step import Step
from matches.models import Match, Player, Submission
from matches.services import outages, refusal_quota
from matches.services.storage import many
from matches.services.storage.instances import RowCache
from matches.services.writer import Writer


class Position(NamedTuple):
    """A match's state at one head of its log: as text, and decoded if it was needed. Also, if known: ids of players
    by handle, and how many more refused actions of each player the log takes."""

    head: str
    text: str
    state: Any
    ids: dict[str, int] | None
    refusals_left: dict[int, int]


class Alone(Exception):
    """This action must be judged as a group of one."""


class GroupedWriter(Writer):
    """The writer of one match of a group. Methods raise `Alone` for what it cannot do in a group.

    `position` has the match's state, without which its row was read. `players`: those who act. `keys`: (user, key) ->
    the log's row with that key, for keys that have been used."""

    def __init__(
        self,
        match: Match,
        now: datetime,
        position: Position,
        players: Iterable[Player],
        keys: dict[tuple[int | None, str], Submission],
    ) -> None:
        match.state = position.text
        super().__init__(match, now)
        self._state, self._ids = position.state, position.ids
        self._refusals_left = dict(position.refusals_left)
        self._keys = keys
        self._players = {player.pk: player for player in players}
        self._refused: defaultdict[int, int] = defaultdict(int)
        self.newer: defaultdict[int, int] = defaultdict(int)
        self.acted: defaultdict[int, int] = defaultdict(int)
        self._all_public, self._all_touched = False, set[int]()

    @property
    def position(self) -> Position:
        """The match's current position, for the memory."""
        return Position(self.match.log_head, self.match.state, self._state, self._ids, self._refusals_left)

    @property
    def mark(self) -> tuple[int, int]:
        """A value that changes whenever something is recorded."""
        return (self.match.log_count, len(self.rows.announcements))

    # -- what an action needs --------------------------------------------------------------------

    def known(self, user_id: int | None, key: str) -> Submission | None:
        return self._keys.get((user_id, key))

    def refuse_beyond_quota(self, player: Player) -> None:
        """Count one refused action. Raises `Alone` if there may be too many, so that they are counted exactly."""
        here = self._refused[player.pk]  # those not yet in the database
        left = self._refusals_left.get(player.pk, 0) or refusal_quota.refusals_left(player, self.now) - here
        if left <= 0:
            raise Alone
        self._refusals_left[player.pk] = left - 1
        self._refused[player.pk] = here + 1

    def pass_due(self, *, ahead: bool = False) -> int:
        """As `Writer.pass_due`. Raises `Alone` if the match's clock must be moved."""
        if outages.is_due(self.match, self.now):
            raise Alone
        return super().pass_due(ahead=ahead)

    def clock_moves(self) -> None:
        raise Alone

    # -- writing ---------------------------------------------------------------------------------

    def _write(self) -> None:
        """Do nothing: `store` writes for all matches together."""

    def record(self, row: Submission, step: Step[Any] | None = None, *, note: str = "") -> Submission:
        """As `Writer.record`. Raises `Alone` if the match ends."""
        if step is not None and step.state.core.phase == FINISHED and not self.match.is_over:
            raise Alone
        super().record(row, step, note=note)
        if row.key:
            self._keys[row.user_id, row.key] = row
        return row

    def finish_action(self, acted: Player | None = None) -> None:
        """Count the versions of views; `store` writes them for the whole group."""
        self.match.public_version += self._public
        if acted is not None:
            self.acted[acted.pk] += 1
            acted.action_count += 1
        for pk in self.touched | ({acted.pk} if acted else set()):
            self.newer[pk] += 1
            if pk in self._players:
                self._players[pk].version += 1
        self._all_public = self._all_public or self._public
        self._all_touched |= self.touched
        self._public, self.touched = False, set()

    def conclude(self) -> None:
        """Prepare the match for `store`, after all of its actions. Raises `RuleFailure`."""
        self.finish_action()
        self._take_position()
        self._public, self.touched = self._all_public, self._all_touched
        self._tell_after_commit()

    @property
    def moved(self) -> bool:
        """Whether there is a new state."""
        return self._moved


_HEAD = ("next_deadline_at", "public_version", "log_count", "log_head")


def store(writers: list[GroupedWriter]) -> None:
    """Write what these writers have collected, each table once."""
    rows = type(writers[0].rows)().add(writer.rows for writer in writers)
    rows.write()
    for names, some in (
        (_HEAD, [writer for writer in writers if not writer.moved]),
        (("state", *_HEAD), [writer for writer in writers if writer.moved]),
    ):
        values = [[*(getattr(writer.match, name) for name in names), writer.match.pk] for writer in some]
        many.update(Match, names, ("id",), values)
    for writer in writers:
        if rare := [name for name in writer.changed() if name not in ("state", *_HEAD)]:
            writer.match.save(update_fields=rare)
    newer = sorted((pk, count, writer.acted[pk]) for writer in writers for pk, count in writer.newer.items())
    changes = [(count, acted, pk) for pk, count, acted in newer]
    many.update(Player, (), ("id",), changes, more=("version", "action_count"))


# -- memory ----------------------------------------------------------------------------------------------
# What the group writer remembers of matches between transactions, so that it need not read and decode it again. An
# entry is valid only while the match's stored log head is the same; any other writer moves the head.

_MOST_MATCHES = 256


class Memory:
    """The caches of one group writer; used by one thread at a time."""

    def __init__(self) -> None:
        self.matches = RowCache(
            Match, changing=("next_deadline_at", "public_version", "log_count", "log_head"), without=("state",)
        )
        self.players = RowCache(Player, changing=("version", "action_count"), most=5000)
        self.tokens = RowCache(ApiToken, most=5000)
        self.ids: dict[str, int] = {}
        self._positions: dict[int, Position] = {}

    def positions(self, matches: Sequence[Match]) -> dict[int, Position]:
        """The positions of matches whose rows are locked, from memory or else from the database."""
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
        """Remember a match's position after a commit."""
        match = writer.match
        self._positions.pop(match.pk, None)  # so that the newest come last
        if match.state:
            self._positions[match.pk] = writer.position
        if len(self._positions) > _MOST_MATCHES:
            del self._positions[next(iter(self._positions))]
