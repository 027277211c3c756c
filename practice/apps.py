"""The app `practice`: registers its data for export and deletion."""

from typing import Any

from django.apps import AppConfig


class PracticeConfig(AppConfig):
    name = "practice"
    verbose_name = "Practice"

    def ready(self) -> None:
        from accounts import deletion
        from practice.models import PracticeTable

        deletion.register(deletion.Part("practice", own=[PracticeTable], export=_table_of))


def _table_of(user: Any) -> list[dict[str, Any]]:
    """What a player has heard at their tables. Seed and state would reveal what the bots hold."""
    from practice import services
    from practice.models import PracticeTable

    return [
        {"game": each.game, "touched_at": each.touched_at, "told": services.sentences(each, services.heard_at(each))}
        for each in PracticeTable.objects.filter(user=user).select_related("user")
    ]
