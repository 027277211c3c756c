"""A host's correction is one more posting, and takes only what is free."""

import pytest

from matches.engine.core import MOST_CORRECTED
from matches.engine.errors import Rejected
from tests.engine.play import Table


def correct(table: Table, player: str, asset: str, amount: int) -> Table:
    table.steps.append(table.game.correct(table.state, player, asset, amount, table.now))
    return table


def refusal(table: Table, player: str, asset: str, amount: int) -> str:
    with pytest.raises(Rejected) as caught:
        correct(table, player, asset, amount)
    return caught.value.code


def test_after_the_match_it_changes_the_published_result_and_says_so() -> None:
    table = Table("ann", "bob", tokens=1).do("ann", "bid", amount=3).until("24h")
    assert table.phase == "finished"
    assert correct(table, "ann", "chip", 5).steps[-1].public


def test_tokens_that_must_still_be_given_away_cannot_be_taken() -> None:
    table = Table("ann", "bob", "cat", "dan", tokens=2).do("ann", "bid", amount=3).do("bob", "bid", amount=1)
    table.do("cat", "bid", amount=1).until("24h").do("ann", "name_candidate", player="bob")
    assert table.asked("ann") == ("give_tokens",)
    assert refusal(table, "ann", "tol", -2) == "not_enough"
    correct(table, "ann", "tol", -1).until("72h")
    assert table.phase == "finished"
    assert table.holds("ann") == 0


def test_strangers_and_absurd_amounts_are_refused() -> None:
    assert refusal(Table("ann", "bob"), "zed", "chip", 1) == "not_a_player"
    assert refusal(Table("ann", "bob"), "ann", "chip", MOST_CORRECTED) == "not_enough"
    assert refusal(Table("ann", "bob", garnet_credit=True), "ann", "garnet", -MOST_CORRECTED - 1) == "not_enough"
    assert correct(Table("ann", "bob"), "ann", "chip", MOST_CORRECTED - 1000).holds("ann", "chip") < MOST_CORRECTED
