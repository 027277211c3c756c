"""What is stored. Only `matches.services` writes these; pages read them through `matches.queries`."""

from matches.models.announcement import Announcement
from matches.models.bid import Bid
from matches.models.heartbeat import Heartbeat
from matches.models.insider import Insider
from matches.models.ledger import Holding, LedgerEntry
from matches.models.match import Match
from matches.models.player import Player
from matches.models.result import Result
from matches.models.submission import Submission

__all__ = [
    "Announcement",
    "Bid",
    "Heartbeat",
    "Holding",
    "Insider",
    "LedgerEntry",
    "Match",
    "Player",
    "Result",
    "Submission",
]
