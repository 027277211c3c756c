"""What processes do at the same moment in a season (see `racer`, which runs them)."""

from collections import Counter
from typing import Any

from tests.services.meeting import Unguarded, meeting_after

Task = dict[str, Any]


def _without_the_lock(task: Task) -> None:
    from django.db import connection

    from seasons.models import Season

    if task.get("season_unlocked"):
        from matches.models import clock
        from seasons.services import writer

        Season.objects.select_for_update = Season.objects.all  # type: ignore[method-assign]
        writer.lock_season = lambda pk: (Season.objects.get(pk=pk), clock.now())
        if connection.vendor == "sqlite":
            connection.settings_dict["OPTIONS"]["transaction_mode"] = "DEFERRED"
            connection.close()  # the next one is begun so


def settle(match: Any, host: Any, task: Task) -> None:
    """A host confirms the settlement of a season's match."""
    from seasons.services import running

    _without_the_lock(task)
    running.need_host = meeting_after(running.need_host)
    running.command(match.in_season.season, host, {"settle": match.in_season.key})


def create_season(task: Task) -> Counter[str]:
    """A second click on the form of a new season, at the same moment as the first."""
    from django.contrib.auth import get_user_model

    from accounts.models import User
    from seasons.services import drafts

    if task.get("season_unlocked"):
        get_user_model().objects.select_for_update = get_user_model().objects.all  # type: ignore[method-assign]
        drafts.transaction = Unguarded  # type: ignore[attr-defined]
    drafts._made_already = meeting_after(drafts._made_already)
    user = User.objects.get(pk=task["user"])
    try:
        drafts.create_season("Clicked twice", user, key="the same key")
    except Exception as error:
        return Counter([type(error).__name__])
    return Counter(["done"])


def open_in_season(match: Any, host: Any, task: Task) -> None:
    """A host starts a match whose players bring what they have."""
    from matches.services import hosting
    from seasons.services import bringing

    bringing.rules.open_match = meeting_after(bringing.rules.open_match)
    hosting.start_now(match, host)


def withdraw(task: Task) -> Counter[str]:
    """Somebody who was chosen takes the application back."""
    from accounts.models import User
    from matches.services.errors import CommandRefused
    from seasons.models import Season
    from seasons.services import applications

    season, user = Season.objects.get(pk=task["season"]), User.objects.get(pk=task["user"])
    applications._first_alternate = meeting_after(applications._first_alternate)
    try:
        applications.withdraw(season, user)
    except CommandRefused as refused:
        return Counter([refused.code])
    except Exception as error:
        return Counter([type(error).__name__])
    return Counter(["done"])


def give(task: Task) -> Counter[str]:
    """A member gives garnets to another one."""
    from accounts.models import User
    from matches.services.errors import CommandRefused
    from seasons.models import Season
    from seasons.services import running

    season, giver = Season.objects.get(pk=task["season"]), User.objects.get(pk=task["user"])
    running.need_new = meeting_after(running.need_new)
    try:
        running.give_garnets(season, giver, task["to"], task["amount"])
    except CommandRefused as refused:
        return Counter([refused.code])
    except Exception as error:
        return Counter([type(error).__name__])
    return Counter(["done"])
