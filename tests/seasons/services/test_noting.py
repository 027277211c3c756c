"""What hosts do to a draft of a season, and with its invitations, is noted: who, when, what stood before and after.

Every service that changes a draft or an invitation is carried out here; a new one without a row fails.
"""

import inspect
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry

from matches.models.clock import FixedTime
from matches.models.clock import now as clock_now
from matches.services.commands import NotAHost
from matches.services.links import Inviting
from matches.services.roles import Roles
from matches.services.roster import PlayerChange
from seasons.models import Season
from seasons.services import applications, cast, drafts, invitations, people
from seasons.services.applications import Decision
from tests.seasons.admin.conftest import _night, clock, host, other_host, person

__all__ = ["_night", "clock", "host", "other_host", "person"]
pytestmark = [pytest.mark.django_db]

MODULES = (drafts, cast, invitations, applications)
DO_NOTHING = {
    "check_cast": "looks at what is typed",
    "draft": "locks",
    "_hosting": "locks",
    "noting": "notes what is done within it",
    "_note": "notes",
    "duplicate": "makes another draft, which notes that",
}


@pytest.fixture
def season(host: Any) -> Season:
    made = drafts.create_season("Autumn", host)
    cast.add_member(made, host, "free", name="Somebody Secret")
    LogEntry.objects.all().delete()
    return made


def _place(season: Season) -> Any:
    return season.cast.get(handle="free")


def _link(season: Season, host: Any) -> Any:
    return invitations.invite(season, host, _place(season), sent_to=person("ann"), label="A cousin")


Deed = tuple[Callable[[Season, Any, Any], object], tuple[str, ...]]
DEEDS: dict[str, Deed] = {
    "change_draft": (
        lambda season, host, link: drafts.change_draft(season, host, title="Winter", settings={"garnet_credit": True}),
        ("title: Autumn → Winter", 'settings: {} → {"garnet_credit":true}'),
    ),
    "set_roles": (
        lambda season, host, link: people.set_roles(season, host, Roles(host, (person("kim", is_staff=True),))),
        ("role of account", "nothing → cohost"),
    ),
    "add_member": (
        lambda season, host, link: cast.add_member(season, host, "zed", is_bot=True, garnets=7),
        ("cast, zed: nothing → {", '"garnets":7'),
    ),
    "change_cast": (
        lambda season, host, link: cast.change_cast(
            season, host, [PlayerChange(_place(season).pk, {"garnets": 9}), PlayerChange(None, {"handle": "new"})]
        ),
        ("cast, free: {", '"garnets":0', '"garnets":9', "cast, new: nothing → {"),
    ),
    "add_cast": (lambda season, host, link: cast.add_cast(season, host, "zed"), ("cast, zed: nothing → {",)),
    "call_for": (
        lambda season, host, link: applications.call_for(season, host, ["Why?"], clock_now(), 2),
        ("applications: nothing → {", "Why?"),
    ),
    "decide": (
        lambda season, host, link: applications.decide(season, host, [Decision(link, "alternate")]),
        ("application ", '"status":"waiting"', '"status":"alternate"'),
    ),
    "invite": (lambda season, host, link: _link(season, host), ("invitation ", " to free: nothing → {")),
    "send_again": (
        lambda season, host, link: invitations.send_again(season, host, link.pk, key="one"),
        (" to free: {", '"times_sent":1', '"times_sent":2'),
    ),
    "revoke": (lambda season, host, link: invitations.revoke(season, host, link.pk), ('"revoked_at":null', "→")),
    "renew_invitation": (
        lambda season, host, link: invitations.renew_invitation(season, host, _place(season)),
        ("cast, free: {", '"link":'),
    ),
}


def test_every_service_is_here() -> None:
    found = {
        name
        for module in MODULES
        for name, each in vars(module).items()
        if inspect.isfunction(each) and each.__module__ == module.__name__
        if list(inspect.signature(each).parameters)[:2] == ["season", "host"]
    }
    # `set_roles` is in a module whose other functions need a season that has begun, those about invitations are
    # methods; the last two change no draft.
    methods = {name for name, each in vars(Inviting).items() if inspect.isfunction(each) and name[0] != "_"}
    assert methods == {"invite", "send_again", "revoke", "renew"}
    elsewhere = {"set_roles", "renew_invitation", *methods - {"renew"}}
    assert found | elsewhere == {*DEEDS, *DO_NOTHING, "delete_draft", "duplicate"}


@pytest.mark.parametrize("name", DEEDS)
def test_a_deed_is_noted(present: FixedTime, season: Season, host: Any, name: str) -> None:
    do, tells = DEEDS[name]
    link: Any = _link(season, host) if name in ("send_again", "revoke") else None
    if name == "decide":
        link = season.applications.create(user=person("ann"), sent_at=present.instant, changed_at=present.instant)
    LogEntry.objects.all().delete()
    do(season, host, link)
    entry = LogEntry.objects.get()
    assert (entry.user, entry.object_id, entry.is_change()) == (host, str(season.pk), True)
    assert entry.action_time == present.instant
    assert [told for told in tells if told not in entry.change_message] == []
    nonces = season.cast.values_list("invite_nonce", flat=True)
    assert not any(secret in entry.change_message for secret in ["Somebody Secret", "A cousin", *nonces])


def test_a_draft_that_is_made_and_deleted_leaves_both(host: Any) -> None:
    season = drafts.create_season("Autumn", host, key="one")
    drafts.create_season("Autumn", host, key="one")
    number = str(season.pk)
    drafts.delete_draft(season, host)
    assert not Season.objects.exists()
    made, deleted = LogEntry.objects.order_by("pk")
    assert (made.user, made.object_repr, made.object_id, made.is_addition()) == (host, "Autumn", number, True)
    assert (deleted.user, deleted.object_repr, deleted.object_id, deleted.is_deletion()) == (
        host,
        "Autumn",
        number,
        True,
    )


def test_what_is_refused_or_changes_nothing_leaves_nothing(season: Season, host: Any, other_host: Any) -> None:
    drafts.change_draft(season, host, title="Autumn")
    cast.check_cast(season, host, [PlayerChange(None, {"handle": "new"})])
    with pytest.raises(NotAHost):
        drafts.change_draft(season, other_host, title="Winter")
    assert not LogEntry.objects.exists()


def test_hosts_read_it_in_the_console(season: Season, host: Any, client: Any) -> None:
    drafts.change_draft(season, host, title="Winter")
    client.force_login(host)
    page = client.get(f"/admin/seasons/season/{season.pk}/history/").content.decode()
    assert "title: Autumn → Winter" in page
    assert (
        f"/admin/seasons/season/{season.pk}/history/"
        in client.get(f"/admin/seasons/season/{season.pk}/log/").content.decode()
    )
