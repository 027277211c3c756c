"""“Tell me again in 2 h”: one more reminder, for one person, before the next deadline by which something is asked of
them. The mail has a signed link for it, which needs no sign-in and ends after a month."""

from datetime import datetime, timedelta

from django.core import signing
from django.db import transaction

from accounts.models import User
from matches.models import Match, clock
from matches.queries.matches import Position
from notices.models import AskedDeadline, Reminder
from notices.reminders.deadlines import AGAIN
from notices.unsubscribing import BadLink, person_of

LATER = timedelta(hours=2)
BEFORE_THE_END = timedelta(minutes=15)
"""Where the deadline comes sooner than that, one is told so long before it."""

LASTS = timedelta(days=30)

_SIGNER = signing.TimestampSigner(salt="notices.again")
_TOO_NEAR = timedelta(minutes=5)


class CannotTellAgain(BadLink):
    """Nobody can be told again of this; the text is a sentence for the person. `code`: "nothing_asked", "too_near"."""


def link(person: int, public_id: str) -> str:
    """The signed part of a link for a person (by id) and a match."""
    return _SIGNER.sign(f"{person}:{public_id}")


def read(signed: str) -> tuple[User, Match]:
    """Whom and what a link names. Raises `BadLink`."""
    user, public_id = person_of(_SIGNER, signed, LASTS, "This link is more than a month old.")
    match = Match.objects.filter(public_id=public_id, players__user=user).first() if user else None
    if user is None or match is None:
        raise _nothing_asked()
    return user, match


def offer(now: datetime, by: datetime | None) -> str:
    """When one would be told again before that deadline, in words for a button; empty if it is too near."""
    if by is None or now + LATER <= by - BEFORE_THE_END:
        return "in 2 hours"
    return "15 minutes before the deadline" if now + _TOO_NEAR <= by - BEFORE_THE_END else ""


def next_asked(user: User, match: Match) -> AskedDeadline | None:
    """The next deadline by which something is asked of a player now; None if nothing is, or the match is paused."""
    if match.status != Match.Status.OPEN:
        return None
    deadlines = {each.time: each for each in AskedDeadline.objects.filter(match=match, at__gt=clock.now())}
    player = match.players.filter(user=user).first() if deadlines else None
    private = Position(match).private_of(player)
    times = [timedelta(seconds=ask.until) for ask in private.asked if ask.until is not None] if private else []
    return min((deadlines[time] for time in times if time in deadlines), key=lambda each: each.time, default=None)


def when(user: User, match: Match) -> datetime:
    """When this person would be told again, if they ask for it now. Raises `CannotTellAgain`."""
    return _due_before(next_asked(user, match))


def _due_before(deadline: AskedDeadline | None) -> datetime:
    now = clock.now()
    if deadline is None or deadline.at is None:
        raise _nothing_asked()
    due = min(now + LATER, deadline.at - BEFORE_THE_END)
    if due < now + _TOO_NEAR:
        raise CannotTellAgain("too_near", "The deadline is too near for another reminder. Please act now.")
    return due


def tell_again(user: User, match: Match) -> datetime:
    """Remind this person once more, if nothing is sent until then; when that will be. Twice is the same as once.
    Raises `CannotTellAgain`."""
    deadline = next_asked(user, match)
    due = _due_before(deadline)
    with transaction.atomic():
        found = Reminder.objects.select_for_update().filter(deadline=deadline, user=user)
        if not found.update(due_at=due):
            Reminder.objects.bulk_create(
                [Reminder(deadline=deadline, user=user, spacing=AGAIN, due_at=due)], ignore_conflicts=True
            )
    return due


def _nothing_asked() -> CannotTellAgain:
    return CannotTellAgain("nothing_asked", "You have nothing to do there now, so there is nothing to remind you of.")
