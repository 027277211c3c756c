"""All commands of a match's hosts (`base.Command`), in the order in which the console shows them."""

from matches.admin.commands import (
    acting,
    amending,
    announcements,
    balances,
    clock,
    closing,
    decisions,
    people,
    places,
    publishing,
)
from matches.admin.commands.base import SAID
from matches.services.commands import HISTORY
from matches.services.hosting import NEVER, UNDO_OF

COMMANDS = {
    command.name: command
    for command in (
        publishing.PUBLISH,
        publishing.SET_START,
        publishing.START,
        clock.RESUME,
        *acting.ACTING,
        amending.UNDO,
        amending.AMEND,
        announcements.ANSWER,
        announcements.ANNOUNCE,
        announcements.REMIND,
        clock.EXTEND,
        clock.PAUSE,
        closing.CLOSE,
        closing.WHEN_SENT,
        places.WHO_PLAYS,
        places.AWAY,
        places.LENIENCY,
        people.INVITE,
        publishing.FILL,
        balances.CORRECT,
        decisions.DECIDE,
        balances.SWITCH,
        announcements.WITHDRAW,
        people.HOSTS,
        publishing.UNPUBLISH,
        amending.CLEAR,
        publishing.CANCEL,
        publishing.DELETE,
        decisions.PEEK,
    )
}

for each in COMMANDS.values():
    SAID.update(each.said)
    HISTORY.update(each.history)
    NEVER.update(each.never)
    if each.undo is not None:
        UNDO_OF[each.name] = each.undo
