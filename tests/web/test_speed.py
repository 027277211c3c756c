"""In a match whose clock runs faster, pages say how long things really take."""

from datetime import timedelta

import pytest

from matches.models import Match
from matches.models.clock import FixedTime
from matches.pages.durations import in_real_words
from matches.services.hosting import extend
from tests.web.conftest import Table, browser


@pytest.fixture
def fast(db: None, present: FixedTime) -> Table:
    """An auction that runs eight times as fast; ann's bid stands on Y."""
    table = Table(present)
    Match.objects.filter(pk=table.match_id).update(speed=8)
    return table.open().at(3).bid("ann", "Y", 4)


@pytest.mark.parametrize(
    ("span", "speed", "words"),
    [(86_400, 1, "24 h"), (86_400, 8, "3 h (24 h of match time)"), (86_400, 500, "2 min 52 s (24 h of match time)")],
)
def test_the_real_length_comes_first(span: int, speed: int, words: str) -> None:
    assert in_real_words(span, speed) == words


def test_a_form_says_how_long_a_bid_really_has_to_stand(fast: Table, present: FixedTime) -> None:
    page = browser(fast.users["bob"]).look(fast.url)
    assert "once it has stood for 3 h (24 h of match time)" in page
    assert "stood for 24 h" not in page


def test_what_an_action_comes_to_is_said_in_real_time_too(fast: Table) -> None:
    bob = browser(fast.users["bob"])
    said = bob.post(f"{fast.url}preview/", {"type": "bid", "seat": "Z", "amount": "2"}).content.decode()
    assert "win it in 3 h (24 h of match time), unless outbid" in said


def test_an_extension_is_told_by_its_real_length_and_with_its_reason(fast: Table) -> None:
    extend(fast.match, fast.users["dora"], timedelta(hours=16), "the server was away")
    page = browser().look(fast.url)
    assert "A host has moved the deadline by 2h; the next deadline is " in page
    assert " UTC: the server was away." in page


def test_the_rules_page_says_how_fast_the_clock_runs(fast: Table, present: FixedTime) -> None:
    assert "what these rules call 24 h takes 3 h" in browser().look(f"{fast.url}rules/")
    usual = Table(present).open()
    assert "times as fast" not in browser().look(f"{usual.url}rules/")
