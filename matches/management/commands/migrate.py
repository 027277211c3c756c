"""`manage.py migrate`: Django's own command, which then gives the site's database user its rights to new tables."""

from typing import Any

from django.core.management.commands import migrate

from genius_site import database


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        super().handle(*args, **options)
        if not options["plan"]:
            database.give_rights()
