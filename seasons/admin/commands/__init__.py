"""What a host can do in a season, by topic, in the order in which its page shows it."""

from seasons.admin.commands import announcing, applications, bookings, people, predicting, viewers

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
        announcing.ANNOUNCE,
        applications.ASK,
        applications.DECIDE,
        people.INVITE,
        people.REPLACE,
        predicting.CLOSE,
        people.PICTURE,
        viewers.VIEWER,
        people.HOSTS,
        bookings.OUT,
        bookings.WITHDRAW,
        people.DUPLICATE,
        people.END,
        people.DELETE,
    )
}
