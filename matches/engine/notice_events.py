"""What an announcement means to the person who hears of it elsewhere than on the match's page.

An event is what people choose how to hear of. The engine and the platform say here which of their kinds of
announcement are which event, a match type says it of its own kinds (`MatchType.notice_events`). A kind without an
event is routine: it stays in the feed.
"""

from __future__ import annotations

from collections.abc import Mapping
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
FAULT: Final = "fault"

NOTICE_EVENTS: Mapping[str, str] = {
    "decision_asked": DECISION_ASKED,
    "vote_drawn": LOST,
    "match_opened": OPENED,
    "match_not_opened": NOT_OPENED,
    "start_put_off": MOVED,
    "start_moved": MOVED,
    "added_to_match": ADDED,
    "host_announced": CLARIFIED,
    "clarified": CLARIFIED,
    "note_corrected": CLARIFIED,
    "note_withdrawn": CLARIFIED,
    "question_answered": ANSWERED,
    "reminded": DEADLINE_NEAR,
    "player_left": LEFT,
    "question_asked": ASKED,
    "match_fault": FAULT,
    "match_paused": PAUSED,
    "match_resumed": RESUMED,
    "match_resumes_at": MOVED,
    "deadline_extended": MOVED,
    "outage": OUTAGE,
    "deadline_closed_early": MOVED,
    "pause_taken_back": RESUMED,
    "extension_taken_back": MOVED,
    "match_cancelled": CANCELLED,
    "match_finished": FINISHED,
    "balance_corrected": CORRECTED,
    "absence_noted": AWAY,
    "place_taken_over": CLARIFIED,
    "player_withdrawn": CLARIFIED,
    "settings_amended": CLARIFIED,
    "closing_switched": CLARIFIED,
    "amendment_taken_back": CLARIFIED,
}
"""Kind of announcement of the engine or the platform -> event."""

NAMED_EVENTS: Mapping[str, tuple[str, str]] = {
    "decision_by_host": (CORRECTED, "player"),
    "host_looked": (CLARIFIED, "player"),
    "tokens_given": (WON, "to"),
    "bot_plays": (CORRECTED, "player"),
    "person_plays": (CORRECTED, "player"),
}
"""Kind of announcement to everybody -> what it is to those whom it names, and the key of its data that names them (one
handle, or several). To others it is routine. Told to somebody alone, it is that event to them."""

ROUTINE: frozenset[str] = frozenset(
    {
        "candidate_decided",
        "votes_drawn",
        "chips_bought",
        "blood_garnets_switched",
        "opening_balances_differ",
        "open_places_settled",
        "deadlines_kept",
    }
)
"""Kinds of the engine and the platform that are routine: they stay in the feed. Most of them come together with one
that is not."""
