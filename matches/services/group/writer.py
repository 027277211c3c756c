"""A match inside of a group's transaction: as `Writer`, but nothing is written before the whole group is."""

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
    """A match's state as text, and decoded where it has been needed, as of a head of its log. With it: ids of players
    by handle, and how many more refused actions of each player the log takes, where they are known."""

    head: str
    text: str
    state: Any
    ids: dict[str, int] | None
    refusals_left: dict[int, int]


class Alone(Exception):
    """This action must be judged as a group of one."""


class GroupedWriter(Writer):
    """The writer of one match of a group. What it cannot do there (`refuse_beyond_quota`, `pass_due`, `clock_moves`,
    `record`) raises `Alone`.

    `position`: where the match stands, whose row was read without it. `players`: those who act. `keys`: rows at
    which their keys stand that have been used, by account and key."""

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
        """Where the match stands by now."""
        return Position(self.match.log_head, self.match.state, self._state, self._ids, self._refusals_left)

    @property
    def mark(self) -> tuple[int, int]:
        """What differs if anything was recorded since."""
        return (self.match.log_count, len(self.rows.announcements))

    # -- what an action needs --------------------------------------------------------------------

    def known(self, user_id: int | None, key: str) -> Submission | None:
        return self._keys.get((user_id, key))

    def refuse_beyond_quota(self, player: Player) -> None:
        """Count one refused action. Raises `Alone` if there may be too many: then it is looked at exactly."""
        here = self._refused[player.pk]  # the database does not know of them yet
        left = self._refusals_left.get(player.pk, 0) or refusal_quota.refusals_left(player, self.now) - here
        if left <= 0:
            raise Alone
        self._refusals_left[player.pk] = left - 1
        self._refused[player.pk] = here + 1

    def pass_due(self, *, ahead: bool = False) -> int:
        """As `Writer.pass_due`. Raises `Alone` where the match's clock is to be moved."""
        if outages.is_due(self.match, self.now):
            raise Alone
        return super().pass_due(ahead=ahead)

    def clock_moves(self) -> None:
        raise Alone

    # -- writing ---------------------------------------------------------------------------------

    def _write(self) -> None:
        """Later, for all matches together."""

    def record(self, row: Submission, step: Step[Any] | None = None, *, note: str = "") -> Submission:
        """As `Writer.record`. Raises `Alone` where the match ends."""
        if step is not None and step.state.core.phase == FINISHED and not self.match.is_over:
            raise Alone
        super().record(row, step, note=note)
        if row.key:
            self._keys[row.user_id, row.key] = row
        return row

    def finish_action(self, acted: Player | None = None) -> None:
        """Count the versions; everything is stored when the whole group is done."""
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
        """The end of all actions: the match as it is to be stored. Raises `RuleFailure`."""
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
    """Write what all of them collected, each table once."""
    rows = type(writers[0].rows)().add(writer.rows for writer in writers)
    rows.write()
    for names, some in (
        (_HEAD, [writer for writer in writers if not writer.moved]),
        (("state", *_HEAD), [writer for writer in writers if writer.moved]),
    ):
        values = [[*(getattr(writer.match, name) for name in names), writer.match.pk] for writer in some]
        many.update(Match, names, ("id",), values)
    for writer in writers:
        if rare := [name for name in writer.changed_life() if name not in _HEAD]:
            writer.match.save(update_fields=rare)
    newer = sorted((pk, count, writer.acted[pk]) for writer in writers for pk, count in writer.newer.items())
    changes = [(count, acted, pk) for pk, count, acted in newer]
    many.update(Player, (), ("id",), changes, more=("version", "action_count"))


# -- memory ----------------------------------------------------------------------------------------------
# What the group writer remembers of matches between transactions, so that it need not be read and decoded again.
#
# It holds only while the stored head of the log is the one it was made from: any other writer moves the head.

_MOST_MATCHES = 256


class Memory:
    """What one writer remembers; used by one thread at a time."""

    def __init__(self) -> None:
        self.matches = RowCache(
            Match, changing=("next_deadline_at", "public_version", "log_count", "log_head"), without=("state",)
        )
        self.players = RowCache(Player, changing=("version", "action_count"), most=5000)
        self.tokens = RowCache(ApiToken, most=5000)
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
