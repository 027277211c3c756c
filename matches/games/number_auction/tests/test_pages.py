"""The pages of a match as each kind of viewer gets them, without scripts."""

from __future__ import annotations

import re
from typing import Any

import pytest

from matches.games.number_auction.tests.at_table import AtTable
from matches.models import clock
from tests.games.reading import element, text_of
from tests.web.conftest import browser


def value_of(html: str, number: int) -> str:
    """What stands in a number's bid field."""
    found = re.search(rf'name="bids\[{number}\]"[^>]* value="([^"]*)"', html)
    assert found, f"no field for {number}"
    return found[1]


# -- the board ---------------------------------------------------------------------------------------


def test_the_numbers_of_this_round_stand_on_the_board_and_the_others_do_not(at_table: AtTable) -> None:
    page = browser().look(at_table.url)
    for number in range(1, 6):
        assert f'id="lot-{number}"' in page
        assert "up now" in element(page, f"number-{number}")
    assert 'id="lot-6"' not in page
    assert page.count('role="link" aria-disabled="true"') == 45
    assert "to come" in text_of(page[page.index('aria-label="How numbers are shown"') :])
    assert "Round 1 of 10" in text_of(page)


def test_who_took_what_stands_on_the_board_with_its_owner(at_table: AtTable) -> None:
    at_table.bid("ann", n1=30, n2=4).bid("bob", n1=20, n3=5).bid("cat", n3=5).at(24)
    page = browser().look(at_table.url)
    assert 'data-owner="0"' in element(page, "number-1")
    assert "bid 30, paid 20, round 1" in text_of(element(page, "number-1"))
    assert "paid 0" in text_of(element(page, "number-2"))
    assert "gone" in text_of(element(page, "number-3"))
    last = text_of(page[page.index('id="round-1"') :])
    assert "1 An Ann 30 20" in last


def test_public_parts_are_the_same_bytes_for_everybody(at_table: AtTable) -> None:
    at_table.bid("ann", n1=30).at(24).bid("ann", n6=3)
    parts = [browser(user).get(f"{at_table.url}parts/").json()["parts"] for user in (None, *at_table.users.values())]
    for part in ("status", "board", "more", "decisions", "players", "feed"):
        assert len({each[part] for each in parts}) == 1, part


# -- what a player has and does ----------------------------------------------------------------------


def test_bids_are_sealed_changed_and_taken_back_by_one_form(at_table: AtTable) -> None:
    ann = browser(at_table.users["ann"])
    for typed, counts in (({1: "30", 5: "0"}, {"1": 30}), ({2: "7"}, {"2": 7}), ({}, {})):
        fields = {f"bids[{number}]": typed.get(number, "") for number in range(1, 6)}
        answer = ann.press(at_table.url, "bid", **fields)
        assert answer.status_code == 302
        page = ann.look(at_table.url)
        assert {str(number): int(value_of(page, number)) for number in range(1, 6) if value_of(page, number)} == counts
    assert "You do not bid on any of these numbers." in text_of(page)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("101", "You have 100 tokens, so 100 is the most that you can bid on 2."),
        ("-1", "A bid is a whole number of tokens, 0 or more"),
        ("many", "Type a whole number"),
    ],
)
def test_a_bad_bid_comes_back_with_what_was_typed_and_what_would_be_taken(
    at_table: AtTable, typed: str, says: str
) -> None:
    ann = browser(at_table.users["ann"])
    answer = ann.press(at_table.url, "bid", **{"bids[1]": "5", "bids[2]": typed})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert (value_of(page, 1), value_of(page, 2)) == ("5", typed)
    assert re.search(r'name="bids\[2\]"[^>]* aria-describedby="([^"]+)"', page)
    assert says in text_of(page)


# -- what if -----------------------------------------------------------------------------------------


def ask(client: Any, url: str, *numbers: int, **more: Any) -> str:
    answer = client.get(f"{url}ask/", {"type": "what_if", "numbers": numbers, **more})
    assert answer.status_code == more.pop("status", 200)
    return text_of(answer.content.decode())


# -- the end -----------------------------------------------------------------------------------------


def test_the_winner_is_asked_for_the_candidate_and_the_result_opens_everything(
    present: clock.FixedTime, db: None
) -> None:
    table = AtTable(present, rounds=1, numbers_per_round=50).buy("bob")
    table.bid("ann", **{f"n{number}": 4 for number in range(1, 20)}).bid("bob", n7=3, n20=100).bid("cat", n20=100)
    table.at(25)
    winner = browser(table.users["ann"])
    assert "Name the Elimination Candidate" in text_of(winner.look(table.url))
    open_yet = text_of(winner.look(f"{table.url}result/"))
    assert "Most unique lines: 8." in open_yet
    assert "Every bid" not in open_yet
    assert winner.press(table.url, "name_candidate", player="bob").status_code == 302
    page = text_of(browser().look(f"{table.url}result/"))
    for part in ("Every bid", "What everybody had", "Conditions and lines", "Unique lines", "The seed"):
        assert part in page
    assert "Ann 4 won for 3" in page
    assert "Cat 100" in page


# -- the rules ---------------------------------------------------------------------------------------
