"""Twin matches at the site, which differ only in a secret, are the same on every page and at every socket."""

from collections.abc import Callable

from matches.games.coin_collectors.tests.at_table import CONFIG, ODD, AtTable
from matches.games.coin_collectors.tests.table import auction, lift, round_of, use
from tests.games.site_secrecy import SiteSecrecy
from tests.secrecy.site import Twins, nothing

Step = Callable[[AtTable], object]

MORE = ("ask/?type=shares", "/games/coin_collectors/")
TYPED = (
    {"type": "bid", "bids[0][auction]": "Treasury", "bids[Treasury][gold]": "1"},
    {"type": "bid", "bids[Treasury][gold]": "9"},
    {"type": "vote", "player": "ann"},
)
OTHER_FUTURE = [*CONFIG["rounds"][:2], round_of(auction("Quay", bronze=1), auction("Crypt", gold=1), auction_limit=1)]
VIEWERS = ("visitor", "eve", "cat")


def bid(who: str, bids: dict[str, dict[str, int]], *items: dict[str, str], **lifts: bool) -> Step:
    return lambda table: table.bid(who, bids, *items, **lifts)


def to(hours: float) -> Step:
    return lambda table: table.at(hours)


CLOSE, END = to(49), to(24 * 6)

TWINS: dict[str, Twins[AtTable]] = {
    "a sealed submission": Twins(VIEWERS, (bid("ann", {ODD: {"gold": 1}}),), (nothing,)),
    "which, and how often, a limit lifted": Twins(
        VIEWERS,
        (bid("ann", {ODD: {"gold": 1}}), bid("ann", {}), bid("bob", {ODD: {"gold": 1}}, **lift("bid"))),
        (nothing, bid("ann", {"Treasury": {"bronze": 1}}), bid("bob", {ODD: {"gold": 1}})),
    ),
    "bids, after the close": Twins(
        VIEWERS, (bid("ann", {ODD: {"gold": 1}}), CLOSE), (bid("ann", {"Treasury": {"silver": 1}}), CLOSE)
    ),
    "a spyglass used": Twins(
        VIEWERS,
        (bid("ann", {ODD: {"gold": 1}}), CLOSE, bid("ann", {}, use("spyglass", "Harbour")), to(73)),
        (bid("ann", {ODD: {"gold": 1}}), CLOSE, nothing, to(73)),
    ),
    "rounds to come": Twins(
        (*VIEWERS, "ann"), (nothing, CLOSE), (nothing, CLOSE), {}, {"rounds": OTHER_FUTURE}
    ),
}  # fmt: skip


class TestSecrets(SiteSecrecy):
    twins = TWINS
    more = MORE
    typed = TYPED
