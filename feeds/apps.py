"""The Django app `feeds`."""

from typing import Any

from django.apps import AppConfig


class FeedsConfig(AppConfig):
    name = "feeds"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts import deletion
        from accounts.extensions import add_tab
        from feeds.models import CalendarAddress
        from feeds.views import links_of
        from matches.pages import extensions

        deletion.register(deletion.Part("calendars", own=[CalendarAddress], export=_calendars_of))
        add_tab("feeds:calendars", "Calendar", "Notices")
        extensions.of_matches.register(links_of)


def _calendars_of(user: Any) -> list[dict[str, Any]]:
    from feeds.models import CalendarAddress

    return [{"made_at": each.made_at} for each in CalendarAddress.objects.filter(user=user)]
