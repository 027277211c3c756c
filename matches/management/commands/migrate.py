"""`manage.py migrate`: Django's own, and then the running site is given its rights to what is new."""

from typing import Any

from django.core.management.commands import migrate

from genius_site import database


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        super().handle(*args, **options)
        if not options["plan"]:
            database.give_rights()
