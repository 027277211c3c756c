"""The pages of a match as each kind of viewer gets them, without scripts."""

from __future__ import annotations

import re
from html import unescape
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
        assert "up for auction now" in element(page, f"number-{number}")
    assert 'id="lot-6"' not in page
    assert page.count("still to come") == 45
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


def test_the_history_tells_each_round_in_words(at_table: AtTable) -> None:
    at_table.bid("ann", n1=30, n2=4).bid("bob", n1=20, n3=5).bid("cat", n3=5).at(24)
    page = browser().look(f"{at_table.url}history/")
    second, first = (text_of(part) for part in page.split('id="round-')[1:])
    assert "Round 2" in second
    assert "Round 1" in first
    assert "Ann takes 1 with a bid of 30 and pays 20 tokens." in first


@pytest.mark.parametrize("where", ["", "result/"])
def test_a_number_leads_to_the_table_of_its_round(present: clock.FixedTime, db: None, where: str) -> None:
    """The table, not what it is folded into: a browser opens that for what lies inside."""
    table = AtTable(present, rounds=1, numbers_per_round=50).bid("ann", n1=3).at(200)
    page = browser().look(f"{table.url}{where}")
    assert 'href="#round-1"' in element(page, "number-1")
    assert page.count('<table id="round-1"') == 1
    assert ("Choose a number" in page) == (where == "")


def test_every_collection_has_a_score_sheet_that_says_what_is_missing(at_table: AtTable) -> None:
    at_table.bid("ann", n1=1, n2=1, n3=1).at(24).bid("bob", n7=2).at(48)
    page = browser().look(at_table.url)
    sheet = text_of(page[page.index('id="collection-0"') : page.index('id="collection-1"')])
    assert "17 points" in sheet
    assert "Chains 1–3 (9) 9" in sheet
    assert "Factors 2 (1) 3 (1) 2" in sheet.replace("( ", "(").replace(" )", ")")
    assert "B1 4 numbers of one round not met 3 of 4, in round 1." in sheet
    assert "B3 One number is a sum of two others in two ways not met" in sheet
    assert "A3 The average is one of the numbers met" in sheet


@pytest.mark.parametrize("number", [4, 5])
def test_a_condition_that_one_number_would_meet_names_it(at_table: AtTable, number: int) -> None:
    """Ann owns 1, 2, 3 of a round: there is no fourth to be had once the round has closed."""
    page = text_of(browser().look(at_table.bid("ann", n1=1, n2=1).at(24).url))
    sheet = page[page.index("Collections") :]
    assert "Enough by itself" in sheet
    assert f"B1 4 numbers of one round one more {number}" not in sheet


def test_public_parts_are_the_same_bytes_for_everybody(at_table: AtTable) -> None:
    at_table.bid("ann", n1=30).at(24).bid("ann", n6=3)
    parts = [browser(user).get(f"{at_table.url}parts/").json()["parts"] for user in (None, *at_table.users.values())]
    for part in ("status", "board", "more", "decisions", "players", "feed"):
        assert len({each[part] for each in parts}) == 1, part


def test_before_the_first_round_tokens_can_be_bought_and_nothing_else(present: clock.FixedTime, db: None) -> None:
    table = AtTable(present, pregame="5h")
    page = browser(table.users["ann"]).look(table.url)
    assert "rounds of 5 numbers" in text_of(page)
    assert "Buy 10 tokens for 1 garnet" in text_of(page)
    assert 'name="bids[' not in page
    assert "Collections" not in page


# -- what a player has and does ----------------------------------------------------------------------


def test_sealed_bids_stand_in_their_fields_and_are_listed_in_the_order_in_which_they_count(at_table: AtTable) -> None:
    at_table.bid("ann", n3=50, n1=30, n2=40)
    page = browser(at_table.users["ann"]).look(at_table.url)
    assert [value_of(page, number) for number in range(1, 6)] == ["30", "40", "50", "", ""]
    purse = text_of(page[page.index('id="part-panel"') : page.index('class="table__more"')])
    assert "30 on 1 40 on 2 70 together 50 on 3 dropped" in purse
    assert "at least 30 tokens remain" in purse
    assert "If you do nothing, your 30 on 1, 40 on 2 go through" in purse


def test_bids_are_sealed_changed_and_taken_back_by_one_form(at_table: AtTable) -> None:
    ann = browser(at_table.users["ann"])
    for typed, counts in (({1: "30", 5: "0"}, {"1": 30}), ({2: "7"}, {"2": 7}), ({}, {})):
        fields = {f"bids[{number}]": typed.get(number, "") for number in range(1, 6)}
        answer = ann.press(at_table.url, "bid", **fields)
        assert answer.status_code == 302
        page = ann.look(at_table.url)
        assert {str(number): int(value_of(page, number)) for number in range(1, 6) if value_of(page, number)} == counts
    assert "No bid on any of these numbers." in text_of(page)


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


def test_bids_for_a_round_that_has_closed_are_answered_in_words(at_table: AtTable) -> None:
    at_table.at(24)
    page = browser(at_table.users["ann"]).press(at_table.url, "bid", **{"bids[1]": "5", "bids[2]": ""})
    assert page.status_code == 422
    assert "This round is about 6, 7, 8, 9 and 10" in text_of(page.content.decode())


def test_while_one_types_the_rules_say_what_would_go_through(at_table: AtTable) -> None:
    typed = {"type": "bid", "bids[1]": "30", "bids[2]": "40", "bids[3]": "50", "bids[4]": ""}
    answer = browser(at_table.users["ann"]).post(f"{at_table.url}preview/", typed)
    said = text_of(answer.content.decode())
    assert "If all that fit win at full price: 8 points (+8), 0 of 9 met (−A2), 0 lines alone." in said
    assert "Warning: your bid on 3 would be dropped." in said
    assert "At least 30 tokens remain" in said
    answer = browser(at_table.users["ann"]).post(f"{at_table.url}preview/", {"type": "bid", "bids[1]": "3"})
    assert "If all that fit win at full price: 1 point (+1)," in text_of(answer.content.decode())


def test_tokens_are_bought_at_twice_the_price_each_time_while_garnets_last(at_table: AtTable) -> None:
    ann = browser(at_table.users["ann"])
    for price in ("1 garnet", "2 garnets"):
        assert f"Buy 10 tokens for {price}" in text_of(ann.look(at_table.url))
        assert ann.press(at_table.url, "buy_tokens").status_code == 302
    page = text_of(ann.look(at_table.url))
    assert "120 tokens" in page
    assert "10 for 4 garnets" in page
    assert "Buy 10 tokens" not in page
    assert "You have 0 garnets , which is not enough." in page
    assert "No number yet." in page


# -- what if -----------------------------------------------------------------------------------------


def ask(client: Any, url: str, *numbers: int, **more: Any) -> str:
    answer = client.get(f"{url}ask/", {"type": "what_if", "numbers": numbers, **more})
    assert answer.status_code == more.pop("status", 200)
    return text_of(answer.content.decode())


def test_a_what_if_begins_with_ones_own_numbers(at_table: AtTable) -> None:
    at_table.bid("ann", n1=1, n4=1).at(24)
    page = browser(at_table.users["ann"]).look(f"{at_table.url}ask/")
    ticked = re.findall(r'name="numbers" value="(\d+)" checked', page)
    assert ticked == ["1", "4"]
    assert re.findall(r'name="numbers" value="(\d+)" checked', browser().look(f"{at_table.url}ask/")) == []


def test_a_what_if_is_scored_by_the_rules_with_ones_own_tokens(at_table: AtTable) -> None:
    at_table.bid("ann", n1=1, n4=1).at(24)
    mine = ask(browser(at_table.users["ann"]), at_table.url, 1, 2, 3, 4)
    assert "31 points (+25), 2 of 9 conditions" in mine
    assert "A2 50 tokens left at the end met" in mine
    assert "A2 50 tokens left at the end not met" in ask(browser(), at_table.url, 1, 2, 3, 4)
    assert "type a number of tokens to change that" in ask(browser(), at_table.url, 1)


def test_a_what_if_can_begin_with_what_one_bids_on(at_table: AtTable) -> None:
    """Of 30, 40 and 50 the first two go through, and 30 of 100 tokens remain."""
    ann = browser(at_table.users["ann"])
    assert "As if I won" not in ann.look(at_table.url)
    at_table.bid("ann", n1=30, n2=40, n3=50)
    found = re.search(r'href="([^"]*)" data-try=" 1 2" data-tokens-left="30">As if I won', ann.look(at_table.url))
    assert found
    said = text_of(ann.look(unescape(found[1])))
    assert "A2 50 tokens left at the end not met 30 tokens now" in said
    assert "Chains 1–2 (4) 4" in said
    assert "As if I won" not in browser(at_table.users["bob"]).look(at_table.url)


def test_a_line_that_somebody_else_has_is_called_shared(present: clock.FixedTime, db: None) -> None:
    table = AtTable(present, rounds=1, numbers_per_round=50, decision_time="1h")
    table.bid("ann", **{f"n{number}": 1 for number in range(1, 20)}).at(24)
    said = ask(browser(), table.url, *range(1, 20), tokens=60)
    assert "row A shared with An Ann" in said
    assert "row A alone" in text_of(browser().look(table.url))


def test_numbers_can_be_tried_where_no_match_is_played(db: None) -> None:
    page = browser().look("/games/number_auction/ask/")
    assert page.count('name="numbers"') == 50
    said = ask(browser(), "/games/number_auction/", *range(1, 20), tokens=60)
    assert "658 points , 8 of 9 conditions, 6 lines." in said


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
    assert "Most lines alone: 8." in open_yet
    assert "Every bid" not in open_yet
    assert winner.press(table.url, "name_candidate", player="bob").status_code == 302
    page = text_of(browser().look(f"{table.url}result/"))
    for part in ("Every bid", "What everybody had", "Conditions and lines", "Lines alone", "The seed"):
        assert part in page
    assert "Ann 4 won for 3" in page
    assert "Cat 100" in page


def test_a_match_that_nobody_wins_says_so(present: clock.FixedTime, db: None) -> None:
    table = AtTable(present, rounds=1, numbers_per_round=50).at(200)
    page = text_of(browser().look(f"{table.url}result/"))
    assert "Nobody wins this match" in page
    assert "The best are tied in lines alone (0), conditions met (1) and points (0)." in page
    assert "Nobody bid." in page


# -- the rules ---------------------------------------------------------------------------------------


def test_the_rules_have_this_matchs_numbers_and_not_its_order(present: clock.FixedTime, db: None) -> None:
    order = [number for pair in zip(range(50, 25, -1), range(1, 26), strict=True) for number in pair]
    table = AtTable(present, numbers=order, tokens=77, income=33, round="12h", first_round="6h")
    page = text_of(browser().look(f"{table.url}rules/"))
    assert "77 tokens" in page
    assert "33 tokens" in page
    assert "The first round takes 6 h, each later one 12 h." in page
    for shown in (", ".join(map(str, order[5:10])), " ".join(map(str, order[5:10]))):
        assert shown not in page


def test_the_games_own_page_explains_it_with_the_usual_numbers(db: None) -> None:
    page = text_of(browser().look("/games/number_auction/"))
    assert "10 sealed rounds of 5" in page
    assert "Each round takes 24 h." in page


def test_everybody_is_told_that_a_host_has_set_the_order(at_table: AtTable) -> None:
    for address in (at_table.url, f"{at_table.url}rules/", f"{at_table.url}news/"):
        assert "A host has set the order of the numbers: it is not drawn." in text_of(browser().look(address))
