"""When to remind players of deadlines (`reminding` does it), and asking for another reminder. It works for every game,
since the private views say what is asked.

A spacing says how long before a deadline people are reminded. It is a number: below 1 a share of the time in which
something is asked (0.8: when a fifth of it is left), above it seconds before the end. It is stored as text.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta

import structlog
from django.core import signing
from django.db import transaction
from django.db.models import Q
from django.template.loader import render_to_string

from accounts.models import User
from matches.engine.notice_events import DEADLINE_NEAR, DECISION_ASKED, ROUND_CLOSED, ROUND_OPENED
from matches.engine.views import HostsAsk
from matches.games import registry
from matches.models import Announcement, Match, OutboxRow, Submission, clock
from matches.pages.extensions import Addition, Panel
from matches.queries.access import Viewer
from matches.queries.matches import Position
from notices.models import AskedDeadline, Habits, Notice, Reminder
from notices.preferences import BadLink, person_of

DEFAULT = (0.8, 3600)
HALF = "half"
"""The spacing at which hosts are told that nobody has submitted."""
AGAIN = "again"
"""The spacing of a reminder that somebody asked for themselves."""

OFFERED = {
    "0.5": "When half of the time is left",
    "0.8": "When a fifth of the time is left",
    "0.9": "When a tenth of the time is left",
    "86400": "A day before",
    "21600": "6 hours before",
    "7200": "2 hours before",
    "3600": "An hour before",
    "900": "15 minutes before",
}
"""The spacings that people can choose."""


def spacings_of(chosen: Sequence[float]) -> frozenset[str]:
    """Return a person's spacings from what is stored; the default if they have chosen none."""
    return frozenset(f"{each:g}" for each in (chosen or DEFAULT))


def lead_of(spacing: str, deadline: AskedDeadline, speed: int) -> timedelta | None:
    """Return how long (real time) before the deadline a spacing is; None if it was not asked yet by then."""
    whole = (deadline.time - deadline.since) / speed
    share = 0.5 if spacing == HALF else float(spacing)
    lead = whole * (1 - share) if share < 1 else timedelta(seconds=share)
    return lead if lead < whole else None


logger = structlog.get_logger(__name__)

REST = timedelta(hours=1)
"""The same reminder does not come again within this time, however the deadline moves."""

_ASKING = {DECISION_ASKED, ROUND_OPENED, ROUND_CLOSED}


def on_outbox(rows: Sequence[OutboxRow]) -> Callable[[], None]:
    """Listen to the outbox: record the deadlines of matches where these rows can have moved them."""
    since, asked = _moving(rows), dict[Match, set[timedelta]]()
    for match in Match.objects.filter(pk__in=since).prefetch_related("players"):
        try:
            asked[match] = _asked(match)
        except Exception:  # must not hold up other matches' reminders
            logger.exception("reminders_not_set", match=match.pk)
    return lambda: _store(asked, since)


def _moving(rows: Sequence[OutboxRow]) -> dict[int, timedelta]:
    """The matches whose deadlines these log rows can have moved, each with the match time of its last row.

    A player's action moves none unless it leads to a new task: most of them are bids.
    """
    ids = [row.submission_id for row in rows]
    log = Submission.objects.filter(pk__in=ids).order_by("pk").values_list("pk", "match_id", "kind", "match_time")
    acts = [pk for pk, _, kind, _ in log if kind == Submission.Kind.ACTION]
    asking = set()
    told = Announcement.objects.filter(submission__in=acts).values_list("submission_id", "kind", "match__game")
    for pk, kind, game in told.distinct():
        if registry.rules_of(game, None).notice_event(kind) in _ASKING:
            asking.add(pk)
    return {match: time for pk, match, kind, time in log if kind != Submission.Kind.ACTION or pk in asking}


def _asked(match: Match) -> set[timedelta]:
    """The match times of a match's deadlines for its players."""
    if match.status not in Match.RUNNING:
        return set()
    position = Position(match)
    views = (position.private_of(player) for player in match.players.all())
    asks = (ask for view in views if view is not None for ask in view.asked)
    of_hosts = {of_hosts_asked(position.hosts_asked)} if position.hosts_asked else set()
    return {timedelta(seconds=ask.until) for ask in asks if ask.until is not None} | of_hosts


def of_hosts_asked(asked: HostsAsk) -> timedelta:
    """Return a pretended deadline of the hosts, who have none: its half-time is when they are to be reminded."""
    return timedelta(seconds=2 * asked.until - asked.since)


def _store(asked: dict[Match, set[timedelta]], since: dict[int, timedelta]) -> None:
    """Store these matches' deadlines and reminders, inside the caller's transaction."""
    if not asked:
        return
    AskedDeadline.objects.filter(match__in=[match for match in asked if match.is_over]).delete()
    going = [match for match in asked if not match.is_over]
    new = [
        AskedDeadline(match=match, time=time, since=min(since[match.pk], time))
        for match in going
        for time in asked[match]
    ]
    AskedDeadline.objects.bulk_create(new, ignore_conflicts=True)
    _date_again(going)


def on_new_spacings(user: User) -> None:
    """Update the reminders of somebody who has chosen other spacings, skipping those that would be late."""
    matches = Match.objects.filter(players__user=user, status__in=Match.RUNNING)
    with transaction.atomic():
        _date_again(list(matches.prefetch_related("players")), late_too=False)


def _date_again(going: Sequence[Match], *, late_too: bool = True) -> None:
    """Update the instants of these matches' deadlines and reminders. Without `late_too`, skip new late ones."""
    now = clock.now()
    matches = {match.pk: match for match in going}
    people = {pk: [each.user_id for each in match.players.all() if each.user_id] for pk, match in matches.items()}
    own = chosen_by({user for users in people.values() for user in users})
    passed: list[int] = []
    moved: list[AskedDeadline] = []
    added: list[Reminder] = []
    changed: list[Reminder] = []
    for deadline in AskedDeadline.objects.filter(match__in=matches).order_by("time").prefetch_related("reminders"):
        match = matches[deadline.match_id]
        if deadline.time <= match.clock.time(now):
            passed.append(deadline.pk)
            continue
        at = match.clock.instant(deadline.time)
        if deadline.at != at:
            # A pause takes the instant away; after it, what was asked is asked by the next deadline.
            asking = Notice.objects.filter(match=match, event__in=(DEADLINE_NEAR, DECISION_ASKED), read_at=None)
            asking.filter(by=deadline.at).update(by=at)
            deadline.at = at
            moved.append(deadline)
        known = {each.spacing: each for each in deadline.reminders.all() if each.user_id is None}
        wanted = {HALF, *(spacing for user in people[match.pk] for spacing in own.get(user, spacings_of(())))}
        for spacing in wanted | known.keys():  # perhaps nobody in the match wants some of these any more
            reminder = known.get(spacing) or Reminder(deadline=deadline, spacing=spacing)
            reminder.deadline = deadline
            due = _due_of(reminder, match.speed, now) if spacing in wanted else None
            if reminder.pk is None:
                if due is not None and due <= now and not late_too:
                    due, reminder.reminded_at = None, now
                added.append(reminder)
            elif reminder.due_at != due:
                changed.append(reminder)
            reminder.due_at = due
        for reminder in deadline.reminders.all():  # as a pause may have put one off, or hosts have moved the deadline
            if reminder.user_id and reminder.due_at and at and (due := max(now, at - BEFORE_THE_END)) < reminder.due_at:
                reminder.due_at = due
                changed.append(reminder)
    AskedDeadline.objects.filter(pk__in=passed).delete()
    AskedDeadline.objects.bulk_update(moved, ["at"])
    Reminder.objects.bulk_create(added, ignore_conflicts=True)
    Reminder.objects.bulk_update(changed, ["due_at"])


def _due_of(reminder: Reminder, speed: int, now: datetime) -> datetime | None:
    """When a reminder is due, as the deadline is now; None if never. One that a pause delayed is due at once."""
    deadline = reminder.deadline
    lead = lead_of(reminder.spacing, deadline, speed)
    if deadline.at is None or lead is None or deadline.at <= now:
        return None
    due = deadline.at - lead
    if reminder.reminded_at is None:
        return due
    return due if due > now and due >= reminder.reminded_at + REST else None


def chosen_by(users: Iterable[int]) -> dict[int, frozenset[str]]:
    """Return the spacings of those who have chosen some, by user id."""
    rows = Habits.objects.filter(user__in=users).exclude(spacing=[]).values_list("user_id", "spacing")
    return {user: spacings_of(chosen) for user, chosen in rows}


# -- another reminder ----------------------------------------------------------------------------------------
# “Tell me again in 2 h”: one more reminder for one person, before their next deadline. The mail has a signed link for
# it, which needs no sign-in and works for a month.

LATER = timedelta(hours=2)
BEFORE_THE_END = timedelta(minutes=15)
"""If the deadline comes sooner than `LATER`, the reminder comes this long before it."""

AGAIN_LASTS = timedelta(days=30)

_TELL_AGAIN = signing.TimestampSigner(salt="notices.again")
_TOO_NEAR = timedelta(minutes=5)


class CannotTellAgain(BadLink):
    """There can be no other reminder; the text is a sentence for the person. `code`: "nothing_asked", "too_near"."""


def again_link(person: int, public_id: str) -> str:
    """Return the signed part of a link for a person (by id) and a match."""
    return _TELL_AGAIN.sign(f"{person}:{public_id}")


def read_again_link(signed: str) -> tuple[User, Match]:
    """Return the person and the match that a link names. Raises `BadLink`."""
    user, public_id = person_of(_TELL_AGAIN, signed, AGAIN_LASTS, "This link is more than a month old.")
    match = Match.objects.filter(public_id=public_id, players__user=user).first() if user else None
    if user is None or match is None:
        raise _nothing_asked()
    return user, match


def offer_again(now: datetime, by: datetime | None) -> str:
    """Say when another reminder before that deadline would come, for a button; empty if the deadline is too near."""
    if by is None or now + LATER <= by - BEFORE_THE_END:
        return "in 2 hours"
    return "15 minutes before the deadline" if now + _TOO_NEAR <= by - BEFORE_THE_END else ""


def next_asked(user: User, match: Match) -> AskedDeadline | None:
    """Return the next deadline by which something is asked of a player; None without one, or during a pause."""
    if match.status != Match.Status.OPEN:
        return None
    deadlines = {each.time: each for each in AskedDeadline.objects.filter(match=match, at__gt=clock.now())}
    player = match.players.filter(user=user).first() if deadlines else None
    private = Position(match).private_of(player)
    times = [timedelta(seconds=ask.until) for ask in private.asked if ask.until is not None] if private else []
    return min((deadlines[time] for time in times if time in deadlines), key=lambda each: each.time, default=None)


def when_again(user: User, match: Match) -> datetime:
    """Return when another reminder for this person would come. Raises `CannotTellAgain`."""
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
    """Plan one more reminder for this person, sent if they have not submitted by then; return when. Asking twice plans
    one. Raises `CannotTellAgain`."""
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


def panel_of(viewer: Viewer) -> tuple[Addition, ...]:
    """Return the panel of reminders of a running match for its player. It does not depend on whether they have
    submitted, since it is not pushed again when they do."""
    if viewer.player is None or viewer.match.status != Match.Status.OPEN:
        return ()
    mine = Q(user__isnull=True) | Q(user=viewer.user)
    found = Reminder.objects.filter(mine, deadline__match=viewer.match, due_at__isnull=False)
    reminders = list(found.order_by("due_at").values_list("spacing", "due_at"))
    if not reminders:
        return ()
    chosen = chosen_by([viewer.user.pk]).get(viewer.user.pk, spacings_of(()))
    due = {due_at: None for spacing, due_at in reminders if spacing == AGAIN or spacing in chosen}
    html = render_to_string("notices/reminder_panel.html", {"due": list(due), "match": viewer.match.public_id})
    return (Panel("reminders", "Reminders", html, is_mine=True),)
