"""Rounds: which bids go through, who gets which number, what is posted and told."""

from matches.engine.step import EVERYONE, BidEvent, Posting, to_player
from matches.games.number_auction import GAME
from matches.games.number_auction.tests.table import bid, three


def test_a_close_pays_tells_and_opens_the_next_round_in_one_step() -> None:
    table = three().act("1h", "ann", bid({1: 30, 2: 8})).act("2h", "bob", bid({1: 40})).until("24h")
    assert table.last.postings == (
        Posting("bob", None, "token", 30, "number_won"),
        Posting(None, "ann", "token", 40, "income"),
        Posting(None, "bob", "token", 40, "income"),
        Posting(None, "cat", "token", 40, "income"),
    )
    assert table.told(EVERYONE) == ["number_sold"] * 2 + ["number_gone"] * 3 + ["round_opened"]
    assert table.told(to_player("ann")) == ["numbers_won", "bids_lost"]
    assert table.told(to_player("bob")) == ["numbers_won"]
    assert table.told(to_player("cat")) == []
    assert (table.last.public, table.last.touched) == (True, {"ann", "bob", "cat"})
    assert table.public.numbers == (6, 7, 8, 9, 10)


def test_only_winning_bids_are_public() -> None:
    table = three().act("1h", "ann", bid({1: 30, 2: 90})).act("2h", "bob", bid({1: 40})).until("24h")
    assert table.last.bids == (
        BidEvent("won", "1", "bob", "token", 40),
        BidEvent("lost", "1", "ann", "token", 30, public=False),
        BidEvent("dropped", "2", "ann", "token", 90, public=False),
    )


def test_nothing_is_held_back_for_bids_so_hosts_can_take_tokens() -> None:
    table = three().act("1h", "ann", bid({1: 60, 2: 100}))
    assert GAME.holds(table.state, "ann") == {}
    table.correct("ann", "token", -50)
    assert table.private("ann").bids is not None
    assert table.private("ann").bids.dropped == (1, 2)
    assert table.until("24h").state.owned["ann"] == ()


def test_a_correction_shows_in_public_when_the_round_closes() -> None:
    table = three()
    table.correct("ann", "token", 7)
    assert table.public.sheets[0].tokens == 100
    assert table.until("24h").public.sheets[0].tokens == 147
