"""The turning points of an auction, and who leads in it."""

from __future__ import annotations

from matches.engine.step import EVERYONE
from matches.engine.story import Story
from matches.games.lowest_unique_integer import GAME
from matches.games.lowest_unique_integer.tests.table import Table, bid, live


def _story(table: Table) -> Story:
    told = [item for step in table.steps for item in step.announcements if item.audience == EVERYONE]
    outcome = GAME.outcome(table.state)
    assert outcome is not None
    return GAME.story(table.public, outcome, told, str.capitalize)


def test_the_lead_goes_with_the_lowest_bid() -> None:
    table = live()
    assert table.public.who_leads.leaders == ()
    table.act("1h", "ann", bid("Z", 2)).act("2h", "bob", bid("Y", 7))
    assert table.public.who_leads.leaders == ("ann",)
    assert table.public.who_leads.why == "the lowest bid, 2 on Z"
    table.act("3h", "cat", bid("Z", 9))
    assert table.public.who_leads.leaders == ("bob",)
    assert table.public.who_leads.lines == {"bob": "Y at 7", "cat": "Z at 9"}


def test_the_biggest_swing_is_where_the_lowest_bid_moved_most() -> None:
    table = live().act("1h", "ann", bid("Z", 2)).act("2h", "bob", bid("Y", 7))
    table.act("3h", "cat", bid("Z", 9)).act("4h", "ann", bid("X", 6)).to_the_end()
    swing, closest, *_ = _story(table).turning_points
    assert swing.text == "Bob took the lead from Ann: the lowest bid went from 2 to 7."
    assert swing.announcement is not None
    assert closest.text == "Ann won with 6 on X, 1 below the 7 of Bob on Y."
    assert _story(table).lines["ann"] == "won X for 6; 10 chips left"


def test_where_nobody_bid_there_is_nothing_to_tell() -> None:
    assert _story(live().to_the_end()).turning_points == ()
