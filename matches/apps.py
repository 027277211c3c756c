"""The app `matches`: connects it to the account pages, to account deletion, and to signals."""

from django.apps import AppConfig
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate


class MatchesConfig(AppConfig):
    name = "matches"
    verbose_name = "Matches"

    def ready(self) -> None:
        from accounts import deletion
        from accounts.extensions import Limits, add_tab, limit_tokens_by
        from accounts.models.second_factor import count_as_hosts
        from matches.infra import database_time
        from matches.models import MatchRole, NotesRead
        from matches.queries import lists
        from matches.services import account_deletion
        from matches.services.roles import make_hosts_group

        post_migrate.connect(make_hosts_group, sender=self)
        connection_created.connect(database_time.on_connection)
        add_tab("matches:my_page", "Public page", "Profile")
        limit_tokens_by(Limits(lists.token_matches, lists.titles_for))
        count_as_hosts(MatchRole)
        deletion.register(
            deletion.Part(
                "matches",
                account_deletion.reasons,
                account_deletion.leave,
                left=account_deletion.forget_name,
                own=[NotesRead],
                export=account_deletion.export,
            )
        )
        _connect_live_pushes()
        _link_to_places()


def _link_to_places() -> None:
    from matches.pages import extensions

    extensions.of_matches.register(extensions.link_to_place)


def _connect_live_pushes() -> None:
    from django.contrib.auth.signals import user_logged_out
    from django.contrib.sessions.models import Session
    from django.db.models.signals import post_delete

    from accounts.signals import access_changed
    from matches.live import publisher
    from matches.services.signals import match_changed, people_told

    match_changed.connect(publisher.publisher.match_changed)
    people_told.connect(publisher.publisher.people_told)
    access_changed.connect(publisher.publisher.access_changed)
    user_logged_out.connect(publisher.on_logged_out)
    post_delete.connect(publisher.on_session_deleted, sender=Session)
