"""The Django app `matches`."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class MatchesConfig(AppConfig):
    name = "matches"
    verbose_name = "Matches"

    def ready(self) -> None:
        from matches.services.hosts_group import make_hosts_group

        post_migrate.connect(make_hosts_group, sender=self)
        _connect_live_pushes()


def _connect_live_pushes() -> None:
    from django.contrib.auth.signals import user_logged_out
    from django.contrib.sessions.models import Session
    from django.db.models.signals import post_delete

    from accounts.signals import access_changed
    from matches.live import publisher
    from matches.services.signals import match_changed

    match_changed.connect(publisher.on_match_changed)
    access_changed.connect(publisher.on_access_changed)
    user_logged_out.connect(publisher.on_logged_out)
    post_delete.connect(publisher.on_session_deleted, sender=Session)
