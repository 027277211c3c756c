"""What-ifs and forecasts: the true scorer, on what the asker may know."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from matches.games.number_auction import GAME
from matches.games.number_auction.tests.table import Table, bid, one_each, three
from matches.games.number_auction.what_if import WhatIfView


def ask(numbers: Any, table: Table | None = None, player: str | None = None, **more: Any) -> WhatIfView:
    question = {"type": "what_if", "numbers": list(numbers), **more}
    public = table.public if table else None
    answer = GAME.ask(question, public, table.private(player) if table and player else None)
    assert isinstance(answer, WhatIfView)
    return answer


def test_the_answer_for_ones_own_numbers_is_ones_own_sheet() -> None:
    table = three().act("1h", "ann", one_each(1, 2, 3)).act("1h", "bob", one_each(4, 5)).until("24h")
    found = ask((1, 2, 3), table, "ann")
    assert found.sheet == table.private("ann").sheet
    assert found.change == 0
    assert ask((1, 2, 3, 50), table, "ann").change == 50 + 1 + 2 + 7
    assert ask((1, 2, 3), table).change is None


def test_a_what_if_knows_no_more_than_the_asker() -> None:
    """The order of later numbers, and sealed bids, change no answer."""

    def play(order: list[int], amount: int) -> Table:
        table = Table(config={"numbers": order}, ann={}, bob={}, cat={}).until(0)
        return table.act("1h", "bob", bid({1: amount}))

    one, other = play([*range(1, 51)], 5), play([*range(1, 6), *range(50, 5, -1)], 50)
    for numbers in ((1, 2, 3, 4), (6, 7, 8, 9), (46, 47, 48, 49, 50), ()):
        assert ask(numbers, one, "ann") == ask(numbers, other, "ann")


# -- forecasts -----------------------------------------------------------------------------------


def forecast(table: Table, player: str, raw: dict[str, Any]) -> Any:
    public, private = table.public, table.private(player)
    kind = GAME.actions[raw["type"]]
    action = kind(**{key: value for key, value in raw.items() if key != "type"})
    return GAME.forecast(public, private, action)


BIDS = st.dictionaries(st.integers(1, 5), st.integers(0, 100))


@settings(deadline=None)
@given(BIDS, BIDS, BIDS)
def test_whatever_others_bid_a_forecast_keeps_its_word(
    own: dict[int, int], one: dict[int, int], other: dict[int, int]
) -> None:
    table = three()
    found = forecast(table, "ann", bid(own))
    for player, bids in (("ann", own), ("bob", one), ("cat", other)):
        table.act("1h", player, bid(bids))
    after = table.until("24h").private("ann")
    going = {each.number for each in found.bids if each.goes_through}
    assert set(after.numbers) <= going
    assert after.tokens - table.state.config.income >= found.left
    if found.won is not None and set(after.numbers) == going:
        assert after.sheet.points.total == found.won.points
