"""All commands of a season, in the order in which its page shows them."""

from __future__ import annotations

from seasons.admin.commands import after_match, beginning, bookings, inviting, people

COMMANDS = {
    command.name: command
    for command in (
        beginning.BEGIN,
        after_match.SETTLE,
        after_match.OPPONENT,
        after_match.BOOK,
        after_match.TAKE_BACK,
        bookings.CORRECT,
        bookings.BLOOD,
        inviting.INVITE,
        people.REPLACE,
        people.HOSTS,
        bookings.OUT,
        bookings.WITHDRAW,
        beginning.END,
        beginning.DELETE,
    )
}
