"""Twin matches at the site, which differ only in a secret, are the same on every page and at every socket."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.games.lowest_unique_integer.tests.at_table import AtTable
from matches.live.snapshots import FORMATS
from matches.models import clock
from matches.queries import match_info
from tests.live import watched
from tests.secrecy.site import Twins, nothing, pages, unlike_frames, unlike_pages
from tests.web.conftest import browser

Make = Callable[[dict[str, Any]], AtTable]
Step = Callable[[AtTable], object]

TYPED = ({"type": "bid", "seat": "Z", "amount": "5"}, {"type": "bid", "seat": "R", "amount": "16"})
MORE = ("/profile/",)


@pytest.fixture
def make(present: clock.FixedTime) -> Make:
    return lambda config: AtTable(present, **config)


def bid(who: str, seat: str, amount: int) -> Step:
    return lambda table: table.bid(who, seat, amount)


def buy(who: str, count: int = 1) -> Step:
    return lambda table: table.buy(who, count)


def withdraw(who: str) -> Step:
    return lambda table: table.withdraw(who)


def refused(who: str) -> Step:
    return lambda table: table.is_refused(who)


def looked_at(who: str) -> Step:
    return lambda table: table.is_looked_at(who)


def to(hours: float) -> Step:
    return lambda table: table.at(hours)


OPENS = to(24)
# What ann does unseen; bob, who has bid on another seat, is among those who must not be able to tell.
VIEWERS = ("visitor", "eve", "bob")
BOB_BIDS = bid("bob", "X", 4)
SEALS = bid("ann", "Z", 5)

TWINS: dict[str, Twins[AtTable]] = {
    "a sealed bid or none": Twins(VIEWERS, (SEALS, BOB_BIDS), (nothing, BOB_BIDS)),
    "which sealed bid": Twins(VIEWERS, (SEALS,), (bid("ann", "R", 12),)),
    "who has sealed": Twins(VIEWERS, (SEALS,), (bid("cat", "Z", 5),)),
    "one bidder or two": Twins(VIEWERS, (SEALS, bid("cat", "Z", 5)), (bid("cat", "Y", 1), nothing)),
    "a bid that was replaced": Twins(VIEWERS, (SEALS, bid("ann", "Y", 4)), (nothing, bid("ann", "Y", 4))),
    "a bid that was taken back": Twins(VIEWERS, (SEALS, withdraw("ann"), BOB_BIDS), (nothing, nothing, BOB_BIDS)),
    "after sealed bids have closed": Twins(VIEWERS, (SEALS, to(23.5)), (nothing, to(23.5))),
    "which rule dropped a sealed bid": Twins(
        ("visitor", "eve"), (SEALS, bid("bob", "Z", 5), OPENS), (SEALS, bid("bob", "Z", 4), OPENS)
    ),
    "a dropped bid or none": Twins(
        ("visitor", "eve", "ann"), (SEALS, bid("bob", "Z", 4), OPENS), (SEALS, nothing, OPENS)
    ),
    "chips bought before the auction": Twins(VIEWERS, (buy("ann", 3), BOB_BIDS), (nothing, BOB_BIDS)),
    "chips bought in the auction": Twins(
        VIEWERS, (OPENS, buy("ann"), buy("ann"), BOB_BIDS), (OPENS, nothing, nothing, BOB_BIDS)
    ),
    "a refused bid": Twins(VIEWERS, (OPENS, refused("ann"), BOB_BIDS), (OPENS, nothing, BOB_BIDS)),
    "what a host looked at": Twins(VIEWERS, (SEALS, looked_at("ann")), (bid("ann", "R", 12), looked_at("ann"))),
}  # fmt: skip


@pytest.mark.django_db
@pytest.mark.parametrize("name", TWINS)
def test_a_secret_changes_not_a_byte(make: Make, name: str) -> None:
    assert unlike_pages(make, TWINS[name], more=MORE, typed=TYPED) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", TWINS)
def test_a_secret_changes_no_frame(make: Make, name: str) -> None:
    assert unlike_frames(make, TWINS[name]) == []


@pytest.mark.django_db
def test_a_secret_changes_no_number_of_queries(make: Make) -> None:
    """What costs more can be told by its time."""

    def queries(*steps: Step) -> int:
        table = make({})
        for step in steps:
            step(table)
        client = browser(table.users["bob"])
        client.get(table.url)
        with CaptureQueriesContext(connection) as found:
            client.get(table.url)
        return len(found)

    assert queries(SEALS, buy("ann")) == queries()


@pytest.mark.django_db
def test_the_comparison_would_find_a_leak(make: Make) -> None:
    """The control: a bid that everyone may see does change the bytes."""
    found = unlike_pages(make, Twins(VIEWERS, (OPENS, SEALS), (OPENS, nothing)))
    assert {(who, page) for who in VIEWERS for page in ("", "parts/", "/", "api ")} <= set(found)


@pytest.mark.django_db(transaction=True)
def test_a_number_that_counts_secrets_would_be_found(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = match_info.info_json
    monkeypatch.setattr(match_info, "info_json", lambda match: facts(match) | {"count": match.log_count})
    assert "visitor json" in unlike_frames(make, TWINS["chips bought in the auction"])


@pytest.mark.django_db(transaction=True)
def test_the_one_whose_secret_it_is_does_see_it_and_nobody_else_gets_a_frame(make: Make) -> None:
    steps = (buy("ann"), SEALS, bid("ann", "R", 7), withdraw("ann"), refused("ann"))
    seen = watched.frames(lambda: make({}), ("ann", "bob"), steps)
    for name, sent in seen.items():
        assert (len(sent) == 1) != name.startswith("ann"), name
        assert not [text for _, text in sent if "csrf" in text.lower()], name
    assert len(seen["ann json"]) >= 4
    quiet = watched.frames(lambda: make({}), ("ann",), (OPENS, nothing))
    bought = watched.frames(lambda: make({}), ("ann",), (OPENS, buy("ann")))
    for form in FORMATS:
        assert len(bought[f"ann {form}"]) == len(quiet[f"ann {form}"]) + 1


@pytest.mark.django_db
def test_its_owner_sees_the_sealed_bid(make: Make) -> None:
    one, other = (pages(lambda: make({}), (step,), ("ann",)) for step in (SEALS, nothing))
    assert one["ann", ""] != other["ann", ""]
