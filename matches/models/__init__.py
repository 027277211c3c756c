"""The database models of matches. Only `matches.services` writes them; pages read them through `matches.queries`."""

from matches.models.clock import Heartbeat, Outage
from matches.models.ledger import Bid, Holding, LedgerEntry
from matches.models.log import Announcement, HostNote, NotesRead, OutboxRow, Question, Submission
from matches.models.match import Match, PlayerResult, Rehearsal
from matches.models.player import Absence, Insider, Invitation, Link, MatchRole, Player, Role

__all__ = [
    "Absence",
    "Announcement",
    "Bid",
    "Heartbeat",
    "Holding",
    "HostNote",
    "Insider",
    "Invitation",
    "LedgerEntry",
    "Link",
    "Match",
    "MatchRole",
    "NotesRead",
    "Outage",
    "OutboxRow",
    "Player",
    "PlayerResult",
    "Question",
    "Rehearsal",
    "Role",
    "Submission",
]
