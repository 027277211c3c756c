"""The Django app `jotter`: notes that people take at a match for themselves."""

from typing import Any

from django.apps import AppConfig


class JotterConfig(AppConfig):
    name = "jotter"
    verbose_name = "Notebooks"

    def ready(self) -> None:
        from accounts import leaving
        from jotter.models import Notebook
        from jotter.views import additions_of
        from matches.pages import additions

        leaving.register(leaving.Part("notebooks", own=[Notebook], export=_notes_of))
        additions.of_matches.register(additions_of)


def _notes_of(user: Any) -> list[dict[str, Any]]:
    from jotter.models import Notebook

    found = Notebook.objects.filter(user=user).order_by("pk").values("match__public_id", "text")
    return [dict(each) for each in found]
