"""The auction: what each event does to the board, the ledger, the book of bids and the feed."""

from matches.engine.step import EVERYONE, BidEvent, Posting, to_player
from matches.games.lowest_unique_integer import GAME
from matches.games.lowest_unique_integer.tests.table import bid, buy, live, three


def test_a_bid_is_on_the_board_at_once() -> None:
    table = live().act("1h", "ann", bid("Z", 3))
    seat = table.seat("Z")
    assert (seat.state, seat.player, seat.amount) == ("standing", "ann", 3)
    assert (seat.placed_at, seat.ends_at, seat.lowest_bid) == (3600, 90000, 4)
    assert table.last.bids == (BidEvent("standing", "Z", "ann", "chip", 3),)
    assert table.last.postings == ()
    assert (table.last.public, table.last.touched) == (True, {"ann"})


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


def test_messages_name_the_number_that_would_have_worked() -> None:
    table = live().act(0, "ann", bid("Z", 3)).act(0, "bob", bid("Y", 4)).act(0, "bob", bid("X", 10))
    assert "bob, and every" not in table.refused(1, "cat", bid("Z", 2)).message
    assert "A bid of 3 stands on Z" in table.refused(1, "cat", bid("Z", 3)).message
    assert "free is 5" in table.refused(1, "cat", bid("Z", 3)).message
    assert "4 stands on Y already" in table.refused(1, "cat", bid("Z", 4)).message
    assert "Z takes is 5" in table.refused(1, "cat", bid("Z", 4)).message
    assert "R takes is 1" in table.refused(1, "cat", bid("R", 0)).message
    assert "2 of your 16 chips are free" in table.refused(1, "bob", bid("Z", 6)).message
    assert "lowest that Z takes is 5" in table.refused(1, "bob", bid("Z", 6)).message
    assert "the most that you can bid on R is 2" in table.refused(1, "bob", bid("R", 9)).message
    assert "You can bid on R, S, T, U, V, W, X, Y." in table.refused(1, "ann", bid("Z", 9)).message
    assert "R to Z" in table.refused(1, "ann", bid("A", 9)).message


def test_a_refusal_for_chips_names_the_most_that_is_free_and_not_taken() -> None:
    table = live().act(0, "ann", bid("Z", 12)).act(0, "bob", bid("Y", 4)).act(0, "bob", bid("X", 3))
    assert "the most that you can bid on W is 2" in table.refused(1, "ann", bid("W", 5)).message


def test_messages_for_garnets_name_what_one_can_buy() -> None:
    table = live(ann={"garnets": 5})
    assert "at most 2" in table.refused(0, "ann", buy(3)).message
    assert "you can buy none" in table.refused(0, "bob", buy(1)).message


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


def test_hosts_cannot_take_chips_that_are_in_standing_bids() -> None:
    table = live().act(0, "ann", bid("Z", 10))
    assert GAME.holds(table.state, "ann") == {"chip": 10}
    assert GAME.correct(table.state, "ann", "chip", -6, table.state.core.time).state.core.purses["ann"]["chip"] == 10


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


def test_the_next_deadline_is_a_timer_the_silence_or_the_stop() -> None:
    table = three({"pregame": 0, "stop_after": "30h"}).until(0)
    assert table.public.next_deadline == 24 * 3600
    table.act("1h", "ann", bid("Z", 1)).act("2h", "bob", bid("Y", 2))
    assert table.public.next_deadline == 25 * 3600
    table.act("10h", "cat", bid("Z", 3)).act("10h", "cat", bid("Y", 4))
    assert table.public.next_deadline == 30 * 3600


def test_a_player_reads_which_bids_the_stop_will_cancel() -> None:
    table = three({"pregame": 0, "stop_after": "30h"}).act("6h", "ann", bid("Z", 3))
    assert table.private("ann").if_idle == (
        "If you do nothing, your 3 on Z wins its seat when the timer ends, unless outbid."
    )
    table.act("7h", "ann", bid("Y", 4))
    assert table.private("ann").if_idle == (
        "If you do nothing, your 3 on Z wins its seat when the timer ends, unless outbid; "
        "your 4 on Y will be cancelled, because everything stops before the timer ends."
    )
    table.until("30h")
    assert (table.seat("Z").state, table.seat("Y").state) == ("won", "unclaimed")
