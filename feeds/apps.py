"""The Django app `feeds`."""

from typing import Any

from django.apps import AppConfig


class FeedsConfig(AppConfig):
    name = "feeds"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts import deletion
        from accounts.extensions import add_tab
        from feeds.calendars import forget_place
        from feeds.models import CalendarAddress
        from feeds.views import links_of
        from matches.pages import extensions
        from matches.services.signals import place_changed_hands

        deletion.register(deletion.Part("calendars", own=[CalendarAddress], export=_calendars_of))
        add_tab("feeds:calendars", "Calendar", "Notices")
        extensions.of_matches.register(links_of)
        place_changed_hands.connect(forget_place)


def _calendars_of(user: Any) -> list[dict[str, Any]]:
    from feeds.models import CalendarAddress

    return [{"made_at": each.made_at} for each in CalendarAddress.objects.filter(user=user)]
