"""The pages of a match as each kind of viewer gets them, without scripts."""

from __future__ import annotations

import re
from typing import Any

import pytest

from matches.games.the_mvp.pattern import PLACES
from matches.games.the_mvp.tests.at_table import AtTable
from matches.games.the_mvp.tests.table import DECK, GREEN, NAMES, RED, identity
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


def test_the_hexagon_lies_row_over_row_with_what_is_face_up(at_table: AtTable) -> None:
    page = browser().look(at_table.url)
    drawn = re.findall(r'id="card-(\w)"', page)
    assert drawn == list(PLACES), "a lower card must be drawn after those that it lies over"
    assert "U: grape 3, exposed, no flag" in element(page, "card-U")
    assert "P: pear 4, nearly exposed, under U" in element(page, "card-P")
    assert "A: face down, under E and F" in element(page, "card-A")
    states = re.findall(r'<a class="mvp-card mvp-card--(\w+)"', page)
    assert {state: states.count(state) for state in states} == {"hidden": 15, "nearly": 5, "exposed": 4}


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


def test_claimed_cards_lie_with_their_team_and_leave_an_outline(at_table: AtTable) -> None:
    at_table.bid("ann", U=4, V=3).bid("cat", W=1).at(48)
    page = browser().look(at_table.url)
    assert "claimed by team red for 4 chips in round 2" in element(page, "card-U")
    assert "mvp-slot" in element(page, "card-U")
    red = page[page.index('id="team-red"') : page.index('id="team-green"')]
    said = text_of(red)
    assert "3 points" in said
    assert "run of grapes" in said
    assert "3 × 1 = 3" in said
    assert "Still can make" in said
    assert "3 → at most 24" in said
    assert "No card claimed yet." in text_of(page[page.index('id="team-green"') :])


def test_when_the_play_is_over_nothing_more_can_be_made(at_table: AtTable) -> None:
    page = browser().look(at_table.bid("ann", U=4, V=3).bid("cat", W=1).at(72).url)
    assert "Nobody added a chip in round 3" in page
    assert "3 × 1 = 3" in text_of(page)
    for said in ("Still can make", "at most <", "mvp-reach__most", "takes bids", "your chips, standing + added"):
        assert said not in page
    assert "left nearly exposed" in page


def test_public_parts_are_the_same_bytes_for_everybody(at_table: AtTable) -> None:
    at_table.bid("ann", U=4).bid("bob", X=1).at(24).bid("ann", P=3).act("cat", identity("A")).at(25)
    parts = [browser(user).get(f"{at_table.url}parts/").json()["parts"] for user in (None, *at_table.users.values())]
    for part in ("status", "board", "more", "decisions", "players", "feed"):
        assert len({each[part] for each in parts}) == 1, part


def test_the_cards_are_told_as_a_table_too(at_table: AtTable) -> None:
    page = browser().look(at_table.bid("bob", X=3).at(24).url)
    rows = [text_of(row) for row in re.findall(r"<tr>(.*?)</tr>", page[page.index('id="mvp-list"') :], re.DOTALL)]
    assert "X grape 6 exposed – Team green 3" in rows
    assert "A secret face down E, F – –" in rows


# -- what a player has and does ----------------------------------------------------------------------


def test_sealed_bids_stand_in_their_fields_and_in_the_purse_of_their_owner(at_table: AtTable) -> None:
    at_table.bid("ann", U=4, P=2)
    page = browser(at_table.users["ann"]).look(at_table.url)
    assert (value_of(page, "U"), value_of(page, "P"), value_of(page, "V")) == ("4", "2", "")
    purse = text_of(page[page.index('id="part-purse"') : page.index('class="table__more"')])
    for said in (
        "free 24",
        "added 6",
        "You add 2 on P 4 on U",
        "standing 0",
        "4 added",
        "If you do nothing",
    ):
        assert said in purse.replace(" chips", ""), said
    for other in ("cat", "bob"):
        theirs = browser(at_table.users[other]).look(at_table.url)
        assert "4 added" not in text_of(theirs)
        assert value_of(theirs, "U") == ""


def test_a_purchase_says_how_many_chips_there_are_to_add_and_how_many_of_them_are_sealed(at_table: AtTable) -> None:
    ann, typed = browser(at_table.users["ann"]), {"type": "buy_chips", "count": "1"}
    said = text_of(ann.post(f"{at_table.url}preview/", typed).content.decode())
    assert "then you have 31 to add in this round, and " in said
    at_table.bid("ann", U=4)
    said = text_of(ann.post(f"{at_table.url}preview/", typed).content.decode())
    assert "then you have 31 to add in this round, 4 of them sealed already, and " in said


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


def test_a_bid_on_a_card_that_is_gone_is_answered_in_words(at_table: AtTable) -> None:
    at_table.bid("ann", U=4).at(48)
    sent: dict[str, Any] = {"adds[U]": "1"}
    answer = browser(at_table.users["bob"]).press(at_table.url, "bid", **sent)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "U" not in fields(page)
    assert 'class="field__error"' in page


def test_while_one_types_the_rules_say_what_would_come_of_it(at_table: AtTable) -> None:
    at_table.bid("ann", U=4).at(24)
    ann = browser(at_table.users["ann"])
    typed = {"type": "bid", "adds[U]": "2", "adds[P]": "3", "adds[V]": ""}
    said = text_of(ann.post(f"{at_table.url}preview/", typed).content.decode())
    assert "add 5 chips and keep 21" in said
    assert "your 3 wait until the card is exposed" in said
    assert "red has 6 with yours and claims it, unless green has 7 or more" in said
    said = text_of(ann.post(f"{at_table.url}preview/", {"type": "buy_chips", "count": "2"}).content.decode())
    assert "2 chips for 2 garnets" in said
    said = text_of(ann.post(f"{at_table.url}preview/", {"type": "ask_location", "card": "grape-3"}).content.decode())
    assert "Warning: you know it already: U" in said


def test_questions_are_asked_by_form_and_answered_to_their_owner_alone(at_table: AtTable) -> None:
    ann = browser(at_table.users["ann"])
    assert ann.press(at_table.url, "ask_identity", place="A").status_code == 302
    assert ann.press(at_table.url, "ask_location", card="apple-2").status_code == 302
    assert "told when round 1 closes" in text_of(ann.look(at_table.url))
    assert 'data-known="' not in ann.look(at_table.url)
    at_table.bid("bob", X=1).at(24)
    page = ann.look(at_table.url)
    assert re.findall(r'data-known="(\w)" data-card="([\w-]+)"', page) == [("A", "apple-1"), ("B", "apple-2")]
    for other in ("cat", "bob"):
        assert 'data-known="' not in browser(at_table.users[other]).look(at_table.url)


def test_a_card_that_was_chosen_by_a_link_leads_to_its_field_or_question(at_table: AtTable) -> None:
    ann = browser(at_table.users["ann"])
    page = ann.look(f"{at_table.url}?lot=V")
    assert "data-first-field" in element(page, "bid-adds_V_")
    page = ann.look(f"{at_table.url}?lot=A")
    assert re.search(r'<details [^>]*id="ask-identity" open>', page)
    assert '<option value="A" selected>' in element(page, "ask_identity-place")


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


def test_the_last_round_offers_exposed_cards_alone(present: clock.FixedTime, db: None) -> None:
    table = AtTable(present, max_rounds=1)
    page = browser(table.users["ann"]).look(table.url)
    assert fields(page) == ["U", "V", "W", "X"]
    assert "only exposed cards take bids" in text_of(page)
    assert "nearly exposed: takes no bids in the last round" in text_of(page)
    assert "takes bids, no flag yet" not in text_of(page)


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


def test_a_match_without_a_bid_ends_equal(at_table: AtTable) -> None:
    page = text_of(browser().look(f"{at_table.at(24).url}result/"))
    assert "The teams are tied" in page
    assert "No card was claimed." in page


# -- lists and rules ---------------------------------------------------------------------------------


def test_a_list_shows_the_score_of_both_teams(at_table: AtTable) -> None:
    at_table.bid("ann", U=4).at(48)
    page = browser().look("/matches/")
    assert page.count("mvp-mini__card ") == 24
    assert "Team red 0 1 card" in text_of(page)


def test_the_rules_have_this_matchs_numbers_and_not_its_deck(present: clock.FixedTime, db: None) -> None:
    table = AtTable(present, chips=44, max_rounds=7, location_price=9, points_per_garnet=8, round="12h")
    page = browser().look(f"{table.url}rules/")
    said = text_of(page)
    for shown in ("44 chips", "there are at most 7", "9 garnets", "each 8 points", "each later one 12 h"):
        assert shown in said, shown
    assert not re.search(r"(apple|lemon|pear|grape)[- ][1-6]", page)


def test_the_rules_leave_nothing_of_the_end_open(at_table: AtTable) -> None:
    for rules in map(text_of, (browser().look(f"{at_table.url}rules/"), browser().look("/games/the_mvp/"))):
        assert "30 chips ; you can only get more by buying them" in rules
        assert "no other income" not in rules
        assert "to a player who has none and is not the candidate" in rules
        assert "Missing votes are drawn, and so is a tie." in rules
        assert "nobody gets any; the winners still win and vote" in rules
        assert "of their own team, rounded down" in rules


def test_the_games_own_page_explains_it_with_the_usual_numbers(db: None) -> None:
    page = text_of(browser().look("/games/the_mvp/"))
    assert "30 chips" in page
    assert "there are at most 13" in page


def test_both_teams_are_named_with_their_players(at_table: AtTable) -> None:
    page = browser().look(at_table.url)
    for team, players in (("red", RED), ("green", GREEN)):
        said = text_of(page[page.index(f'id="team-{team}"') :])[:200]
        assert all(who.capitalize() in said for who in players)


def test_the_list_of_players_names_the_teams_that_the_match_has_dealt(at_table: AtTable) -> None:
    page = browser().look(at_table.url)
    people = page[page.index('id="part-players"') :]
    for number, who in enumerate(NAMES):
        line = people[people.index(f'data-owner="{number}"') :].split("</li>", 1)[0]
        team, other = ("red", "green") if who in RED else ("green", "red")
        assert who.capitalize() in line
        assert f">{team}<" in line
        assert f">{other}<" not in line


def test_everybody_is_told_that_a_host_has_set_the_deck(at_table: AtTable) -> None:
    for address in (at_table.url, f"{at_table.url}rules/", f"{at_table.url}news/"):
        assert "A host has set the deck: it is not drawn." in text_of(browser().look(address))


def test_a_round_of_the_history_is_named_by_its_heading_alone(at_table: AtTable) -> None:
    page = text_of(browser().look(f"{at_table.url}history/"))
    assert "Round 1 of at most" in page
    assert "is open." not in page
