"""The app of everything about matches."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class MatchesConfig(AppConfig):
    name = "matches"
    verbose_name = "Matches"

    def ready(self) -> None:
        from matches.services.hosts_group import make_hosts_group

        post_migrate.connect(make_hosts_group, sender=self)
