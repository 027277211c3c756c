"""Who asks for a forecast: a player, and the match as it stands, read for each request in two ready-made statements.

What everybody sees of it is kept as long as all that everybody may know of its row is the same. Not what depends on
anything secret: an answer that takes longer where somebody else has just sealed something would tell that they have.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from matches.engine.views import PublicView
from matches.infra.kept import Kept
from matches.models import Match, Player, clock
from matches.pages.context import MatchContext, People, people_without_accounts
from matches.queries import positions
from matches.queries.match_info import MatchInfo, info_of
from matches.queries.matches import Position
from matches.services.deadlines import is_due
from matches.services.storage import many
from matches.services.storage.recall import Recall


class Asker(NamedTuple):
    """A player before the board: the position, what templates see of the match, and the player."""

    position: Position
    shown: MatchContext
    player: Player


class _Shared(NamedTuple):
    """What everybody sees."""

    public: PublicView | None
    people: People
    info: MatchInfo


_SECRET = ("log_count", "log_head", "state")
"""Columns that change also by what is done in secret. All others change by what everybody hears of, as players do."""

_matches = Recall(Match, changing=("next_deadline_at", "public_version", *_SECRET))
_players = Recall(Player, changing=("version", "action_count"))
_shared: Kept[str, tuple[Any, _Shared]] = Kept(1024)
"""Each with the columns that it was made of."""


def asker_of(public_id: str, user_id: int) -> Asker | None:
    """This person, who plays in an open match; None if they do not, or where something is to be done first."""
    row = next(iter(many.find(Match, _matches.wanted, ("public_id",), [(public_id,)])), None)
    if row is None:
        return None
    match = _matches.made(row)
    if match.status != Match.Status.OPEN or not match.rules.is_known or is_due(match):
        return None
    mine = next(iter(many.find(Player, _players.wanted, ("match_id", "user_id"), [(match.pk, user_id)])), None)
    if mine is None:
        return None
    position = Position(match, match.rules.decode_state(match.state))
    known, shared = _shared.get(public_id, (None, None))
    if shared is None or known != row[: -len(_SECRET)]:
        shared = _Shared(position.public, *_read(public_id))
        _shared.keep(public_id, (row[: -len(_SECRET)], shared))
    position.public = shared.public
    return Asker(position, MatchContext(position, clock.now(), shared.people, shared.info), _players.made(mine))


def _read(public_id: str) -> tuple[People, MatchInfo]:
    match = positions.find(public_id)
    if match is None:
        raise Match.DoesNotExist("it has just been deleted")
    return people_without_accounts(match), info_of(match)
