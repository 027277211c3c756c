"""The Django app `notices`."""

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    name = "notices"
    verbose_name = "Notices"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts import leaving
        from accounts.additions import add_tab
        from matches.infra import metrics
        from matches.pages import personal
        from matches.pages.additions import register
        from matches.services.signals import invited, place_changed_hands
        from notices.match_webhooks import queueing
        from notices.match_webhooks.links import links_of
        from notices.models import Address, Choice, Habits, Mute, Notice, Reminder
        from notices.pages import bell, of_match, reminder_panel
        from notices.queries import waiting
        from notices.queries.taking_along import export
        from notices.reminders.watching import on_outbox
        from notices.services import forgetting, handing_on, inviting, messages
        from notices.services.passing_on import listen
        from talk.services.channels import channel_read

        own = [Notice, Reminder, Address, Choice, Habits, Mute]
        leaving.register_first(leaving.Part("notices", leave=forgetting.leave, own=own, export=export))
        listen(on_outbox)
        listen(queueing.on_outbox)
        listen(handing_on.on_outbox)
        place_changed_hands.connect(handing_on.on_place_changed_hands)
        invited.connect(inviting.on_invited)
        channel_read.connect(messages.on_channel_read)
        metrics.register(waiting.MEANINGS, waiting.read)
        personal.register(bell.shown_to)
        register(of_match.links)
        register(links_of)
        register(reminder_panel.panel_of)
        add_tab("notices:choose", "Notices")
        add_tab("reminders:spacing", "Reminders")
