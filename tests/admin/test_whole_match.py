"""A host runs a match from the first form to the result, without a shell."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from matches.models import Match, Player
from matches.services.group.queue import submit
from matches.services.replay import verify
from tests.admin.conftest import BEGIN, Console

pytestmark = pytest.mark.django_db


def bid(match: Match, user: Any, seat: str, amount: int) -> None:
    answer = submit(match.pk, user.pk, {"type": "bid", "seat": seat, "amount": amount})
    assert answer.accepted, answer


def test_a_match_is_created_peopled_published_run_and_finished_in_the_console(
    console: Console, players: list[Any], later: Any, clock: Any
) -> None:
    match = console.create(**{"config-variant": "F8", "config-fee": "3"})
    assert match.config == {"variant": "F8", "fee": 3}
    assert list(match.hosts.values_list("username", flat=True)) == ["hanna"]
    page = console.page()
    assert "Not ready yet" in page
    assert "takes 3 to 26 players; this match has 0" in page

    page = console.save_players(
        [
            {"person": "ann", "garnets": "3", "priority": "5", "blood_garnets": "2.5"},
            {"person": "BOB", "handle": "bobby", "priority": "3"},
            {"handle": "cat"},
            {"handle": "", "garnets": ""},
        ]
    )
    assert "1 place is open now." in page
    assert "made for 8 to 11 players" in page
    assert "/join/" in page
    cat = Player.objects.get(match=match, handle="cat")
    console.save_players([{"player": cat.pk, "position": "2", "person": "cat", "handle": "cat", "priority": "1"}])
    assert "Not ready yet" not in console.page()

    asked = console.ask("publish", starts_at="2031-05-17T17:00")
    assert "Sat 17 May, 15:00 UTC (17:00 your time)" in asked
    page = console.do("publish", starts_at="2031-05-17T17:00")
    assert "Published" in page
    assert match.refresh_from_db() is None
    assert match.status == Match.Status.SCHEDULED
    console.do("unpublish")
    assert console.match is not None
    assert console.match.status == Match.Status.DRAFT
    console.do("publish", starts_at="2031-05-17T17:00")
    later(hours=2)
    match.refresh_from_db()
    assert match.status == Match.Status.OPEN
    assert match.opened_at == BEGIN + timedelta(hours=2)

    bid(match, players[1], "R", 1)
    page = console.page()
    assert ">Before the auction</span>" in page
    assert "submitted" in page
    assert "not yet" in page

    console.do("pause", reason="storm")
    later(hours=5)
    assert "15:00 UTC" not in console.ask("resume")
    page = console.do("resume")
    assert console.match.next_deadline_at == BEGIN + timedelta(hours=2 + 24 + 5)
    asked = console.ask("extend", by="2h")
    assert "Every deadline comes 2 h later" in asked
    assert "Sun 18 May, 22:00 UTC" in asked
    console.do("extend", by="2h", reason="late host")
    assert console.match.next_deadline_at == BEGIN + timedelta(hours=2 + 24 + 5 + 2)

    console.do("close", reason="all are in")
    assert ">Before the auction</span>" not in console.page()
    page = console.do("correct", player=cat.pk, asset="garnet", amount="2", reason="bought elsewhere")
    assert "Booked" in page
    assert cat.holdings.get(asset="garnet").amount == 2
    later(hours=24)
    page = console.page()
    assert "Players have to decide" in page
    assert match.seed not in page
    finish(console, match)
    match.refresh_from_db()
    assert match.status == Match.Status.FINISHED
    page = console.page()
    assert match.seed in page
    assert verify(match) == []
    kinds = set(match.announcements.values_list("kind", flat=True))
    assert {"match_paused", "match_resumed", "deadline_extended", "deadline_closed_early", "decision_by_host"} <= kinds


def finish(console: Console, match: Match) -> None:
    """The host makes every decision that is open."""
    from matches.admin.commands.decisions import open_decisions

    while decisions := open_decisions(Match.objects.get(pk=match.pk)):
        player, ask = decisions[0]
        count = min(ask.count, len(ask.options))
        page = console.do(
            "decide", decision=f"{player.handle}:{ask.kind}", chosen=list(ask.options[:count]), reason="away"
        )
        assert "Decided in place of" in page
