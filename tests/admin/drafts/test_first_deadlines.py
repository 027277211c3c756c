"""Before a match is published, hosts see when its first deadlines come for everybody in it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from matches.models import Match
from matches.services.roster import PlayerChange, change_players
from tests.admin.conftest import Console

pytestmark = pytest.mark.django_db


def cells(page: str, zone: str) -> list[str]:
    """The row of a zone: who lives there, then the times."""
    row = next(each for each in re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL) if f">{zone}" in each)
    return [
        " ".join(re.sub("<[^>]+>", " ", cell).split())
        for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
    ]


def test_the_first_deadlines_are_shown_in_each_zone(
    console: Console, draft: Match, host: Any, players: list[Any]
) -> None:
    zones = ("Asia/Kathmandu", "America/New_York", "Europe/Berlin")
    for user, zone in zip(players, zones, strict=True):
        user.time_zone = zone
        user.save()
    Match.objects.filter(pk=draft.pk).update(config={"pregame": "24h"})
    change_players(draft, host, [PlayerChange(None, {"user": user}) for user in players])
    page = console.ask("publish", starts_at="2031-05-20T22:00", open_places="wait")
    assert cells(page, "UTC")[:3] == ["UTC", "Tue 20 May, 20:00", "Wed 21 May, 20:00"]
    assert cells(page, "Asia/Kathmandu")[:3] == [
        "Asia/Kathmandu ann",
        "Wed 21 May, 01:45 at night",
        "Thu 22 May, 01:45 at night",
    ]
    assert cells(page, "America/New York")[1] == "Tue 20 May, 16:00"
    assert cells(page, "Europe/Berlin")[0] == "Europe/Berlin cat, hanna (host)"
    assert "Sat 17 May, 13:00" in cells(console.ask("start"), "UTC")


def test_utc_is_one_line_also_where_people_live_in_it(
    console: Console, draft: Match, host: Any, players: list[Any]
) -> None:
    change_players(draft, host, [PlayerChange(None, {"user": user}) for user in players])
    page = console.ask("publish", starts_at="2031-05-20T22:00", open_places="wait")
    assert cells(page, "UTC")[0] == "UTC ann, bob, cat"


def test_no_deadlines_are_shown_for_what_cannot_be_played(console: Console, draft: Match) -> None:
    Match.objects.filter(pk=draft.pk).update(config={"nonsense": 1})
    page = console.ask("publish", starts_at="2031-05-20T22:00", open_places="wait")
    assert "What will happen" in page
    assert "The first deadlines" not in page
