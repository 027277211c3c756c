"""The Django app `jotter`: what people write down at a match for themselves."""

from typing import Any

from django.apps import AppConfig


class JotterConfig(AppConfig):
    name = "jotter"
    verbose_name = "Notebooks"

    def ready(self) -> None:
        from accounts import leaving
        from jotter.live import on_unsent
        from jotter.models import Notebook, Unsent
        from jotter.services.signals import unsent_changed
        from jotter.services.unsent import forget
        from jotter.web.panel import additions_of
        from matches.pages import additions
        from matches.services.signals import place_changed_hands

        leaving.register(leaving.Part("notebooks", own=[Notebook], export=_notes_of))
        leaving.register(leaving.Part("unsent", own=[Unsent], export=_unsent_of))
        additions.register(additions_of)
        place_changed_hands.connect(forget)
        unsent_changed.connect(on_unsent)


def _notes_of(user: Any) -> list[dict[str, Any]]:
    from jotter.models import Notebook

    found = Notebook.objects.filter(user=user).order_by("pk").values("match__public_id", "text")
    return [dict(each) for each in found]


def _unsent_of(user: Any) -> list[dict[str, Any]]:
    from jotter.models import Unsent

    fields = ("player__match__public_id", "form", "part", "values", "words", "saved_at")
    return [dict(each) for each in Unsent.objects.filter(user=user).order_by("pk").values(*fields)]
