"""The Django app `practice`."""

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
    """What its player has seen of it: seed and position would tell what the bots hold."""
    from practice.models import PracticeTable

    return [dict(each) for each in PracticeTable.objects.filter(user=user).values("game", "time", "told", "touched_at")]
