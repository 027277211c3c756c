"""All commands of a season's hosts, in the order in which its page shows them."""

from seasons.admin.commands import audience, bookings, people

COMMANDS = {
    command.name: command
    for command in (
        people.BEGIN,
        bookings.SETTLE,
        bookings.OPPONENT,
        bookings.BOOK,
        bookings.TAKE_BACK,
        bookings.CORRECT,
        bookings.BLOOD,
        audience.ANNOUNCE,
        audience.ASK,
        audience.DECIDE,
        people.INVITE,
        people.REPLACE,
        audience.CLOSE,
        people.PICTURE,
        audience.VIEWER,
        people.HOSTS,
        bookings.OUT,
        bookings.WITHDRAW,
        people.DUPLICATE,
        people.END,
        people.DELETE,
    )
}
