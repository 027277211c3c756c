"""The auction: what each event does to the board, the ledger, the book of bids and the feed."""

from matches.engine.step import EVERYONE, BidEvent, Posting, to_player
from matches.games.lowest_unique_integer.tests.table import bid, buy, live, three


def test_an_outbid_player_is_told_at_once_and_everyone_sees_the_bid() -> None:
    table = live().act("1h", "ann", bid("Z", 3)).act("2h", "bob", bid("Z", 5))
    assert table.last.bids == (BidEvent("outbid", "Z", "ann", "chip", 3), BidEvent("standing", "Z", "bob", "chip", 5))
    assert table.told(to_player("ann")) == ["outbid"]
    assert table.told(EVERYONE) == ["bid_placed"]
    assert table.last.announcements[0].data == {"seat": "Z", "amount": 5, "by": "bob", "own": 3}
    assert table.last.touched == {"ann", "bob"}
    assert table.private("ann").free == 16


def test_a_bid_that_stands_for_the_timer_wins_and_is_paid() -> None:
    table = live().act("1h", "ann", bid("T", 4)).act("2h", "bob", bid("S", 5)).until("25h")
    assert table.last.bids == (BidEvent("won", "T", "ann", "chip", 4),)
    assert table.last.postings == (
        Posting("ann", None, "chip", 4, "seat_won"),
        Posting(None, "ann", "priority", 3, "seat_prize"),
    )
    assert table.last.touched == {"ann"}
    assert table.seat("T").state == "won"
    assert table.seat("T").lowest_bid is None


def test_timers_of_one_moment_win_in_reading_order() -> None:
    table = live().act(0, "ann", bid("Z", 1)).act(0, "bob", bid("R", 2)).act(0, "cat", bid("V", 3)).until("24h")
    assert [event.lot for event in table.last.bids] == ["R", "V", "Z"]


def test_everything_of_the_stop_happens_in_one_step() -> None:
    table = three({"pregame": 0, "stop_after": "24h"}).until(0)
    table.act(0, "ann", bid("Z", 1)).act(1, "bob", bid("Y", 2)).until("24h")
    assert [(event.status, event.lot) for event in table.last.bids] == [("won", "Z"), ("cancelled", "Y")]
    assert [item.kind for item in table.last.announcements if item.audience == EVERYONE][:4] == [
        "seat_won",
        "auction_ended",
        "bid_cancelled",
        "match_won",
    ]
    assert table.public.ending == "stop"


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


def test_the_fee_is_posted_and_not_returned() -> None:
    table = three({"pregame": 0, "fee_after": 0}, ann={"garnets": 1}, bob={"garnets": 1}).until(0)
    table.act(0, "ann", bid("Z", 1))
    assert table.last.postings == (Posting("ann", None, "garnet", 1, "bid_fee"),)
    table.act(0, "bob", bid("Z", 2))
    assert "ann" not in {posting.receiver for posting in table.last.postings}
    assert "costs 1 garnet; you have 0" in table.refused(0, "ann", bid("Z", 3)).message


def test_the_fee_of_a_bid_by_hand_is_not_paid_on_credit_either() -> None:
    table = three({"pregame": 0, "fee_after": 0, "garnet_credit": True}, bob={"garnets": 1}).until(0)
    assert "costs 1 garnet; you have 0" in table.refused(0, "ann", bid("Z", 1)).message
    table.act(0, "bob", bid("Z", 1))
    assert "costs 1 garnet; you have 0" in table.refused(0, "bob", bid("Y", 2)).message
    table.act(0, "ann", buy(1))  # which may be owed
    assert table.private("ann").garnets < 0
