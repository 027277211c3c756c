"""The pages of a match as each kind of viewer gets them, without scripts."""

from __future__ import annotations

import re
from typing import Any

import pytest

from matches.games.the_mvp.tests.at_table import AtTable
from matches.games.the_mvp.tests.table import DECK, GREEN, NAMES
from matches.models import clock
from tests.games.reading import element, text_of
from tests.web.conftest import browser


def value_of(html: str, place: str) -> str:
    """What stands in a card's field."""
    found = re.search(rf'name="adds\[{place}\]"[^>]* value="([^"]*)"', html)
    assert found, f"no field for {place}"
    return found[1]


def fields(html: str) -> list[str]:
    """The places that can be bid on."""
    return re.findall(r'name="adds\[(\w)\]"', html)


# -- the board ---------------------------------------------------------------------------------------


def test_hidden_cards_tell_nothing_of_what_they_are(present: clock.FixedTime, db: None) -> None:
    """Two decks that differ in what lies face down only: every public and private part is the same bytes."""
    turned = {**DECK, "A": DECK["N"], "N": DECK["A"], "F": DECK["K"], "K": DECK["F"]}
    shown = []
    for deck in (DECK, turned):
        table = AtTable(present, deck=deck).bid("ann", U=2).at(25)
        parts = browser(table.users["ann"]).get(f"{table.url}parts/").json()["parts"]
        public = table.match.public_id
        alike = re.compile(rf'{public}|id="feed-[^"]+"|[0-9a-f]{{64}}')
        shown.append({name: alike.sub("x", text) for name, text in parts.items()})
    assert shown[0] == shown[1]


def test_flags_stand_on_their_cards_with_team_and_total(at_table: AtTable) -> None:
    at_table.bid("ann", U=4, P=7).bid("cat", U=2).bid("bob", X=3, U=5).at(24)
    page = browser().look(at_table.url)
    assert "flagged by team red with 6 chips since round 1" in element(page, "card-U")
    assert "mvp-pennant--red" in element(page, "card-U")
    assert "flagged by team green with 3 chips" in element(page, "card-X")
    assert "mvp-pennant" not in element(page, "card-P")
    assert "7 chips" not in text_of(page)


# -- what a player has and does ----------------------------------------------------------------------


def test_bids_are_sealed_changed_and_taken_back_by_one_form(at_table: AtTable) -> None:
    ann = browser(at_table.users["ann"])
    for typed in ({"U": "3", "P": "1"}, {"V": "7"}, {}):
        sent: dict[str, Any] = {f"adds[{place}]": typed.get(place, "") for place in fields(ann.look(at_table.url))}
        assert ann.press(at_table.url, "bid", **sent).status_code == 302
        page = ann.look(at_table.url)
        assert {place: value_of(page, place) for place in fields(page) if value_of(page, place)} == typed
    assert "You add nothing." in text_of(page)


@pytest.mark.parametrize("typed", ["0", "-1", "31", "many"])
def test_a_bad_bid_comes_back_with_what_was_typed(at_table: AtTable, typed: str) -> None:
    ann = browser(at_table.users["ann"])
    sent: dict[str, Any] = {"adds[U]": typed, "adds[V]": ""}
    answer = ann.press(at_table.url, "bid", **sent)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert value_of(page, "U") == typed
    assert 'class="field__error"' in page


def test_questions_are_asked_by_form_and_answered_to_their_owner_alone(at_table: AtTable) -> None:
    ann = browser(at_table.users["ann"])
    assert ann.press(at_table.url, "ask_identity", place="A").status_code == 302
    assert ann.press(at_table.url, "ask_location", card="apple-2").status_code == 302
    assert "answer comes when round 1 closes" in text_of(ann.look(at_table.url))
    assert 'data-known="' not in ann.look(at_table.url)
    at_table.bid("bob", X=1).at(24)
    page = ann.look(at_table.url)
    assert re.findall(r'data-known="(\w)" data-card="([\w-]+)"', page) == [("A", "apple-1"), ("B", "apple-2")]
    for other in ("cat", "bob"):
        assert 'data-known="' not in browser(at_table.users[other]).look(at_table.url)


def test_who_controls_a_card_is_told_to_its_controller_and_to_others_only_that_they_do_not(at_table: AtTable) -> None:
    at_table.bid("ann", U=4).bid("cat", U=2).at(48)
    said = {}
    for who in NAMES:
        page = browser(at_table.users[who]).look(at_table.url)
        said[who] = text_of(element(page, "claims-title")) if 'id="claims-title"' in page else ""
    assert "you control it you paid 4" in said["ann"]
    assert "not yours you paid 2" in said["cat"]
    assert "not yours you paid 0" in said["eve"]
    assert [said[who] for who in GREEN] == ["", "", ""]


# -- the end -----------------------------------------------------------------------------------------


def test_the_result_opens_controllers_and_own_scores(at_table: AtTable) -> None:
    at_table.bid("ann", U=4, V=3).bid("cat", W=1, V=3).at(48).at(72)
    winner = browser(at_table.users["ann"])
    page = winner.look(at_table.url)
    assert "wins, 3 to 0" in text_of(page)
    assert "Nobody added a chip in round 3" in text_of(page)
    result = text_of(browser().look(f"{at_table.url}result/"))
    assert "Run: 3 × 1 = 3" in result
    assert re.search(r"U grape 3 Team red 4 chips 2 An Ann", result)
    assert re.search(r"V grape 4 Team red 6 chips 2 nobody: equal bids", result)
    assert re.search(r"W grape 5 Team red 1 chip 2 Ca Cat", result)
    assert 'href="?lot' not in browser().look(at_table.url)


# -- lists and rules ---------------------------------------------------------------------------------
