"""The panel on a match's page that says when its player will be reminded, and lets them ask to be told later."""

from __future__ import annotations

from django.db.models import Q
from django.template.loader import render_to_string

from matches.models import Match
from matches.pages.additions import Addition, Panel
from matches.queries.access import Viewer
from notices.models import Reminder
from notices.reminders.spacing import AGAIN, spacings_of
from notices.reminders.watching import chosen_by


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
    return (Panel("reminders", "Reminders", html),)
