"""The end: winners and losers, tokens, gifts, votes, garnets."""

from datetime import timedelta

import pytest

from matches.engine.core import DECISION, FINISHED, TOL
from matches.games.together_we_survive.rounds import Ranking
from matches.games.together_we_survive.tests.table import elect, give, sole_winner


@pytest.mark.parametrize(
    ("winners", "others", "many", "tokens"),
    [
        ("ann", "ann", 6, {"ann": 1}),
        ("ann", "ann bob", 6, {"ann": 2}),
        ("ann", "ann bob cat", 6, {"ann": 3}),
        ("ann", "ann bob cat dan eve", 6, {"ann": 3}),
        ("ann bob", "ann bob cat dan", 6, {"ann": 1, "bob": 1}),
        ("ann bob", "", 6, {"ann": 1, "bob": 1}),
        ("ann bob", "ann bob", 3, {"ann": 1, "bob": 1}),
        ("ann bob", "ann bob", 2, {}),
        ("ann", "ann bob cat", 1, {}),
    ],
)
def test_tokens_of_life(winners: str, others: str, many: int, tokens: dict[str, int]) -> None:
    found = Ranking(tuple(winners.split()), ("zed",), tuple(others.split()))
    assert found.tokens_of_life(many) == tokens


def test_gifts_move_only_when_both_groups_are_done() -> None:
    table = sole_winner()
    assert table.private("bob").asked[0].options == ("cat", "dan", "eve")
    table.act("97h", "bob", give("dan", "cat"))
    assert table.state.core.purses["bob"][TOL] == 3
    assert (table.last.public, table.last.touched, table.last.postings) == (False, {"bob"}, ())
    for voter, choice in (("kim", "leo"), ("leo", "leo"), ("max", "kim")):
        assert table.public.phase == DECISION
        table.act("98h", voter, elect(choice))
    assert table.public.phase == FINISHED
    assert table.public.result is not None
    assert table.public.result.tokens_of_life == {"bob": 1, "cat": 1, "dan": 1, "kim": 1, "leo": 1, "max": 1}
    assert table.public.result.b.ec_votes == {"kim": 1, "leo": 2, "max": 0}
    assert table.public.candidates == ("ann", "leo")
    assert table.state.core.time == timedelta(hours=98), "the window ends early once all is done"


def test_what_is_missing_is_drawn_when_the_window_ends() -> None:
    table = sole_winner().act("97h", "kim", elect("leo")).to_the_end()
    assert table.public.decisions is not None
    (gift,) = table.public.decisions.gifts
    assert gift.drawn
    assert gift.to is not None
    assert len(set(gift.to)) == 2
    assert set(gift.to) < {"cat", "dan", "eve"}
    assert sum(table.public.decisions.polls[1].votes.values()) == 3
    assert [each.drawn for player in ("kim", "leo") for each in table.private(player).decided] == [False, True]


def test_garnets_for_rounds_on_stage_and_for_tokens() -> None:
    table = sole_winner(config={"tokens_b": 15})
    assert table.public.result is not None
    assert table.public.result.a.garnets == {"ann": 2, "bob": 3, "cat": 1, "dan": 1, "eve": 0}
    assert table.public.result.b.garnets == {"kim": 2, "leo": 2, "max": 2}
    assert table.private("bob").garnets == 3
