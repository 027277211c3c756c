"""What holds of every result, whatever was played: tokens, chips, priorities."""

from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from matches.engine.core import TOL
from matches.engine.errors import Rejected
from matches.games.lowest_unique_integer import GAME
from matches.games.lowest_unique_integer.auction import committed
from matches.games.lowest_unique_integer.deadlines import unique_priorities
from matches.games.lowest_unique_integer.tests.table import Table, bid, buy

HANDLES = ("ann", "bob", "cat", "dan", "eve")
FORWARD = st.integers(0, 8).map(lambda hours: timedelta(hours=hours))
MOVES = st.lists(
    st.tuples(
        FORWARD,
        st.sampled_from(HANDLES),
        st.one_of(
            st.builds(bid, st.sampled_from("RSTUVWXYZA"), st.integers(-1, 18)),
            st.builds(buy, st.integers(-1, 3)),
            st.just({"type": "withdraw"}),
            st.builds(lambda player: {"type": "name_candidate", "player": player}, st.sampled_from(HANDLES)),
            st.builds(lambda to: {"type": "give_tokens", "to": to}, st.lists(st.sampled_from(HANDLES), max_size=3)),
        ),
    ),
    min_size=15,
    max_size=60,
)


def check_board(table: Table) -> None:
    """The four rules, as they must show on the board after every event."""
    state = table.state
    amounts = [bid.amount for bids in (state.standing, state.won) for bid in bids.values()]
    assert len(amounts) == len(set(amounts))
    assert not set(state.standing) & set(state.won)
    for player in state.core.handles:
        assert committed(state.standing, player) <= state.core.purses.get(player, {}).get("chip", 0)
    due = GAME.next_deadline(state)
    assert due is None or due >= state.core.time


@settings(max_examples=150, deadline=None)
@given(moves=MOVES, fee=st.sampled_from(["10d", "1d"]), stop=st.sampled_from(["15d", "3d", "36h"]))
def test_any_play_keeps_the_rules_and_ends(moves: list[tuple[timedelta, str, object]], fee: str, stop: str) -> None:
    config = {"variant": "F8", "fee_after": fee, "stop_after": stop}
    table = Table(config=config, ann={"garnets": 3, "priority": 1}, bob={"garnets": 1}, cat={}, dan={}, eve={})
    now = timedelta()
    for forward, player, action in moves:
        now += forward
        try:
            table.act(now, player, action)
        except Rejected as rejection:
            assert rejection.message.endswith((".", "!"))  # noqa: PT017
        check_board(table)
    check_result(table.to_the_end())


def check_result(table: Table) -> None:
    state, outcome = table.state, GAME.outcome(table.state)
    assert outcome is not None
    earned = [
        posting.amount
        for step in table.steps
        for posting in step.postings
        if posting.asset == TOL and posting.giver is None
    ]
    assert sum(earned) == (5 if state.won else 0)
    assert len(outcome.elimination_candidates) == 1
    assert len(outcome.winners) == (1 if state.won else 0)
    assert set(outcome.tokens_of_life.values()) <= {1}
    priorities = outcome.details["priority"]
    assert len(set(priorities.values())) == len(priorities)
    for letter, seat in outcome.details["seats"].items():
        won = state.won.get(letter)
        assert seat == (None if won is None else {"player": won.player, "amount": won.amount})


def test_a_decision_that_came_too_late_hears_that_it_was_drawn() -> None:
    table = Table(config={"pregame": 0}, **{handle: {} for handle in (*HANDLES, "fay", "gil", "hal")}).until(0)
    for amount, (player, seat) in enumerate(zip(HANDLES, "OPRSW", strict=True), 1):
        table.act(0, player, bid(seat, amount))
    refused = table.refused("48h", "ann", {"type": "name_candidate", "player": "fay"})
    assert refused.code == "not_your_decision"
    assert "your decision was drawn" in refused.message


@given(priorities=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=26))
def test_priorities_become_unique_and_nobody_loses_any(priorities: list[tuple[int, int]]) -> None:
    opening = {f"p{i}": start for i, (start, _) in enumerate(priorities)}
    gained = {f"p{i}": won for i, (_, won) in enumerate(priorities)}
    held = {player: opening[player] + gained[player] for player in opening}
    settled = unique_priorities(held, gained, opening)
    assert len(set(settled.values())) == len(settled)
    assert all(settled[player] >= held[player] for player in held)
    assert min(settled.values()) == min(held.values())
