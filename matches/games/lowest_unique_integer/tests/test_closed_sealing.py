"""From the close of sealed bids to the opening only chips are sold: nobody is shown, or asked for, anything else."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.urls import reverse

from matches.models import Match
from matches.models.clock import FixedTime
from matches.services import deadlines, hosting
from matches.services.roles import HOSTS
from tests.fixtures.present import START
from tests.web.conftest import Table, browser

ASKED = "You can make one sealed bid"
CLOSES, OPENS = 23, 24


def own_view(table: Table, name: str) -> dict[str, object]:
    answer = browser(table.users[name]).look(f"/api/v1/matches/{table.match.public_id}/")
    private: dict[str, object] = json.loads(answer)["private"]
    return private


def console_line(table: Table, name: str) -> str:
    """A player's row in the hosts' console, without tags."""
    dora = table.users["dora"]
    dora.is_staff = True
    dora.save()
    dora.groups.add(Group.objects.get(name=HOSTS))
    page = browser(dora).look(reverse("admin:matches_match_change", args=[table.match_id]))
    named = re.compile(rf"<td>(<a [^>]*>)?{name}<")
    (row,) = [row for row in re.findall(r"<tr>.*?</tr>", page, re.DOTALL) if named.search(row)]
    return " ".join(re.sub(r"<[^>]+>", " ", row).split())


@pytest.fixture
def table(db: None, present: FixedTime) -> Table:
    """A match of F8 that has just begun."""
    return Table(present).open()


def test_who_can_bid_at_any_time_may_move(table: Table) -> None:
    table.bid("ann", "Z", 3)
    ann = browser(table.users["ann"])
    for hour, is_open in ((1, False), (CLOSES, False), (OPENS, True)):
        table.at(hour)
        assert ("You can bid at any time." in ann.look("/me/?only=move")) is is_open
        assert "can_always" not in own_view(table, "ann")


def test_nobody_is_asked_any_more_wherever_they_look(table: Table) -> None:
    bob = browser(table.users["bob"])
    table.at(CLOSES - 1)
    assert ASKED in bob.look("/me/")
    assert ASKED in bob.look("/")
    assert own_view(table, "bob")["asked"]
    assert own_view(table, "bob")["may_bid"] is True
    assert "not yet may act" in console_line(table, "bob")
    table.at(CLOSES)
    for address in (table.url, f"{table.url}parts/", "/me/", "/"):
        assert ASKED not in bob.look(address)
    assert own_view(table, "bob")["asked"] == []
    assert own_view(table, "bob")["may_bid"] is own_view(table, "bob")["may_withdraw"] is False
    assert own_view(table, "bob")["may_buy"] is True
    assert "none –" in console_line(table, "bob")


def test_the_auction_opens_early_only_once_everybody_has_sealed_a_bid(table: Table) -> None:
    hosting.close_when_sent(table.match, table.users["dora"], True)
    for who, opened in (("ann", 0), ("bob", 0), ("cat", 1)):
        table.at(1).bid(who, "Z", 3)
        assert deadlines.sweep_all_sent() == opened


@pytest.fixture
def outage(present: FixedTime, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let the site be down from one hour of the match to another."""
    monkeypatch.setattr(deadlines, "_looked_after", None)
    settings.OUTAGE_AFTER, settings.OUTAGE_LEAST = timedelta(minutes=10), timedelta(hours=12)

    def off(*hours: float) -> None:
        for present.instant in (START + timedelta(hours=hour) for hour in hours):
            deadlines.sweep()

    return off


@pytest.mark.parametrize(("down", "up"), [(22.8, 23.2), (22, 23.5), (22, 25), (10, 22)])
def test_an_outage_over_the_close_takes_no_time_from_anybody(table, outage, down, up) -> None:
    outage(down, up)
    assert table.match.next_deadline_at == START + timedelta(hours=up + 13), "sealed bids close 12 h after it"
    table.at(up + 11).bid("ann", "Z", 3)


def test_an_outage_over_the_close_keeps_the_usual_hour_of_the_opening(table, outage) -> None:
    Match.objects.filter(pk=table.match_id).update(usual_hour="14:00", usual_zone="UTC")
    outage(22.8, 23.2)
    assert table.match.next_deadline_at == START + timedelta(hours=48)
