"""Twin matches at the site, which differ only in a secret, are the same on every page and at every socket."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from matches.games.number_auction.tests.at_table import AtTable
from matches.games.number_auction.tests.table import ASCENDING
from tests.games.site_secrecy import SiteSecrecy
from tests.secrecy.site import Twins, nothing, pages, sockets_of, unlike_frames, unlike_pages
from tests.web.conftest import browser

Make = Callable[[dict[str, Any]], AtTable]
Step = Callable[[AtTable], object]

MORE = ("ask/", "ask/?type=what_if&numbers=1&numbers=7", "/games/number_auction/")
TYPED = ({"type": "bid", "bids[6]": "9"}, {"type": "bid", "bids[1]": "100"}, {"type": "buy_tokens"})
ONE_ROUND = {"rounds": 1, "numbers_per_round": 50}
REVERSED = [*ASCENDING[:10], *reversed(ASCENDING[10:])]


def bid(who: str, **bids: int) -> Step:
    return lambda table: table.bid(who, **bids)


def buy(who: str) -> Step:
    return lambda table: table.buy(who)


def to(hours: float) -> Step:
    return lambda table: table.at(hours)


CLOSE = to(25)
# Ann takes 1 for 20, which bob has bid.
ROUND = (bid("ann", n1=30), bid("bob", n1=20))
VIEWERS = ("visitor", "eve", "cat")

TWINS: dict[str, Twins[AtTable]] = {
    "sealed bids or none": Twins(
        VIEWERS,
        (buy("ann"), buy("ann"), bid("ann", n1=30, n2=90), bid("ann", n2=5)), (nothing, nothing, nothing, nothing),
    ),
    "who has sealed which bids": Twins(VIEWERS, (bid("ann", n1=30),), (bid("bob", n5=99, n2=99),)),
    "tokens bought in the pregame": Twins(VIEWERS, (buy("ann"),), (nothing,), {"pregame": "5h"}),
    # What cat does is no secret to cat.
    "bids that lost": Twins(
        ("visitor", "eve"), (bid("cat", n1=1), bid("cat", n1=2), *ROUND, CLOSE), (nothing, nothing, *ROUND, CLOSE)
    ),
    "a tie, or no bid at all": Twins(
        VIEWERS, (bid("ann", n4=7), bid("bob", n4=7), CLOSE), (nothing, nothing, CLOSE)
    ),
    "who bid the price": Twins(
        VIEWERS,
        (bid("ann", n1=9), bid("bob", n1=7), nothing, CLOSE),
        (bid("ann", n1=9), bid("bob", n1=7, n2=7), bid("ann", n1=9, n2=7), CLOSE),
    ),
    "later numbers": Twins(
        VIEWERS, (*ROUND, CLOSE), (*ROUND, CLOSE), {"numbers": ASCENDING}, {"numbers": REVERSED}
    ),
    "losing bids while the candidate is named": Twins(
        VIEWERS,
        (bid("ann", n40=9, n7=5), bid("bob", n40=2, n7=5), CLOSE),
        (bid("ann", n40=9, n7=8), bid("bob", n40=2, n7=8), CLOSE),
        ONE_ROUND,
    ),
}  # fmt: skip


class TestSecrets(SiteSecrecy):
    twins = TWINS
    more = MORE
    typed = TYPED


@pytest.mark.django_db
def test_the_comparison_would_find_a_leak(make: Make) -> None:
    """The control: who has won a number is for everybody."""
    won = Twins(VIEWERS, (*ROUND, CLOSE), (bid("ann", n1=20), bid("bob", n1=30), CLOSE))
    told = ("", "parts/", "picture.png", "recap/", "api ")
    assert {(who, page) for who in VIEWERS for page in told} <= set(unlike_pages(make, won, only=told))


@pytest.mark.django_db(transaction=True)
def test_the_comparison_of_frames_would_find_a_leak(make: Make) -> None:
    assert unlike_frames(make, TWINS["sealed bids or none"]._replace(viewers=("ann",))) == sockets_of("ann")
    found = unlike_frames(make, Twins(("cat",), (*ROUND, CLOSE), (ROUND[0], nothing, CLOSE)))
    assert {"visitor json", "visitor html", "cat json", "cat html"} <= set(found)


@pytest.mark.django_db
def test_its_owner_sees_what_is_sealed(make: Make) -> None:
    one, other = (pages(lambda: make({}), (step,), ("ann",)) for step in (bid("ann", n1=30), nothing))
    assert one["ann", ""] != other["ann", ""]


def test_public_parts_name_no_sealed_bid(at_table: AtTable) -> None:
    client = browser(at_table.bid("ann", n2=73).users["ann"])
    parts = client.get(f"{at_table.url}parts/").json()["parts"]
    assert 'value="73"' in parts["act"]
    assert [name for name in parts if re.search(r"\b73\b", parts[name])] == ["asked", "panel", "act"]
