"""The events that people are notified of: each kind of announcement is one of these, or routine.

People choose for each event how they hear of it. `sentences.TOLD` gives the event of each kind of announcement that the
engine and the platform make, and `MatchType.told` those of a match type's own kinds.
"""

from typing import Final

# To players.
OUTBID: Final = "outbid"
WON: Final = "won"
LOST: Final = "lost"
ROUND_OPENED: Final = "round_opened"
ROUND_CLOSED: Final = "round_closed"
DECISION_ASKED: Final = "decision_asked"
DEADLINE_NEAR: Final = "deadline_near"
ADDED: Final = "added"
OPENED: Final = "opened"
PAUSED: Final = "paused"
RESUMED: Final = "resumed"
MOVED: Final = "moved"
OUTAGE: Final = "outage"
CANCELLED: Final = "cancelled"
FINISHED: Final = "finished"
CLARIFIED: Final = "clarified"
ANSWERED: Final = "answered"
CORRECTED: Final = "corrected"

# To hosts.
LEFT: Final = "left"
AWAY: Final = "away"
NOT_OPENED: Final = "not_opened"
ALL_SUBMITTED: Final = "all_submitted"
NOBODY_SUBMITTED: Final = "nobody_submitted"
ASKED: Final = "asked"
HOSTS_ASKED: Final = "hosts_asked"
FAULT: Final = "fault"

ROUTINE: Final = ""
"""No event: the announcement appears only in the feed. Most routine ones come together with one that is an event."""
