"""What a match's page shows of notices: the links to mute them and to its webhooks, and when its player is reminded."""

from django.db.models import Q
from django.template.loader import render_to_string
from django.urls import reverse

from matches.models import Match
from matches.pages.extensions import Addition, Link, Panel
from matches.queries.access import Viewer, sees_who_is_here
from notices.models import Habits, Reminder
from notices.reminders.deadlines import AGAIN, chosen_by, spacings_of


def webhooks_page(match: Match) -> str:
    """Where a match's hosts look after its webhooks."""
    return reverse("match_webhooks:list", args=[match.public_id])


def links_of(viewer: Viewer) -> tuple[Link, ...]:
    """The way for players and hosts to mute the match, and for hosts to its webhooks."""
    found = []
    if viewer.user.is_authenticated and (viewer.player is not None or viewer.is_host):
        found.append(Link("Mute this match's notices", reverse("notices:mute", args=[viewer.match.public_id])))
    if viewer.is_host:
        found.append(Link("Webhooks of this match", webhooks_page(viewer.match)))
    return tuple(found)


def sound_of(viewer: Viewer) -> tuple[Addition, ...]:
    """The switch of the sound, for a player of a small match: it plays when something is asked of them there."""
    if viewer.player is None or viewer.match.is_over or not sees_who_is_here(viewer):
        return ()
    sound = Habits.objects.filter(user=viewer.user, sound=True).exists()
    return (Panel("sound", "Sound", template="notices/sound.html", own={"sound": sound}, in_line=True),)


def panel_of(viewer: Viewer) -> tuple[Addition, ...]:
    """For a player of a running match with a deadline to be reminded of. Whether they have sent something makes no
    difference: the panel is not pushed again when they do."""
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
