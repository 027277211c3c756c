"""What an announcement means to the person who hears of it elsewhere than on the match's page.

An event is what people choose how to hear of. The engine and the platform say of each of their kinds of announcement
which event it is (`sentences.TOLD`), a match type says it of its own kinds (`MatchType.told`).
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
"""No event: it stays in the feed. Most of what is routine comes together with something that is not."""
