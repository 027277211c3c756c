"""What the forms of this game say: before a bid, at a refusal, and to the winner."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from matches.models import Submission
from matches.models.clock import FixedTime
from matches.queries.matches import Position
from tests.fixtures.present import START
from tests.web.conftest import Table, browser, error_at


def test_a_seat_that_is_won_is_refused_at_the_seat(auction: Table) -> None:
    auction.at(30).bid("cat", "X", 2).at(49)
    cat = browser(auction.users["cat"])
    page = cat.press(auction.url, "bid", seat="Z", amount="9").content.decode()
    assert "Z is won, for 5." in error_at(page, "bid", "seat")


def test_a_standing_raise_without_its_maximum_is_told_at_the_maximum(auction: Table) -> None:
    auction.at(30).bid("cat", "X", 2)
    page = browser(auction.users["cat"]).press(auction.url, "raise", seat="X", up_to="").content.decode()
    assert "This is still missing." in error_at(page, "raise", "up_to")


def test_the_fee_is_refused_at_the_form(present: FixedTime, db: None) -> None:
    table = Table(present, fee_after="1h", fee=50).open().at(24).bid("ann", "Y", 4).at(26)
    page = browser(table.users["bob"]).press(table.url, "bid", seat="X", amount="1").content.decode()
    assert "Each new bid now costs 50 garnets; you have 6" in page
    panel = " ".join(page[page.index('id="part-panel"') :].split())
    assert "You cannot bid now: each new bid costs" in panel
    assert "What you can bid, seat by seat" not in panel


def test_buying_more_chips_than_garnets_pay_for_says_how_many_would_do(table: Table) -> None:
    page = browser(table.users["ann"]).press(table.url, "buy_chips", count="9").content.decode()
    assert "you can buy at most 3" in error_at(page, "buy_chips", "count")
    assert 'value="9"' in page


def test_a_sealed_bid_is_made_replaced_and_taken_back(table: Table) -> None:
    ann = browser(table.users["ann"])
    assert "You have sealed nothing yet." in ann.look(table.url)
    assert ann.press(table.url, "bid", seat="Z", amount="3").status_code == 302
    page = ann.look(table.url)
    # In the sheet itself, which lies over all else on a phone.
    assert "Sealed now: <strong>3 on Z</strong>." in page
    assert "Seal this instead" in page
    assert "Sealed: 3 on Z, 14:00:00 UTC. This is what counts now." in page
    assert 'form="act-withdraw"' in page
    ann.press(table.url, "bid", seat="Y", amount="2")
    assert "your sealed bid of 2 on Y is judged" in ann.look(table.url)
    ann.press(table.url, "withdraw")
    page = ann.look(table.url)
    assert "No sealed bid." in page
    assert 'form="act-withdraw"' not in page
    again = ann.press(table.url, "withdraw")
    assert again.status_code == 422
    assert "You have no sealed bid to take back" in again.content.decode()


def test_a_sealed_bid_is_in_the_fields_ready_to_be_changed(table: Table) -> None:
    ann = browser(table.users["ann"])
    assert fields_of_bid(ann.look(table.url)) == ("", "")
    ann.press(table.url, "bid", seat="Z", amount="3")
    assert fields_of_bid(ann.look(table.url)) == ("Z", "3")
    assert fields_of_bid(browser(table.users["bob"]).look(table.url)) == ("", "")
    # The address names another seat: the reader came for that one.
    assert fields_of_bid(ann.look(f"{table.url}?lot=Y")) == ("Y", "")
    assert fields_of_bid(ann.look(f"{table.url}?lot=Z")) == ("Z", "3")
    refused = ann.press(table.url, "bid", seat="Y", amount="99").content.decode()
    assert fields_of_bid(refused) == ("Y", "99")
    table.at(25)
    assert fields_of_bid(ann.look(table.url)) == ("", "")


def fields_of_bid(page: str) -> tuple[str, str]:
    """The seat and the amount that the form shows."""
    seats = re.search(r'<select id="bid-seat".*?</select>', page, re.DOTALL)
    amount = re.search(r'<input id="bid-amount"[^>]*? value="([^"]*)"', page)
    assert seats
    assert amount
    chosen = re.search(r'<option value="(\w*)"\s+selected', seats[0])
    return chosen[1] if chosen else "", amount[1]


def test_sealed_bids_are_closed_in_the_last_hour_and_the_page_says_until_when(table: Table) -> None:
    table.at(23.5)
    ann = browser(table.users["ann"])
    page = ann.look(table.url)
    assert "Sealed bids are closed" in page
    assert 'name="seat"' not in page
    refused = ann.press(table.url, "bid", seat="Z", amount="3")
    assert refused.status_code == 422
    assert "Sealed bids are closed. Until the auction opens you can only buy chips." in refused.content.decode()


# -- beforehand --------------------------------------------------------------------------------------


def forecast(table: Table, name: str, kind: str, **fields: str) -> str:
    answer = browser(table.users[name]).post(f"{table.url}preview/", {"type": kind, **fields})
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_forecast_says_what_would_happen_and_stores_nothing(auction: Table) -> None:
    before = Submission.objects.count(), auction.match.public_version
    good = forecast(auction, "cat", "bid", seat="X", amount="2")
    assert "submission__forecast--good" in good
    assert "2 is free: you would stand on X and win it in 24 h" in good
    bad = forecast(auction, "cat", "bid", seat="X", amount="5")
    assert "submission__forecast--bad" in bad
    assert "The lowest that X takes is 1." in bad
    assert "Type a whole number" in forecast(auction, "cat", "bid", seat="X", amount="z")
    assert (Submission.objects.count(), auction.match.public_version) == before


def test_the_forecast_says_what_things_cost(auction: Table) -> None:
    assert "3 chips for 6 garnets; you have 6." in forecast(auction, "cat", "buy_chips", count="3")
    assert "The bid costs" not in forecast(auction, "cat", "bid", seat="X", amount="2")
    auction.present.instant = START
    table = Table(auction.present, fee_after="1h", fee=1, chip_price=1).open().at(26)
    assert "The bid costs 1 garnet," in forecast(table, "cat", "bid", seat="X", amount="2")
    assert "1 chip for 1 garnet; you have 6." in forecast(table, "cat", "buy_chips", count="1")


def test_a_bid_whose_timer_outlasts_the_stop_is_promised_nothing(present: FixedTime, db: None) -> None:
    table = Table(present, stop_after="30h").open().at(40)
    assert "everything stops before the timer ends" in forecast(table, "cat", "bid", seat="X", amount="2")
    page = browser(table.bid("cat", "X", 2).users["cat"]).look(table.url)
    assert "cancelled at the stop" in page
    assert "is cancelled</span>" in page
    assert ">wins</span>" not in page


def test_a_standing_raise_is_promised_nothing_either_once_it_is_too_late(present: FixedTime, db: None) -> None:
    late = "everything stops before the timer of a new bid ends"
    table = Table(present, stop_after="30h").open().at(24).bid("cat", "X", 2)
    assert late not in forecast(table, "cat", "raise", seat="X", up_to="5")
    table.at(40)
    for seat in ("X", "Y"):  # where cat stands, and where not
        assert late in forecast(table, "cat", "raise", seat=seat, up_to="5")


def test_a_sealed_bid_that_the_stop_would_cancel_is_promised_nothing(present: FixedTime, db: None) -> None:
    table = Table(present, stop_after="23h").open()
    assert "everything stops before the timer ends" in forecast(table, "cat", "bid", seat="X", amount="2")
    table.bid("cat", "X", 2).at(24 * 3)
    assert table.match.status == table.match.Status.FINISHED
    assert Position(table.match).public.winners == ()


def test_a_standing_raise_says_what_its_bids_cost_now_or_from_when_on(present: FixedTime, db: None) -> None:
    table = Table(present, fee_after="2h", fee=1).open().at(25)
    for kind, fields in (("raise", {"seat": "X"}), ("bid", {"seat": "X", "amount": "2"})):
        said = " ".join(forecast(table, "cat", kind, up_to="5", **fields).split())
        assert "From Mon 2 Mar, 16:00 UTC each of them costs 1 garnet." in said, kind
    table.at(26)
    for kind, fields in (("raise", {"seat": "X"}), ("bid", {"seat": "X", "amount": "2"})):
        assert "Each of these bids costs 1 garnet." in forecast(table, "cat", kind, up_to="5", **fields), kind
    free = Table(present, fee=0).open().at(25)
    assert "costs" not in forecast(free, "cat", "raise", seat="X", up_to="5")


def test_in_practice_where_time_stands_still_no_instant_is_named_for_the_fee(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("practice.services.new_seed", lambda: bytes(range(32)).hex())
    ann, url = browser(table.users["ann"]), "/games/lowest_unique_integer/practice/"
    for do in ("begin", "on"):
        ann.post(url, {"do": do})
    sent = {"type": "raise", "seat": "Z", "up_to": "19"}
    said = " ".join(ann.post(f"{url}preview/", sent).content.decode().split())
    assert "Once the fee begins each of them costs 1 garnet." in said


def test_the_forecast_judges_what_is_due_even_if_nobody_has_passed_it_yet(auction: Table) -> None:
    auction.at(30).bid("cat", "X", 2)
    auction.present.instant += timedelta(hours=19)
    assert "Z is won, for 5." in forecast(auction, "cat", "bid", seat="Z", amount="9")


# -- decisions ---------------------------------------------------------------------------------------


def test_the_winner_is_asked_and_names_the_candidate(db: None, present: FixedTime) -> None:
    table = Table(present).open().at(24).bid("ann", "V", 1).at(50)
    ann = browser(table.users["ann"])
    page = ann.look(table.url)
    assert "Name the Elimination Candidate." in page
    assert 'value="bob" form="act-name_candidate"' in page
    nobody = ann.press(table.url, "name_candidate")
    assert "Still missing: the player." in error_at(nobody.content.decode(), "name_candidate", "player")
    wrong = ann.press(table.url, "name_candidate", player="ann")
    assert "You may choose bob or cat." in error_at(wrong.content.decode(), "name_candidate", "player")
    assert ann.press(table.url, "name_candidate", player="bob").status_code == 302
    assert "bob named as Elimination Candidate" in ann.look(table.url)
    assert "Name the Elimination Candidate." not in browser(table.users["cat"]).look(table.url)


# -- what a player needs to decide -------------------------------------------------------------------


def test_missing_chips_are_bought_at_the_forecast_that_misses_them(auction: Table) -> None:
    said = forecast(auction, "cat", "bid", seat="X", amount="18")
    assert "16 of your 16 chips are free" in said
    button = re.search(r'<button [^>]*form="act-buy_chips"[^>]*name="count" value="2"[^>]*>([^<]*)<', said)
    assert button
    assert button[1].strip() == "Buy 2 chips for 4 garnets"
    assert "<button" not in forecast(auction, "cat", "bid", seat="X", amount="20"), "6 garnets buy 3 chips"
    cat = browser(auction.users["cat"])
    # The button stands before the form's own field, which is empty.
    sent = cat.post(f"{auction.url}act/", {"type": "buy_chips", "count": ["2", ""]})
    assert sent.status_code == 302
    assert "submission__forecast--good" in forecast(auction, "cat", "bid", seat="X", amount="18")


def test_only_seats_that_take_a_bid_can_be_chosen(auction: Table) -> None:
    def seats(name: str) -> str:
        page = browser(auction.users[name]).look(auction.url)
        form = page[page.index('form="act-bid"') : page.index('form="act-bid"', page.index("</select>"))]
        return "".join(re.findall(r'<option value="(\w)"', form))

    assert seats("cat") == "RSTUVWXYZ"
    assert seats("ann") == "RSTUVWXZ"
    auction.at(30).bid("cat", "X", 2).at(49)  # Y and Z are won
    assert seats("cat") == "RSTUVW"
    assert seats("ann") == "RSTUVWX"


def test_players_see_how_it_stands_if_nobody_bids_any_more(auction: Table) -> None:
    page = browser(auction.users["cat"]).look(auction.url)
    words = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "If nobody bids any more, you have no token and 16 chips: with 16 or more you can become" in words
    assert "wins with 4 on Y" in words
    assert "R 1–3, 6–16" in words
    ann = " ".join(re.sub(r"<[^>]+>", " ", browser(auction.users["ann"]).look(auction.url)).split())
    assert "If nobody bids any more, you win , have 4 Tokens of Life and are safe." in ann
    assert "If nobody bids any more, you" not in browser().look(auction.url)


# -- standing raises -----------------------------------------------------------------------------------


def test_a_standing_raise_is_made_with_a_bid_shown_changed_and_withdrawn(auction: Table) -> None:
    cat = browser(auction.users["cat"])
    assert 'name="up_to"' in cat.look(auction.url)
    cat.press(auction.url, "bid", seat="X", amount="2", up_to="9")
    page = cat.look(auction.url)
    assert "Bid 2 on X placed, with a standing raise up to 9," in page
    assert "Standing raise on <strong>X</strong> up to 9" in page
    assert "if you are outbid, you are raised on X up to 9" in page
    cat.press(auction.url, "raise", seat="X", up_to="12")
    assert "Standing raise on <strong>X</strong> up to 12" in cat.look(auction.url)
    cat.press(auction.url, "withdraw_raise", seat="X")
    page = cat.look(auction.url)
    assert "Standing raise on X withdrawn," in page
    assert "Standing raise on <strong>X</strong>" not in page
    assert cat.press(auction.url, "withdraw_raise", seat="X").status_code == 422


def test_a_maximum_that_cannot_be_is_refused_at_its_field(auction: Table) -> None:
    cat = browser(auction.users["cat"])
    page = cat.press(auction.url, "bid", seat="X", amount="2", up_to="2").content.decode()
    assert "The maximum for X must be 3 or more." in error_at(page, "bid", "up_to")
    page = cat.press(auction.url, "raise", seat="X", up_to="99").content.decode()
    assert "the maximum can be 16 at most" in error_at(page, "raise", "up_to")


def test_the_forecast_of_a_standing_raise_and_who_stands_by_now(auction: Table) -> None:
    said = forecast(auction, "cat", "bid", seat="X", amount="2", up_to="9")
    assert "When you are outbid, you are raised at once, up to 9" in said
    assert "1 or more would be bid on X for you now" in forecast(auction, "cat", "raise", seat="X", up_to="9")
    browser(auction.users["cat"]).press(auction.url, "bid", seat="X", amount="2", up_to="9")
    assert "When you are outbid on X" in forecast(auction, "cat", "raise", seat="X", up_to="12")
    # On a page that stays the sentence is said aloud too, from an attribute: there is nothing but words in it.
    answer = browser(auction.users["bob"]).press(auction.url, "bid", htmx=True, seat="X", amount="6").content.decode()
    sentence = r"Bid 6 on X placed, [0-9:]+ UTC\. By now cat stands there with 7\."
    assert re.search(rf'data-said="{sentence}\s*" data-part="[^"]+">.*<span>{sentence}', answer, re.DOTALL)


def test_where_hosts_forbid_them_no_form_offers_a_standing_raise(present: FixedTime, db: None) -> None:
    table = Table(present, forbid_raises=True).open().at(24)
    page = browser(table.users["cat"]).look(table.url)
    assert 'name="up_to"' not in page
    assert "forbidden in this match" in browser(table.users["cat"]).look(f"{table.url}rules/")
