"""What is stored. Only `matches.services` writes these; pages read them through `matches.queries`."""

from matches.models.announcement import Announcement
from matches.models.bid import Bid
from matches.models.heartbeat import Heartbeat
from matches.models.insider import Insider
from matches.models.invitation import Invitation, Link
from matches.models.ledger import Holding, LedgerEntry
from matches.models.leniency import Absence, Leniency
from matches.models.match import Match
from matches.models.outage import Outage
from matches.models.outbox import OutboxRow
from matches.models.player import Player
from matches.models.rehearsal import Rehearsal
from matches.models.result import PlayerResult, Result
from matches.models.role import HeldRole, MatchRole, Role
from matches.models.submission import Submission
from matches.models.voice import HostNote, NotesRead, Question

__all__ = [
    "Absence",
    "Announcement",
    "Bid",
    "Heartbeat",
    "HeldRole",
    "Holding",
    "HostNote",
    "Insider",
    "Invitation",
    "LedgerEntry",
    "Leniency",
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
    "Result",
    "Role",
    "Submission",
]
