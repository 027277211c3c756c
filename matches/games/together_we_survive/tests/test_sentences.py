"""Every kind of announcement has its sentence."""

from __future__ import annotations

import pytest

from matches.engine.step import Announcement
from matches.games.together_we_survive import GAME
from matches.games.together_we_survive.tests.table import Table, elect, four_and_four, give, sole_winner, vote_a, vote_b


def said(table: Table) -> list[str]:
    """All sentences so far, with players named in capitals."""
    return [GAME.describe(item, str.upper) for step in table.steps for item in step.announcements]


def test_rounds_read_like_a_story() -> None:
    table = four_and_four(garnets={"ann": 1}).act("1h", "ann", vote_a(ann=2)).act("1h", "ann", vote_b(kim=3))
    table.act("1h", "bob", vote_a(bob=1)).act("1h", "cat", vote_b(leo=1, max=2)).until("48h")
    assert said(table) == [
        "Round 1 is open, with 4 players on stage.",
        "Round 1: your votes of both kinds were counted. They took 2 tokens and 1 garnet.",
        "Round 1: your votes for players on stage were counted. They took 1 token.",
        "Round 1: your votes for players of group B were counted. They cost you nothing.",
        "Round 1: CAT and DAN leave the stage, with no votes each, the fewest.",
        "Round 1, group B: LEO gains 1 token and MAX gains 2 tokens; KIM had the most votes, 3, and gets nothing.",
        "Round 2 is open, with 2 players on stage.",
    ]


def test_the_end_has_words() -> None:
    table = sole_winner().act("97h", "bob", give("cat", "dan"))
    for voter in ("kim", "leo", "max"):
        table.act("98h", voter, elect("leo"))
    story = said(table)
    start = story.index("Round 3: ANN leaves the stage, with no votes, the fewest.")
    assert story[start:] == [
        "Round 3: ANN leaves the stage, with no votes, the fewest.",
        "Round 3, group B: there were no votes, and nobody gains tokens.",
        "Round 4 closes at once, because BOB was alone on stage: BOB leaves the stage, the last to do so.",
        "Group A: BOB has won, ANN has lost. That brings 3 Tokens of Life, and all but one must be given away.",
        "You earn 2 garnets.",
        "You earn 3 garnets.",
        "You earn 1 garnet.",
        "You earn 1 garnet.",
        "Group B: all are equal, so everybody has won and lost. That brings a Token of Life each.",
        "ANN is the Elimination Candidate: there was no other choice.",
        "It is up to you to give Tokens of Life away.",
        *["It is up to you to vote for the Elimination Candidate."] * 3,
        "LEO is the Elimination Candidate, with 3 of 3 votes.",
        "BOB gave a Token of Life each to CAT and DAN.",
        "The match is finished, won by BOB, KIM, LEO and MAX. Elimination Candidates: ANN and LEO.",
    ]


@pytest.mark.parametrize(
    ("kind", "data", "sentence"),
    [
        (
            "votes_shared",
            {"round": 2, "gained": {}, "most": ["kim", "leo"], "votes": 3},
            "Round 2, group B: nobody gains tokens; KIM and LEO had the most votes, 3 each, and get nothing.",
        ),
        (
            "group_decided",
            {"group": "B", "winners": ["kim"], "losers": ["leo", "max"], "tokens": 1},
            "Group B: KIM has won, LEO and MAX have lost. That brings a Token of Life.",
        ),
        (
            "group_decided",
            {"group": "A", "winners": ["ann", "bob"], "losers": ["cat"], "tokens": 0},
            "Group A: ANN and BOB have won, CAT has lost. So many have won that there are no Tokens of Life.",
        ),
        (
            "kicked_out",
            {"round": 2, "players": ["ann"], "votes": 1, "automatic": False},
            "Round 2: ANN leaves the stage, with 1 vote, the fewest.",
        ),
    ],
)
def test_other_sentences(kind: str, data: dict[str, object], sentence: str) -> None:
    assert GAME.describe(Announcement("everyone", kind, data), str.upper) == sentence


def test_kinds_of_the_engine_are_left_to_the_engine() -> None:
    assert GAME.describe(Announcement("everyone", "match_resumed"), str) == "The match goes on."
