"""Twin matches at the site, which differ only in a secret, are the same on every page and at every socket."""

import re
from collections.abc import Callable

from matches.games.number_auction.tests.at_table import AtTable
from matches.games.number_auction.tests.table import ASCENDING
from tests.games.site_secrecy import SiteSecrecy
from tests.secrecy.site import Twins, nothing
from tests.web.conftest import browser

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
    # What cat does is no secret to cat.
    "bids that lost": Twins(
        ("visitor", "eve"), (bid("cat", n1=1), bid("cat", n1=2), *ROUND, CLOSE), (nothing, nothing, *ROUND, CLOSE)
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


def test_public_parts_name_no_sealed_bid(at_table: AtTable) -> None:
    client = browser(at_table.bid("ann", n2=73).users["ann"])
    parts = client.get(f"{at_table.url}parts/").json()["parts"]
    assert 'value="73"' in parts["act"]
    assert [name for name in parts if re.search(r"\b73\b", parts[name])] == ["asked", "panel", "act"]
