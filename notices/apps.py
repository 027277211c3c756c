"""The app `notices`: connects it to the outbox, account deletion, metrics, and the pages of matches and accounts."""

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    name = "notices"
    verbose_name = "Notices"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from allauth.account.signals import email_changed, email_confirmed

        from accounts import deletion
        from accounts.extensions import add_tab
        from matches.infra import metrics
        from matches.models import Invitation
        from matches.pages import extensions
        from matches.services.signals import invitation_ended, invited, place_changed_hands
        from notices import calendars, feeds, handover, inbox, outbox, preferences, reading, retention, webhooks
        from notices.models import Address, CalendarAddress, Choice, Habits, Mute, Notice, Reminder
        from notices.outbox import listen
        from notices.reminder_times import on_outbox, panel_of
        from notices.retention import export
        from notices.routing import on_new_mailbox

        mine = [Notice, Reminder, Address, Choice, Habits, Mute]
        deletion.register_first(deletion.Part("notices", leave=retention.leave, own=mine, export=export))
        deletion.register(deletion.Part("calendars", own=[CalendarAddress], export=calendars.export))
        listen(on_outbox)
        listen(webhooks.on_outbox)
        listen(handover.on_outbox)
        place_changed_hands.connect(handover.on_place_changed_hands)
        invited.connect(outbox.on_invited, sender=Invitation)
        invitation_ended.connect(reading.on_invitation_ended)
        email_confirmed.connect(on_new_mailbox)
        email_changed.connect(on_new_mailbox)
        metrics.register(retention.MEANINGS, retention.read_metrics)
        extensions.of_frames.register(inbox.shown_to)
        extensions.of_matches.register(preferences.links_of)
        extensions.of_matches.register(panel_of)
        extensions.of_matches.register(preferences.sound_of)
        add_tab("notices:choose", "Notices", "Notices")
        extensions.of_matches.register(feeds.links_of)
        add_tab("reminders:spacing", "Reminders", "Notices")
        add_tab("feeds:calendars", "Calendar", "Notices")
