"""The auction: what each event does to the board, the ledger, the book of bids and the feed."""

from matches.engine.step import EVERYONE, BidEvent, to_player
from matches.games.lowest_unique_integer.tests.table import bid, buy, live, three


def test_an_outbid_player_is_told_at_once_and_everyone_sees_the_bid() -> None:
    table = live().act("1h", "ann", bid("Z", 3)).act("2h", "bob", bid("Z", 5))
    assert table.last.bids == (BidEvent("outbid", "Z", "ann", "chip", 3), BidEvent("standing", "Z", "bob", "chip", 5))
    assert table.told(to_player("ann")) == ["outbid"]
    assert table.told(EVERYONE) == ["bid_placed"]
    assert table.last.announcements[0].data == {"seat": "Z", "amount": 5, "by": "bob", "own": 3}
    assert table.last.touched == {"ann", "bob"}
    assert table.private("ann").free == 16


def test_dropped_sealed_bids_are_told_to_their_owner_alone() -> None:
    table = three(ann={"priority": 2}, bob={"priority": 1})
    table.act("1h", "ann", bid("Z", 3)).act("1h", "bob", bid("Y", 3)).until("24h")
    assert table.told(to_player("bob")) == ["bid_dropped"]
    (notice,) = [item for item in table.last.announcements if item.kind == "bid_dropped"]
    assert notice.data["code"] == "amount_taken"
    assert "3 stands on Z already" in notice.data["message"]
    assert BidEvent("dropped", "Y", "bob", "chip", 3, public=False) in table.last.bids
    assert table.told(EVERYONE) == ["auction_opened", "bid_placed"]


def test_a_sealed_bid_that_lost_its_chips_is_dropped() -> None:
    table = three().act("1h", "ann", bid("Z", 16))
    table.correct("ann", "chip", -1)
    assert table.until("24h").state.dropped == {"ann": "not_enough_chips"}


def test_the_fee_of_a_bid_by_hand_is_not_paid_on_credit_either() -> None:
    table = three({"pregame": 0, "fee_after": 0, "garnet_credit": True}, bob={"garnets": 1}).until(0)
    assert "costs 1 garnet; you have 0" in table.refused(0, "ann", bid("Z", 1)).message
    table.act(0, "bob", bid("Z", 1))
    assert "costs 1 garnet; you have 0" in table.refused(0, "bob", bid("Y", 2)).message
    table.act(0, "ann", buy(1))  # which may be owed
    assert table.private("ann").garnets < 0
