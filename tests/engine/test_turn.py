"""A turn keeps balances and postings from drifting apart, and knows whose view it changes."""

from datetime import timedelta

import pytest

from matches.engine.core import GARNET, Core, apply_postings, put_sealed, take_sealed
from matches.engine.errors import Overdrawn
from matches.engine.game import opening_core
from matches.engine.settings import Entrant
from matches.engine.step import Turn, to_player
from matches.engine.views import public_fields
from tests.engine.tiny_game import GAME, TinyState

ANN, BOB = Entrant("ann", garnets=5), Entrant("bob", priority=2)
HOUR = timedelta(hours=1)


def a_turn(*, garnet_credit: bool = False) -> Turn:
    """ann has 5 garnets and 10 chips, bob 2 priority and 10 chips."""
    _, turn = opening_core((ANN, BOB), garnet_credit=garnet_credit, phase="running", stock={"chip": 10})
    return Turn(turn.core(), HOUR)


def step_of(turn: Turn):  # type: ignore[no-untyped-def]
    return turn.step(TinyState(Core((ANN, BOB)), GAME.read_config({})))


def test_balances_are_the_sum_of_the_postings() -> None:
    turn = a_turn()
    before = turn.purses
    turn.pay("ann", "chip", 3, "seat")
    turn.move("ann", "bob", "chip", 2, "gift")
    turn.earn("bob", GARNET, 1, "prize")
    step = step_of(turn)
    assert apply_postings(before, step.postings) == step.state.core.purses
    assert (turn.balance("ann", "chip"), turn.balance("bob", "chip"), turn.balance("bob", GARNET)) == (5, 12, 1)
    assert before["ann"]["chip"] == 10, "the purses that came in are as they were"


def test_nobody_pays_more_than_they_have() -> None:
    turn = a_turn()
    assert turn.can_pay("ann", "chip", 10)
    assert not turn.can_pay("ann", "chip", 11)
    with pytest.raises(Overdrawn):
        turn.pay("ann", "chip", 11, "seat")
    assert turn.balance("ann", "chip") == 10


def test_credit_is_for_garnets_alone() -> None:
    turn = a_turn(garnet_credit=True)
    turn.pay("bob", GARNET, 7, "chips")
    assert turn.balance("bob", GARNET) == -7
    assert not turn.can_pay("ann", "chip", 11)


@pytest.mark.parametrize(
    ("giver", "receiver", "amount"),
    [("ann", None, -1), ("ann", "ann", 1), (None, None, 1), ("zed", None, 1), (None, "zed", 1)],
    ids=["backwards", "to oneself", "bank to bank", "from a stranger", "to a stranger"],
)
def test_impossible_moves_are_bugs(giver: str | None, receiver: str | None, amount: int) -> None:
    with pytest.raises(ValueError, match="money"):
        a_turn().move(giver, receiver, "chip", amount, "odd")


def test_news_reach_their_audience_and_count_as_changes() -> None:
    turn = a_turn()
    turn.tell("bob", "outbid", by="ann")
    quiet = step_of(turn)
    assert (quiet.touched, quiet.public) == ({"bob"}, False)
    turn.announce("sold", to="ann")
    step = step_of(turn)
    assert step.public
    assert [item.audience for item in step.announcements] == [to_player("bob"), "everyone"]


def test_a_sealed_box_keeps_the_order_in_which_the_versions_that_count_were_made() -> None:
    box = put_sealed(put_sealed(put_sealed({}, "ann", 1, HOUR), "bob", 2, HOUR), "cat", 3, HOUR)
    assert list(put_sealed(box, "ann", 4, HOUR)) == ["bob", "cat", "ann"], "a replacement goes to the end"
    assert list(take_sealed(box, "bob")) == ["ann", "cat"]
    assert list(put_sealed(take_sealed(box, "bob"), "bob", 2, HOUR)) == ["ann", "cat", "bob"]
    assert list(box) == ["ann", "bob", "cat"], "the box that came in is as it was"
    assert take_sealed(box, "zed") == box


def test_priority_is_everybodys_to_see() -> None:
    turn = a_turn()
    turn.earn("ann", GARNET, 1, "prize")
    assert not step_of(turn).public
    turn.earn("ann", "priority", 1, "prize")
    step = step_of(turn)
    assert step.public
    assert [(line.handle, line.priority) for line in public_fields(step.state.core, None)["players"]] == [
        ("ann", 1),
        ("bob", 2),
    ]
