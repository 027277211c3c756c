"""A season can be had again: its settings, texts and hosts, without its cast."""

from typing import Any

import pytest

from accounts.models import User
from matches.services.commands import NotAHost
from matches.services.roles import roles_of
from seasons.models import Season, SeasonRole
from seasons.services import drafts, people, running
from seasons.services.cast import add_member
from seasons.services.writer import season_duplicated
from tests.seasons.admin.conftest import SeasonDesk, browser_of, text_of

pytestmark = pytest.mark.django_db


def test_a_duplicate_has_all_but_the_cast_and_belongs_to_who_makes_it() -> None:
    owner, cohost, gone, watcher = (User.objects.create_superuser(name) for name in ("olga", "cora", "gina", "will"))
    chosen: dict[str, Any] = {"settings": {"gifts": True}, "description": "Eight weeks.", "zone": "Europe/Berlin"}
    season = drafts.create_season("Autumn", owner, usual_hour="18:00", **chosen)
    for user, role in ((cohost, "cohost"), (gone, "cohost"), (watcher, "observer")):
        SeasonRole.objects.create(season=season, user=user, role=role, since=season.created_at)
    for name in ("ann", "bob"):
        add_member(season, owner, name, is_bot=True)
    running.begin(season, owner)
    User.objects.filter(pk=gone.pk).update(is_active=False)
    heard: list[tuple[Any, ...]] = []

    def listen(sender: Any, *, source: Season, draft: Season, host: Any, **_: Any) -> None:
        heard.append((sender, source.pk, draft.pk, host))

    season_duplicated.connect(listen)
    try:
        said = SeasonDesk(cohost, season).do("duplicate")
        again = drafts.duplicate(season, cohost, key="one"), drafts.duplicate(season, cohost, key="one")
    finally:
        season_duplicated.disconnect(listen)
    made = Season.objects.get(title="Autumn 2")
    assert "“Autumn 2” is a draft" in said
    assert ("Not ready yet" in said, "Waiting for hosts" in said) == (True, False)
    hosts, others = (browser_of(each) for each in (watcher, User.objects.create_user("vera", is_staff=True)))
    assert "Autumn 2" in text_of(hosts.get("/seasons/"))
    assert "Autumn 2" not in text_of(others.get("/seasons/"))
    assert heard[0] == (Season, season.pk, made.pk, cohost)
    assert (made.status, made.cast.count(), made.log_count) == ("draft", 0, 0)
    assert {name: getattr(made, name) for name in chosen} == chosen
    assert f"{made.usual_hour:%H:%M}" == "18:00"
    roles = roles_of(made)
    assert (roles.owner, roles.cohosts, roles.observers) == (cohost, (owner,), (watcher,))
    assert made.seed != season.seed
    assert f"role of account {owner.pk}: nothing → cohost" in drafts.noted_of(made, 0, 1)[0].change_message
    people.stop_hosting(made, owner)
    assert f"role of account {owner.pk}: cohost → former" in drafts.noted_of(made, 0, 1)[0].change_message
    assert again[0] == again[1] == Season.objects.get(title="Autumn 3")
    with pytest.raises(NotAHost):
        drafts.duplicate(season, User.objects.create_user("ann"))
