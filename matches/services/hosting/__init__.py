"""The commands of hosts, by topic. Each is one transaction, and the log records it with the host's name."""

from matches.services.hosting.announcements import (
    LONGEST_ASKED,
    LONGEST_NOTE,
    SAY_SOMETHING,
    SAY_THE_ANSWER,
    WHICH_KIND,
    announce,
    answer,
    answer_to_everybody,
    next_reminder,
    remind,
    who_is_missing,
    why_not_remind,
    withdraw,
)
from matches.services.hosting.clock import (
    EARLIER,
    HOUR,
    LONGEST_EXTENSION,
    LONGEST_PAUSE,
    NOTHING_TO_CLOSE,
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
    take_back_extension,
    take_back_pause,
)
from matches.services.hosting.corrections import (
    NO_AMOUNT,
    act_as_host,
    correct_balance,
    correctable_assets,
    switch_blood_garnets,
)
from matches.services.hosting.lifecycle import (
    cancel,
    check_ready,
    check_start,
    clear_fault,
    publish,
    start_now,
    unpublish,
)
from matches.services.hosting.places import (
    decide_for,
    give_back,
    let_bot_play,
    peek,
    peek_at_balances,
    set_roles,
    substitute,
    withdraw_player,
)
from matches.services.hosting.undoing import (
    NEVER,
    UNDO_OF,
    UNDO_WITHIN,
    Undo,
    last_undoable,
    take_back_amendment,
    take_back_correction,
    take_back_publication,
    undo,
    undoable,
)
