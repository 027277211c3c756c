"""Forms: what is sent counts once, what is refused comes back as it was typed, with the reason at its field."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse

from matches.models import Submission
from matches.services.actions import Answer
from matches.services.group.queue import submit
from matches.web.views import acting
from tests.web.conftest import Table, browser, error_at


def test_a_bid_is_placed_without_scripts_and_the_next_page_says_so(auction: Table) -> None:
    cat = browser(auction.users["cat"])
    answer = cat.press(auction.url, "bid", key=cat.key_of(auction.url, "bid"), seat="X", amount="2")
    assert answer.status_code == 302
    assert answer["Location"] == f"{auction.url}#"
    page = cat.look(auction.url)
    assert "Bid 2 on X placed, 14:00:00 UTC." in page
    assert 'id="lot-X"' in page
    assert 'data-amount="2"' in page


REJECTIONS = [
    ({"seat": "Q", "amount": "3"}, "seat", "There is no such seat. The seats are R to Z."),
    ({"seat": "X", "amount": "-2"}, "amount", "Bid a positive whole number of chips"),
    ({"seat": "Z", "amount": "5"}, "amount", "A bid of 5 stands on Z."),
    ({"seat": "X", "amount": "13"}, "amount", "12 of your 16 chips are free"),
    ({"seat": "X", "amount": "13"}, "amount", "Buy 1 chip for 2 garnets"),
    ({"seat": "X", "amount": "many"}, "amount", "Enter a whole number, such as 3."),
    ({"seat": "X", "amount": "٣"}, "amount", "Enter a whole number, such as 3."),
    ({"seat": "X", "amount": "9" * 40}, "amount", "That number is too large."),
    ({"seat": "X", "amount": ""}, "amount", "Fill in the amount."),
    ({"amount": "3"}, "seat", "Choose a seat."),
]


@pytest.mark.parametrize("htmx", [False, True])
def test_a_refused_bid_comes_back_as_typed_with_the_reason_at_its_field(auction: Table, htmx: bool) -> None:
    ann = browser(auction.users["ann"])
    for typed, field, sentence in REJECTIONS:
        answer = ann.press(auction.url, "bid", htmx=htmx, **typed)
        page = answer.content.decode()
        assert answer.status_code == 422
        assert sentence in error_at(page, "bid", field)
        if typed.get("amount"):
            assert f'value="{typed["amount"]}"' in page
        if typed.get("seat") in set("RSTUVWXYZ"):
            assert f'<option value="{typed["seat"]}" selected>' in page


def test_a_used_key_with_other_content_is_refused_and_the_form_gets_a_new_one(table: Table) -> None:
    ann = browser(table.users["ann"])
    key = ann.key_of(table.url, "buy_chips")
    ann.press(table.url, "buy_chips", key=key, count="1")
    answer = ann.press(table.url, "buy_chips", key=key, count="2")
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "What you sent earlier from this page arrived" in page
    assert 'value="2"' in page
    assert f'value="{key}"' not in page
    assert Submission.objects.filter(match_id=table.match_id, kind="action").count() == 1


@pytest.mark.parametrize("htmx", [True, False])
def test_what_was_meant_for_a_sealed_bid_never_becomes_an_open_one(
    table: Table, htmx: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def submit_later(*args: Any) -> Answer:
        table.at(25)  # the deadline passes once the view has read the page
        return submit(*args)

    monkeypatch.setattr(acting, "submit", submit_later)
    ann = browser(table.users["ann"])
    (meant_for,) = set(re.findall(r'name="meant_for" form="act-bid" value="([^"]+)"', ann.look(table.url)))
    answer = ann.press(table.url, "bid", htmx=htmx, seat="Z", amount="3", meant_for=meant_for)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert f"You filled this in for “{meant_for}”, which is over, so nothing was sent." in page
    assert 'value="3"' in page
    assert not Submission.objects.filter(match_id=table.match_id, kind="action").exists()
    (meant_for,) = set(re.findall(r'name="meant_for" form="act-bid" value="([^"]+)"', page))
    assert ann.press(table.url, "bid", htmx=htmx, seat="Z", amount="3", meant_for=meant_for).status_code in (200, 302)


@pytest.mark.parametrize("count", ["1", "99"])
def test_a_form_that_was_sent_long_ago_says_so_and_is_judged_only_when_it_is_sent_once_more(
    table: Table, count: str
) -> None:
    """Its answer was lost and the tab has kept its key: what was told then is no answer to what somebody wants now."""
    ann = browser(table.users["ann"])
    key = ann.key_of(table.url, "buy_chips")
    first = ann.press(table.url, "buy_chips", key=key, htmx=True, count=count)
    table.present.instant += timedelta(hours=5)
    for htmx in (False, True):
        answer = ann.press(table.url, "buy_chips", key=key, htmx=htmx, count=count)
        page = answer.content.decode()
        assert (answer.status_code, f'value="{count}"' in page, f'value="{key}"' in page) == (409, True, False)
        assert "You already sent this from this page on Sun 1 Mar, 14:00 UTC, and the site" in page
        assert "Not sent" not in page.replace("Not sent yet", "")
    assert Submission.objects.filter(match_id=table.match_id, kind="action").count() == 1
    fresh = re.search(r'id="key-buy_chips" value="([^"]+)"', page)
    assert fresh
    again = ann.press(table.url, "buy_chips", key=fresh[1], htmx=True, count=count)
    assert again.status_code == first.status_code
    assert Submission.objects.filter(match_id=table.match_id, kind="action").count() == 2


def test_an_expired_session_loses_nothing_that_was_typed(auction: Table) -> None:
    answer = browser().press(auction.url, "bid", seat="X", amount="2")
    page = answer.content.decode()
    assert answer.status_code == 401
    assert "You are signed out, so nothing was sent." in page
    assert "<dd>X</dd>" in page
    assert "<dd>2</dd>" in page
    assert f"{reverse('account_login')}?next={auction.url}" in page
