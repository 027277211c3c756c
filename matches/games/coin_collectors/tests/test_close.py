"""The close of a round: what it does to the ledger, the book of bids and the feed, and what is told to whom."""

from matches.engine.step import BidEvent, to_player
from matches.games.coin_collectors.shares import Coins
from matches.games.coin_collectors.tests.table import auction, bid, lift, round_of, three, use

MILL = round_of(auction("Mill", silver=3), auction("Smithy", gold=1))
LAST = round_of(auction("Mint", gold=1))


def test_the_book_says_what_became_of_each_bid_and_stays_private() -> None:
    table = three(MILL, LAST)
    table.act("1h", "ann", bid({"Mill": {"gold": 1, "silver": 1}})).act("1h", "bob", bid({"Mill": {"silver": 1}}))
    table.act("1h", "cat", bid({"Mill": {"gold": 1}})).until("24h")
    assert table.last.bids == (
        BidEvent("won", "Mill", "ann", "gold", 1, public=False),
        BidEvent("returned", "Mill", "ann", "silver", 1, public=False),
        BidEvent("returned", "Mill", "bob", "silver", 1, public=False),
        BidEvent("won", "Mill", "cat", "gold", 1, public=False),
    )


# -- a host's correction takes what a submission needs ---------------------------------------------


def test_what_can_no_longer_be_paid_is_shown_at_once_and_dropped_at_the_close() -> None:
    table = three(MILL, LAST, openings={"ann": {"garnets": 2}})
    table.act("1h", "ann", bid({"Mill": {"gold": 1}, "Smithy": {"silver": 1}}, **lift("bid"))).correct(
        "ann", "gold", -1
    )
    assert table.last.touched == {"ann"}
    submission = table.private("ann").submission
    assert submission is not None
    assert submission.problem is not None
    assert "0 gold coins" in submission.problem
    assert "will not count" in table.private("ann").if_idle
    table.until("24h")
    assert table.last.postings == ()
    assert table.told(to_player("ann")) == ["bids_dropped"]
    assert table.private("ann").accounts[0].dropped == "not_enough_coins"
    assert (table.private("ann").garnets, table.private("ann").coins) == (2, Coins(0, 1, 1))
    assert table.to_the_end().public.result is not None


def test_an_item_that_a_host_hands_out_can_be_used_even_if_the_match_leaves_it_out() -> None:
    """Its holder must not learn that no round brings this item."""
    table = three(MILL, LAST, items={"spyglass": None}).correct("ann", "item:spyglass", 2)
    assert [(item.item, item.name) for item in table.private("ann").items] == [("spyglass", "Spyglass")]
    table.act("1h", "ann", bid({}, use("spyglass", "Mill"))).act("1h", "bob", bid({"Mill": {"gold": 1}})).until("24h")
    account = table.private("ann").accounts[0].auctions[0]
    assert account.spied is not None
    assert [(line.handle, line.coins.gold) for line in account.spied.bids] == [("bob", 1)]
    result = table.to_the_end().public.result
    assert result is not None
    assert [thing.name for thing in result.accounts[0].items] == ["Spyglass"]
