"""The app `notes`: adds its panel to matches, and registers its data for export and deletion."""

from typing import Any

from django.apps import AppConfig


class NotesConfig(AppConfig):
    name = "notes"
    verbose_name = "Notebooks"

    def ready(self) -> None:
        from accounts import deletion
        from matches.pages import extensions
        from notes.models import Notebook
        from notes.views import additions_of

        deletion.register(deletion.Part("notebooks", own=[Notebook], export=_notes_of))
        extensions.of_matches.register(additions_of)


def _notes_of(user: Any) -> list[dict[str, Any]]:
    from notes.models import Notebook

    found = Notebook.objects.filter(user=user).order_by("pk").values("match__public_id", "text")
    return [dict(each) for each in found]
