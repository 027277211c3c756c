"""The end: winners and losers, tokens, gifts, votes, garnets."""

from datetime import timedelta

import pytest

from matches.engine.core import DECISION, FINISHED, TOL
from matches.games.together_we_survive import GAME
from matches.games.together_we_survive.rounds import Ranking
from matches.games.together_we_survive.tests.table import Table, elect, four_and_four, give, sole_winner, vote_a, vote_b


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


def test_gifts_and_votes_have_one_window_in_any_order() -> None:
    table = sole_winner()
    closes = GAME.next_deadline(table.state)
    for voter in ("kim", "leo", "max"):
        table.act("98h", voter, elect("leo"))
    assert GAME.next_deadline(table.state) == closes == timedelta(hours=120)
    table.act("99h", "bob", give("eve", "dan"))
    assert table.public.phase == FINISHED


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


def test_holders_of_tokens_from_elsewhere_are_immune() -> None:
    table = four_and_four().act("1h", "ann", vote_a(ann=1)).act("1h", "bob", vote_a(bob=1)).until("48h")
    step = GAME.correct(table.state, "cat", TOL, 1, timedelta(hours=49))
    table.steps.append(step)
    table.until("72h")
    assert table.public.result is not None
    assert table.public.result.a.losers == ("cat", "dan")
    assert table.public.result.a.candidate == "dan"


def test_a_correction_after_the_play_changes_no_result() -> None:
    table = four_and_four().act("1h", "ann", vote_b(kim=1, leo=2)).act("1h", "bob", vote_b(leo=1, max=2)).until("48h")
    before = table.public.result
    table.steps.append(GAME.correct(table.state, "ned", "token", 9, timedelta(hours=49)))
    assert table.public.result == before
    assert table.private("ned").tokens == 10
    outcome = GAME.outcome(table.to_the_end().state)
    assert outcome is not None
    assert outcome.details["tokens"]["ned"] == 1


def test_garnets_for_rounds_on_stage_and_for_tokens() -> None:
    table = sole_winner(config={"tokens_b": 15})
    assert table.public.result is not None
    assert table.public.result.a.garnets == {"ann": 2, "bob": 3, "cat": 1, "dan": 1, "eve": 0}
    assert table.public.result.b.garnets == {"kim": 2, "leo": 2, "max": 2}
    assert table.private("bob").garnets == 3


def test_winners_are_listed_group_a_first() -> None:
    table = Table("ann bob", "kim leo").act("1h", "bob", vote_a(bob=1)).act("1h", "kim", vote_b(kim=1, leo=2))
    table.until("48h")
    outcome = GAME.outcome(table.state)
    assert outcome is not None
    assert outcome.winners == ("bob", "kim")
    assert outcome.elimination_candidates == ("ann", "leo")
    assert outcome.scores == {"ann": 1, "bob": 2, "kim": 2, "leo": 1}
