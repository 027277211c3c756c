"""The app `seasons`: connects it to the pages, hooks and signals of the apps below it."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class SeasonsConfig(AppConfig):
    name = "seasons"
    verbose_name = "Seasons"

    def ready(self) -> None:
        from accounts import deletion
        from accounts.models.second_factor import count_as_hosts
        from matches.demo import season
        from matches.pages import desk, extensions
        from matches.services import belonging, kinds
        from matches.services.signals import invited
        from notices.channels import base
        from notices.outbox import listen
        from notices.webhooks import OWNER_TYPES
        from seasons import demo
        from seasons.engine.verification import FORMAT
        from seasons.models import Season, SeasonInvitation, SeasonRole
        from seasons.notices import hand_on, on_applied, on_change, on_invited
        from seasons.queries.export import heads_of_sources
        from seasons.services import account_deletion as leaving
        from seasons.services.bringing import season_of
        from seasons.services.scenario_runner import OF_A_SEASON
        from seasons.services.verification import proved, verify
        from seasons.services.writer import applied, member_changed_hands, season_changed
        from seasons.web.extensions import entries_of, in_its_season, mine, seasons_of
        from seasons.webhooks import SEASONS, on_outbox

        count_as_hosts(SeasonRole)
        belonging.register(season_of)
        kinds.register_scenarios(OF_A_SEASON)
        kinds.register(Season, verify, FORMAT, proved)
        extensions.of_matches.register(in_its_season)
        extensions.of_people.register(seasons_of)
        extensions.of_mine.register(mine)
        desk.of_entries.register(entries_of)
        season_changed.connect(on_change)
        member_changed_hands.connect(hand_on)
        invited.connect(on_invited, sender=SeasonInvitation)
        applied.connect(on_applied)
        season.register(demo.make)
        deletion.register_first(deletion.Part("seasons", leaving.reasons, leaving.leave_all, export=leaving.export))
        OWNER_TYPES.append(SEASONS)
        listen(on_outbox)
        base.register("season", heads_of_sources)
        post_migrate.connect(_let_hosts_host, sender=self)


def _let_hosts_host(app_config: AppConfig, using: str = "default", **kwargs: Any) -> None:
    """Receive `post_migrate`: give the group of hosts the rights to host seasons."""
    from matches.services.roles import let_hosts

    let_hosts(app_config, {"season": ("view", "add", "change")}, using)
