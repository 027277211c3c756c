"""Twin matches at the site, which differ only in a secret, are the same on every page and at every socket."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.games.lowest_unique_integer.tests.at_table import AtTable
from matches.live.snapshots import FORMATS
from tests.games.site_secrecy import SiteSecrecy
from tests.live import watched
from tests.secrecy.site import Twins, nothing, unlike_pages
from tests.web.conftest import browser

Make = Callable[[dict[str, Any]], AtTable]
Step = Callable[[AtTable], object]

TYPED = ({"type": "bid", "seat": "Z", "amount": "5"}, {"type": "bid", "seat": "R", "amount": "16"})


def bid(who: str, seat: str, amount: int) -> Step:
    return lambda table: table.bid(who, seat, amount)


def raised(who: str, seat: str, amount: int, up_to: int) -> Step:
    """A bid with a standing raise."""
    return lambda table: table.act(who, {"type": "bid", "seat": seat, "amount": amount, "up_to": up_to})


def raises(who: str, seat: str, up_to: int) -> Step:
    return lambda table: table.act(who, {"type": "raise", "seat": seat, "up_to": up_to})


def stops_raising(who: str, seat: str) -> Step:
    return lambda table: table.act(who, {"type": "withdraw_raise", "seat": seat})


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
    "a sealed bid or none, one taken back, chips bought": Twins(
        VIEWERS,
        (buy("ann", 3), SEALS, withdraw("ann"), bid("cat", "Y", 1), BOB_BIDS),
        (nothing, nothing, nothing, nothing, BOB_BIDS),
    ),
    "after sealed bids have closed": Twins(VIEWERS, (SEALS, to(23.5)), (nothing, to(23.5))),
    "which rule dropped a sealed bid": Twins(
        ("visitor", "eve"), (SEALS, bid("bob", "Z", 5), OPENS), (SEALS, bid("bob", "Z", 4), OPENS)
    ),
    "chips bought in the auction, a refused bid": Twins(
        VIEWERS,
        (OPENS, buy("ann"), buy("ann"), refused("ann"), BOB_BIDS), (OPENS, nothing, nothing, nothing, BOB_BIDS),
    ),
    "a standing raise, changed, or none": Twins(
        (*VIEWERS, "dora"),
        (OPENS, raised("ann", "Z", 5, 9), raises("ann", "Z", 16), stops_raising("ann", "Z"), raises("ann", "Z", 7)),
        (OPENS, SEALS, nothing, nothing, nothing),
    ),
    "how high a standing raise is that bids, and one that cannot or none": Twins(
        ("visitor", "bob"),
        (OPENS, raised("ann", "Z", 5, 9), raises("cat", "Z", 8), raised("ann", "Y", 1, 2), bid("bob", "Y", 2)),
        (OPENS, raised("ann", "Z", 5, 16), raises("cat", "Z", 8), bid("ann", "Y", 1), bid("bob", "Y", 2)),
    ),
    "what a host looked at": Twins(VIEWERS, (SEALS, looked_at("ann")), (bid("ann", "R", 12), looked_at("ann"))),
}  # fmt: skip


class TestSecrets(SiteSecrecy):
    twins = TWINS
    typed = TYPED


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
    twins, told = Twins(VIEWERS, (OPENS, SEALS), (OPENS, nothing)), ("", "parts/", "/", "api ")
    assert {(who, page) for who in VIEWERS for page in told} <= set(unlike_pages(make, twins, only=told))


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
