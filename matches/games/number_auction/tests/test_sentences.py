"""Every kind of announcement has its sentence."""

from __future__ import annotations

import pytest

from matches.engine.step import Announcement
from matches.games.number_auction import GAME
from matches.games.number_auction.tests.table import BUY, Table, at_once, bid, name, three


def said(table: Table) -> list[str]:
    """All sentences so far, with players named in capitals."""
    return [GAME.describe(item, str.upper) for step in table.steps for item in step.announcements]


def test_rounds_read_like_a_story() -> None:
    table = three(ann={"garnets": 1}).act("1h", "ann", BUY).act("1h", "ann", bid({1: 30, 2: 8, 3: 5, 4: 110}))
    table.act("2h", "bob", bid({1: 40, 3: 6})).act("3h", "cat", bid({5: 1})).until("24h")
    assert said(table) == [
        "Round 1 of 10 is open: 1, 2, 3, 4 and 5 can be bid on.",
        "You have bought 10 tokens for 1 garnet.",
        "BOB takes 1 with a bid of 40 and pays 30 tokens.",
        "ANN takes 2 with a bid of 8 and pays nothing.",
        "BOB takes 3 with a bid of 6 and pays 5 tokens.",
        "Nobody takes 4: it is gone.",
        "CAT takes 5 with a bid of 1 and pays nothing.",
        "Round 1: you have won 2 for nothing.",
        "Round 1: you did not win 1 or 3; your bid on 4 was dropped, because you did not have enough tokens.",
        "Round 1: you have won 1 for 30 tokens and 3 for 5 tokens.",
        "Round 1: you have won 5 for nothing.",
        "Round 2 of 10 is open: 6, 7, 8, 9 and 10 can be bid on. Everybody gains 40 tokens.",
    ]


def test_the_end_has_words() -> None:
    table = at_once().act("1h", "ann", bid({40: 1})).act("24h", "ann", name("bob"))
    assert said(table)[-7:] == [
        "ANN wins the match with 2 conditions met, after a tie in lines that nobody else has.",
        "You earn 2 garnets, for 2 conditions met.",
        "You earn 1 garnet, for 1 condition met.",
        "You earn 1 garnet, for 1 condition met.",
        "It is up to you to name the Elimination Candidate.",
        "ANN named BOB as Elimination Candidate.",
        "The match is finished, won by ANN. Elimination Candidate: BOB.",
    ]


@pytest.mark.parametrize(
    ("by", "count", "sentence"),
    [
        ("lines", 1, "ANN wins the match with 1 line that nobody else has."),
        ("lines", 2, "ANN wins the match with 2 lines that nobody else has."),
        ("points", 40, "ANN wins the match with 40 points, after a tie in lines and in conditions."),
    ],
)
def test_what_decided_is_said(by: str, count: int, sentence: str) -> None:
    item = Announcement("everyone", "match_won", {"player": "ann", "by": by, "count": count})
    assert GAME.describe(item, str.upper) == sentence


def test_other_sentences() -> None:
    assert any("Nobody wins the match" in sentence for sentence in said(at_once().to_the_end()))
    earned = Announcement("player:ann", "garnets_earned", {"conditions": 3, "lines": 1})
    assert GAME.describe(earned, str) == "You earn 4 garnets, for 3 conditions met and 1 line."
    lost = Announcement("player:ann", "bids_lost", {"round": 2, "lost": [], "dropped": [1, 2]})
    assert GAME.describe(lost, str) == (
        "Round 2: your bids on 1 and 2 were dropped, because you did not have enough tokens."
    )


def test_kinds_of_the_engine_are_left_to_the_engine() -> None:
    assert GAME.describe(Announcement("everyone", "match_resumed"), str) == "The match goes on."
