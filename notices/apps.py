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
        from matches.pages import additions
        from matches.services.signals import invited, place_changed_hands
        from notices import handing_on, keeping, match_page, outbox, own, talk, webhooks
        from notices.keeping import export
        from notices.models import Address, Choice, Habits, Mute, Notice, Reminder
        from notices.outbox import listen
        from notices.reminders.deadlines import on_outbox
        from talk.services.channels import channel_read

        mine = [Notice, Reminder, Address, Choice, Habits, Mute]
        leaving.register_first(leaving.Part("notices", leave=keeping.leave, own=mine, export=export))
        listen(on_outbox)
        listen(webhooks.on_outbox)
        listen(handing_on.on_outbox)
        place_changed_hands.connect(handing_on.on_place_changed_hands)
        invited.connect(outbox.on_invited)
        channel_read.connect(talk.on_channel_read)
        metrics.register(keeping.MEANINGS, keeping.read_metrics)
        additions.of_frames.register(own.shown_to)
        additions.of_matches.register(match_page.links_of)
        additions.of_matches.register(match_page.panel_of)
        add_tab("notices:choose", "Notices")
        add_tab("reminders:spacing", "Reminders")
