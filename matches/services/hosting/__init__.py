"""The commands of hosts, by topic. Each is one transaction, and the log records it with the host's name."""

from matches.services.hosting.answers import LONGEST_ASKED, answer, answer_to_everybody
from matches.services.hosting.clock import (
    EARLIER,
    HOUR,
    LONGEST_EXTENSION,
    LONGEST_PAUSE,
    STAY,
    check_extension,
    check_resumption,
    close_deadline,
    close_when_sent,
    extend,
    pause,
    resume,
    resume_at,
    sensible_later,
)
from matches.services.hosting.corrections import correct_balance, correctable_assets, switch_blood_garnets
from matches.services.hosting.lifecycle import cancel, check_start, clear_fault, publish, start_now, unpublish
from matches.services.hosting.looks import peek, peek_at_balances
from matches.services.hosting.notes import LONGEST_NOTE, LONGEST_REASON, announce, withdraw
from matches.services.hosting.overrides import decide_for
from matches.services.hosting.reminders import NOT_AGAIN_FOR, next_reminder, remind, who_is_missing
from matches.services.hosting.roles import set_roles
from matches.services.hosting.undoing import UNDO_WITHIN, WHY_NOT_UNDONE, can_be_undone, last_undoable, undo, undoable
from matches.services.hosting.who_plays import give_back, let_bot_play, substitute, withdraw_player

__all__ = [
    "EARLIER",
    "HOUR",
    "LONGEST_ASKED",
    "LONGEST_EXTENSION",
    "LONGEST_NOTE",
    "LONGEST_PAUSE",
    "LONGEST_REASON",
    "NOT_AGAIN_FOR",
    "STAY",
    "UNDO_WITHIN",
    "WHY_NOT_UNDONE",
    "announce",
    "answer",
    "answer_to_everybody",
    "can_be_undone",
    "cancel",
    "check_extension",
    "check_resumption",
    "check_start",
    "clear_fault",
    "close_deadline",
    "close_when_sent",
    "correct_balance",
    "correctable_assets",
    "decide_for",
    "extend",
    "give_back",
    "last_undoable",
    "let_bot_play",
    "next_reminder",
    "pause",
    "peek",
    "peek_at_balances",
    "publish",
    "remind",
    "resume",
    "resume_at",
    "sensible_later",
    "set_roles",
    "start_now",
    "substitute",
    "switch_blood_garnets",
    "undo",
    "undoable",
    "unpublish",
    "who_is_missing",
    "withdraw",
    "withdraw_player",
]
