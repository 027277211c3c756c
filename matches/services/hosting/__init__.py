"""The commands of hosts, by topic. Each is one transaction, and the log records it with the host's name."""

from matches.services.hosting.clock import LONGEST_EXTENSION, check_extension, close_deadline, extend, pause, resume
from matches.services.hosting.corrections import correct_balance, correctable_assets, switch_blood_garnets
from matches.services.hosting.lifecycle import cancel, clear_fault, publish, start_now, unpublish
from matches.services.hosting.looks import peek, peek_at_books
from matches.services.hosting.overrides import decide_for

__all__ = [
    "LONGEST_EXTENSION",
    "cancel",
    "check_extension",
    "clear_fault",
    "close_deadline",
    "correct_balance",
    "correctable_assets",
    "decide_for",
    "extend",
    "pause",
    "peek",
    "peek_at_books",
    "publish",
    "resume",
    "start_now",
    "switch_blood_garnets",
    "unpublish",
]
