"""The pages of a match as each kind of viewer gets them, without scripts."""

from __future__ import annotations

import re
from html import unescape

import pytest

from matches.games.coin_collectors.tests.at_table import ODD, SECRET, AtTable
from matches.games.coin_collectors.tests.table import auction, lift, round_of
from matches.models import clock
from tests.games.reading import part, steady, text_of
from tests.web.conftest import browser

TREASURY = {"gold": 1, "silver": 1}


def inputs(html: str) -> dict[str, str]:
    """The number fields of the form that have something in them."""
    found = re.findall(r'name="(bids\[[^"]*)" [^>]*value="([^"]*)"', part(html, 'id="part-act"'))
    return {unescape(name): value for name, value in found if value}


# -- the board ---------------------------------------------------------------------------------------


def test_before_the_first_round_nothing_of_it_is_shown(db: None, present: clock.FixedTime) -> None:
    table = AtTable(present)
    for who in (None, "ann", "dora"):
        page = browser(table.users[who] if who else None).look(table.url)
        assert "Round 1 is not open yet" in page
        assert "Treasury" not in page
        assert "Crow&#x27;s nest" not in page
    assert "Mon 2 Mar, 14:00 UTC" in page


def test_the_auctions_of_the_round_stand_on_cards_with_their_prizes(at_table: AtTable) -> None:
    page = unescape(browser().look(at_table.url))
    card = part(page, 'data-lot="Treasury"', "</ul>")
    assert text_of(f"<a {card}") == "Treasury 2 gold 5 silver"
    assert card.count('<i class="coin-stack__coin"></i>') == 2 + 5
    assert f'data-lot="{ODD}"' in page
    assert "bid on up to 2 auctions, with up to 2 coins on each" in text_of(page)


def test_items_are_explained_from_the_round_on_in_which_they_appear(at_table: AtTable) -> None:
    page = text_of(browser().look(at_table.url))
    assert "Crow's nest since round 1" in page
    assert "Smelter's secret" not in page
    assert "Smelter's secret since round 3" in text_of(browser().look(at_table.at(72).url))


@pytest.mark.parametrize("suffix", ["", "parts/", "rules/", "history/", "news/", "ask/?type=shares"])
@pytest.mark.parametrize("who", [None, "ann", "eve"])
def test_no_page_tells_of_rounds_to_come(at_table: AtTable, suffix: str, who: str | None) -> None:
    at_table.at(50)
    page = browser(at_table.users[who] if who else None).get(f"{at_table.url}{suffix}").content.decode()
    assert SECRET not in page
    assert "Smelter" not in page


def test_earlier_rounds_say_what_was_offered_and_not_what_was_bid(at_table: AtTable) -> None:
    at_table.bid("ann", {"Treasury": TREASURY}).at(48)
    page = browser(at_table.users["bob"]).look(at_table.url)
    past = text_of(part(page, 'id="past-1"', "</details>"))
    assert "Treasury 2 gold coins 5 silver coins" in past
    assert "Ann" not in past
    assert "bids stay sealed" in page


def test_afterwards_everybody_sees_everybodys_coins_and_still_no_bid(at_table: AtTable) -> None:
    at_table.bid("ann", {"Treasury": TREASURY}).at(96)
    board = text_of(part(browser().look(at_table.url), 'id="standings"', "</table>"))
    assert re.search(r"Ann most gold most coins 2 7 1 10", board), board
    result = browser().look(f"{at_table.url}result/")
    assert "Everybody's bids, items and garnets are opened when the match is finished." in result
    assert "opened-1" not in result


# -- the player's own --------------------------------------------------------------------------------


def test_what_is_sealed_fills_the_form_and_stands_with_its_time(at_table: AtTable) -> None:
    at_table.at(26).bid("ann", {ODD: {"silver": 1}, "Treasury": {"gold": 1}}, **lift("bid"))
    page = browser(at_table.users["ann"]).look(at_table.url)
    counts = text_of(part(page, 'class="submission__counts"', "</section>"))
    assert "16:00 UTC" in counts
    assert f"{ODD} 1 silver coin Treasury 1 gold coin Bid limit lifted Costs 1 garnet at the close" in counts
    assert "If you do nothing, what you sealed counts when the round closes" in counts
    assert inputs(page) == {"bids[St.%20Mary%27s%20%5Bold%5D%20%26%20co][silver]": "1", "bids[Treasury][gold]": "1"}
    assert re.search(r'name="lift_bid_limit"[^>]* checked', page)
    assert "Seal this instead" in page


def test_nothing_of_it_shows_to_others(at_table: AtTable) -> None:
    others = [browser(at_table.users[who] if who else None) for who in (None, "bob", "eve")]
    before = [steady(each.look(at_table.url)) for each in others]
    at_table.bid("ann", {"Treasury": TREASURY})
    assert [steady(each.look(at_table.url)) for each in others] == before


def test_sealing_answers_with_a_receipt_that_names_everything(at_table: AtTable) -> None:
    ann = browser(at_table.users["ann"])
    fields = {f"bids[{ODD.replace('[', '%5B').replace(']', '%5D')}][silver]": "1", "bids[Treasury][gold]": "1"}
    answer = ann.press(at_table.url, "bid", htmx=True, **fields, lift_auction_limit="true")
    assert answer["X-Match-Answer"] == "accepted"
    said = f"Sealed for round 1: 1 silver on {ODD}; 1 gold on Treasury; auction limit lifted; 14:00:00 UTC."
    assert said in unescape(answer.content.decode())
    answer = ann.press(at_table.url, "bid", htmx=True)
    assert "Sealed for round 1: no bids; 14:00:00 UTC." in answer.content.decode()


def test_before_the_first_round_no_button_promises_a_move(db: None, present: clock.FixedTime) -> None:
    """On a phone it would open a sheet that says that there is nothing to do."""
    table = AtTable(present).at(1)
    page = browser(table.users["ann"]).look(table.url)
    act = part(page, 'id="part-act"', 'id="part-panel"')
    assert re.match(r'id="part-act"><section [^>]*data-nothing-asked>', act)
    assert "Nothing to do yet" in act


def test_a_refusal_stands_at_the_very_field_and_keeps_what_was_typed(at_table: AtTable) -> None:
    ann = browser(at_table.users["ann"])
    answer = ann.press(at_table.url, "bid", htmx=True, **{"bids[Treasury][gold]": "5", "bids[Treasury][silver]": "1"})
    assert answer.status_code == 422
    html = answer.content.decode()
    field = re.search(r'<input id="([^"]+)" name="bids\[Treasury\]\[gold\]"[^>]*>', html)
    assert field is not None
    assert 'aria-invalid="true"' in field[0]
    assert 'value="5"' in field[0]
    assert "You have 1 gold coin" in part(html, f'id="{field[1]}-error"', "</p>")


def test_a_limit_that_is_broken_is_told_at_the_auction_or_above_the_form(db: None, present: clock.FixedTime) -> None:
    table = AtTable(present, rounds=[round_of(auction("Mill"), auction("Mint"), auction_limit=1, bid_limit=2)]).at(24)
    ann = browser(table.users["ann"])
    answer = ann.press(table.url, "bid", htmx=True, **{"bids[Mint][gold]": "1", "bids[Mint][silver]": "2"})
    html = answer.content.decode()
    assert "this round allows 2 on one auction" in html[html.index('data-bid-on="Mint"') :]
    answer = ann.press(table.url, "bid", htmx=True, **{"bids[Mint][gold]": "1", "bids[Mill][silver]": "1"})
    assert "You bid on 2 auctions; this round allows 1." in answer.content.decode().split("<hx-partial")[0]


def test_the_forecast_says_what_is_at_risk(at_table: AtTable) -> None:
    ann = browser(at_table.users["ann"])
    sent = {"type": "bid", "bids[Treasury][gold]": "1", "bids[Treasury][silver]": "1", "lift_bid_limit": "true"}
    said = text_of(ann.post(f"{at_table.url}preview/", sent).content.decode())
    assert said.startswith(
        "Warning: The garnet for the bid limit would be used up for nothing: your highest bid is 2 coins"
    )
    assert "At worst 1 gold coin on Treasury is spent; 1 silver coin surely comes back." in said
    assert "you would still have 2 silver coins 1 bronze coin , and what you win" in said
    assert "It costs 1 garnet ; you keep 0." in said


def test_an_item_without_its_target_is_told_at_the_target_in_words(at_table: AtTable) -> None:
    at_table.bid("ann", {ODD: {"silver": 1}}).at(48)
    ann, typed = browser(at_table.users["ann"]), {"items[0][item]": "spyglass", "items[0][auction]": ""}
    said = text_of(ann.post(f"{at_table.url}preview/", {"type": "bid", **typed}).content.decode())
    assert said == "Still missing: the auction."
    answer = ann.press(at_table.url, "bid", htmx=True, **typed)
    assert answer.status_code == 422
    html = answer.content.decode()
    field = re.search(r'<select id="([^"]+)" name="items\[0\]\[auction\]"[^>]*>', html)
    assert field is not None
    assert 'aria-invalid="true"' in field[0]
    assert "Still missing: the auction." in part(html, f'id="{field[1]}-error"', "</p>")


def test_an_account_tells_tier_by_tier_what_ones_coins_brought(at_table: AtTable) -> None:
    """Two gold split nothing among three; ann's silver is alone."""
    at_table.bid("ann", {"Treasury": TREASURY})
    for who in ("bob", "cat"):
        at_table.bid(who, {"Treasury": {"gold": 1}})
    at_table.at(48)
    own = text_of(part(browser(at_table.users["ann"]).look(at_table.url), 'id="account-1"', "</details>"))
    assert "you bid 1 gold coin 1 silver coin" in own
    assert "for 1 gold 1 silver coin for 1 silver 2 gold coins 2 silver coins" in own
    assert "spent 1 gold coin back 1 silver coin received 2 gold coins 3 silver coins" in own
    others = text_of(part(browser(at_table.users["bob"]).look(at_table.url), 'id="account-1"', "</details>"))
    assert "received 1 silver coin" in others
    assert "Ann" not in own + others


def test_an_item_has_a_row_with_its_targets_and_shows_what_it_spied(at_table: AtTable) -> None:
    at_table.bid("ann", {ODD: {"silver": 1}}).at(48)
    ann = browser(at_table.users["ann"])
    row = part(ann.look(at_table.url), 'name="items[0][item]"', 'class="tray tray--lift"')
    assert '<option value="Harbour">' in row
    assert "items[0][coin]" not in row
    answer = ann.press(at_table.url, "bid", htmx=True, **{"items[0][item]": "spyglass", "items[0][auction]": "Harbour"})
    assert "Crow&#x27;s nest" in answer.content.decode()
    at_table.bid("bob", {"Harbour": {"bronze": 1}}).at(72)
    spied = text_of(part(ann.look(at_table.url), 'class="fold account__spied"', "</details>"))
    assert "1 bronze coin bid for 3 gold coins 4 bronze coins" in spied
    assert "Bob 1 of 1" in spied
    assert "account__spied" not in browser(at_table.users["bob"]).look(at_table.url)


def test_lifting_is_offered_only_to_those_who_can_pay(db: None, present: clock.FixedTime) -> None:
    table = AtTable(present, limit_price=2).at(24)
    page = browser(table.users["ann"]).look(table.url)
    assert "You have 1 garnet , which is not enough" in text_of(page)
    assert re.search(r'name="lift_bid_limit"[^>]* disabled', page)


# -- the end and the rules ---------------------------------------------------------------------------


def test_the_result_opens_every_auction_tier_by_tier(at_table: AtTable) -> None:
    at_table.bid("ann", {"Treasury": TREASURY}).bid("bob", {"Treasury": {"silver": 1}}, **lift("auction")).at(24 * 7)
    page = browser().look(f"{at_table.url}result/")
    opened = text_of(part(page, 'id="opened-1"', "</details>"))
    assert "1 gold coin bid for 2 gold coins 5 silver coins" in opened
    assert "2 silver coins bid for nothing" in opened
    assert "Auction limit lifted Paid 1 garnet" in opened
    assert SECRET in page
    assert "Everybody's coins" in text_of(page)


def test_five_tokens_are_none_and_the_pages_say_so(db: None, present: clock.FixedTime) -> None:
    table = AtTable(present, rounds=[round_of(auction("Hall", bronze=1))]).at(24 * 5)
    assert "nobody gets one" in text_of(browser().look(table.url))
    assert "five Tokens of Life or more, so nobody gets any" in browser().look(f"{table.url}result/")


def test_the_rules_have_the_matchs_own_numbers(db: None, present: clock.FixedTime) -> None:
    table = AtTable(present, round="12h", limit_price=3, garnet_credit=True).at(24)
    rules = text_of(browser().look(f"{table.url}rules/"))
    assert "There are 3 rounds, each of 12 h." in rules
    assert "or for 3 garnets , which may take your garnets below zero in this match" in rules
    assert "Crow's nest" in rules


def test_the_rules_leave_nothing_of_the_end_open(db: None, present: clock.FixedTime) -> None:
    table = AtTable(present, decision_time="7h").at(24)
    for rules in map(text_of, (browser().look(f"{table.url}rules/"), browser().look("/games/coin_collectors/"))):
        assert "gives the other to a player who has none, never to the candidate" in rules
        assert "if nobody can get it, it lapses" in rules
        assert "nobody gets any, and nobody has won" in rules
        assert "Missing votes are drawn, and so is a tie; without winners the candidate is drawn" in rules
        assert "unless its description says that it is kept then" in rules
        assert "all of it if nobody bid gold" in rules


@pytest.mark.django_db
def test_the_games_own_page_explains_all_items_and_has_the_calculator() -> None:
    page = browser().look("/games/coin_collectors/")
    assert "Each round lasts 24 h." in text_of(page)
    for name in ("Wide net", "Deep pockets", "Ghost coin", "Insurance", "Spyglass", "Alchemy"):
        assert name in page
    assert "Royal vault" not in page
    assert 'action="/games/coin_collectors/ask/#ask-section-shares"' in page
