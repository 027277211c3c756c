"""Every kind of announcement has its sentence."""

from __future__ import annotations

from matches.engine.step import Announcement
from matches.games.lowest_unique_integer import GAME
from matches.games.lowest_unique_integer.sentences import SENTENCES
from matches.games.lowest_unique_integer.tests.table import Table, bid, buy, live, three


def said(table: Table) -> list[str]:
    """All sentences so far, with players named in capitals."""
    return [GAME.describe(item, str.upper) for step in table.steps for item in step.announcements]


def test_a_match_reads_like_a_story() -> None:
    table = three(ann={"priority": 5, "garnets": 2}, bob={"priority": 3}, cat={"priority": 1})
    table.act("1h", "ann", bid("Z", 3)).act("2h", "bob", bid("Z", 5)).act("3h", "cat", bid("Y", 5))
    table.act("4h", "ann", buy()).act("25h", "ann", bid("Y", 4)).to_the_end()
    assert said(table) == [
        "You have bought 1 chip for 2 garnets.",
        "The auction is open: every seat can be bid on.",
        "ANN bids 3 on Z with a sealed bid.",
        "BOB outbids you on Z with 5; your 3 chips there are free again.",
        "BOB bids 5 on Z with a sealed bid and outbids ANN.",
        "Your sealed bid of 5 on Y was dropped when it was judged. 5 stands on Z already, and every amount on the "
        "board is different. The lowest that Y takes is 1.",
        "ANN bids 4 on Y.",
        "BOB wins Z for 5 chips and receives 2 garnets.",
        "You have won Z for 5 chips and received 2 garnets.",
        "ANN wins Y for 4 chips and receives 1 garnet and 1 priority.",
        "You have won Y for 4 chips and received 1 garnet and 1 priority.",
        "Nobody has bid for the length of the bid timer: the auction is over.",
        "ANN wins the match with 4 on Y. "
        "The seat and its neighbours bring ANN 4 Tokens of Life and BOB 1 Token of Life.",
        "CAT is the Elimination Candidate: there was no other choice.",
        "3 Tokens of Life of ANN lapsed: there was nobody left to give to.",
        "The match is finished, won by ANN. Elimination Candidate: CAT.",
    ]


def test_the_other_endings_have_words() -> None:
    assert said(live().to_the_end())[1:3] == [
        "Nobody has bid for the length of the bid timer: the auction is over.",
        "No seat was won: nobody wins the match.",
    ]
    stopped = three({"pregame": 0, "stop_after": "1h"}).until(0).act(0, "ann", bid("Z", 1)).to_the_end()
    assert said(stopped)[2:4] == [
        "The auction has reached its latest end: everything stops.",
        "ANN's bid of 1 on Z is cancelled.",
    ]
    assert said(stopped)[-1] == "Shared priorities are made unique: BOB gains 1 and CAT gains 2."


def test_kinds_of_the_engine_are_left_to_the_engine() -> None:
    assert GAME.describe(Announcement("everyone", "match_resumed"), str) == "The match goes on."
    assert set(SENTENCES) == {
        *("auction_opened", "bid_placed", "outbid", "raised", "bid_dropped", "seat_won", "won", "bid_cancelled"),
        *("chips_bought", "auction_ended", "nobody_won", "match_won", "priorities_settled"),
    }
