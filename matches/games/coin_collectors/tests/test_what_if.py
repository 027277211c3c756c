"""What-ifs: the calculator of shares, and what a submission would take and leave."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.engine.actions import decode_action
from matches.engine.errors import Rejected
from matches.games.coin_collectors import GAME
from matches.games.coin_collectors.tests.table import Table, auction, bid, round_of, three, use, with_items
from matches.games.coin_collectors.what_if import Forecast, SharesAnswer


def ask(question: Any, table: Table | None = None, player: str | None = None) -> SharesAnswer:
    public = table.public if table else None
    private = table.private(player) if table and player else None
    answer = GAME.ask(question, public, private)
    assert isinstance(answer, SharesAnswer)
    return answer


COINS = st.fixed_dictionaries({coin: st.integers(0, 2) for coin in ("gold", "silver", "bronze")})


@given(
    st.fixed_dictionaries({"gold": st.integers(0, 9), "silver": st.integers(0, 9), "garnet": st.integers(0, 3)}),
    st.fixed_dictionaries({"ann": COINS, "bob": COINS, "cat": COINS}),
)
def test_the_answer_is_what_the_close_does(prize: dict[str, int], bids: dict[str, dict[str, int]]) -> None:
    table = three(round_of(auction("Mill", **prize), bid_limit=9), start={"gold": 2, "silver": 2, "bronze": 2})
    for player, coins in bids.items():
        table.act(0, player, bid({"Mill": coins}))
    result = table.to_the_end().public.result
    assert result is not None
    answer = ask({"type": "shares", "prize": prize, "bids": bids})
    assert answer.sharing == result.rounds[0].auctions[0].sharing


@pytest.mark.parametrize(
    ("question", "code", "field"),
    [
        ({"type": "shares"}, "malformed", "bids"),
        ({"type": "shares", "bids": {"A": {"gold": "1"}}}, "malformed", "bids[...].gold"),
        ({"type": "shares", "bids": {}, "prize": {"gold": -1}}, "malformed", "prize.gold"),
        ({"type": "shares", "bids": {}, "prize": {"items": {"magnet": 1}}}, "malformed", "prize.items"),
        ({"type": "shares", "bids": {"A": {"gold": -1}}}, "not_positive", "bids.A.gold"),
        ({"type": "shares", "bids": {"A": {"gold": 10**9}}}, "malformed", "bids.A.gold"),
        ({"type": "shares", "bids": {"A" * 41: {}}}, "malformed", "bids"),
        ({"type": "shares", "bids": {str(number): {} for number in range(31)}}, "malformed", "bids"),
    ],
)
def test_what_cannot_be_answered_is_refused_at_its_field(question: Any, code: str, field: str) -> None:
    with pytest.raises(Rejected) as refused:
        GAME.ask(question, None, None)
    assert refused.value.code == code
    assert refused.value.field in (field, None)


# -- what a submission would take ------------------------------------------------------------------


def forecast(table: Table, player: str, action: dict[str, Any]) -> Forecast:
    """Of an action that the rules take."""
    GAME.submit(table.state, player, action, table.state.core.time, table.draw)
    seen = GAME.forecast(table.public, table.private(player), decode_action(GAME.actions, action))
    assert isinstance(seen, Forecast)
    return seen


@given(COINS, COINS, st.sampled_from(("gold", "silver", "bronze")))
def test_the_worst_is_really_the_worst(mill: dict[str, int], smithy: dict[str, int], rival: str) -> None:
    table = three(
        round_of(auction("Mill"), auction("Smithy"), bid_limit=9),
        round_of(),
        start={"gold": 4, "silver": 4, "bronze": 4},
    )
    action = bid({"Mill": mill, "Smithy": smithy})
    seen = forecast(table, "ann", action)
    table.act(0, "ann", action).act(0, "bob", bid({"Mill": {rival: 1}})).until("24h")
    left = table.private("ann").coins
    assert all(left.of(coin) >= seen.at_worst.of(coin) for coin in ("gold", "silver", "bronze"))


@given(
    COINS, st.lists(st.sampled_from(("silver", "bronze")), max_size=3), st.sampled_from(("gold", "silver", "bronze"))
)
def test_what_alchemy_surely_does_is_what_it_does(mill: dict[str, int], sources: list[str], rival: str) -> None:
    table = with_items(round_of(auction("Mill"), bid_limit=9), round_of(), alchemy=3)
    action = bid({"Mill": mill}, *(use("alchemy", source=source) for source in sources))
    seen = forecast(table, "ann", action)
    table.act("25h", "ann", action).act("25h", "bob", bid({"Mill": {rival: 1}})).until("48h")
    own = table.private("ann")
    assert all(own.coins.of(coin) >= seen.at_worst.of(coin) for coin in ("gold", "silver", "bronze"))
    did = list(own.accounts[-1].changed)
    for each in seen.changes:
        assert each.is_possible >= each.is_sure
        if each.is_sure or (each.is_possible and each.coin in did):
            did.remove(each.coin)
    assert not did
