"""Rounds that have not started may change while a match runs; nothing else may, and nobody sees it too early."""

from typing import Any

import pytest

from matches.engine.errors import ConfigError
from matches.engine.step import EVERYONE
from matches.games.coin_collectors import GAME
from matches.games.coin_collectors.tests.table import Table, auction, bid, round_of, three

FIRST, SECOND, THIRD = (
    round_of(auction("Mill", gold=2)),
    round_of(auction("Smithy", silver=2)),
    round_of(auction("Mint", gold=3)),
)
OTHER = round_of(auction("Smithy", silver=2), auction("Crypt", items={"alchemy": 1}))


def names(table: Table) -> list[tuple[str, ...]]:
    return [each.names for each in table.state.config.rounds]


def test_a_later_round_gets_another_auction() -> None:
    table = three(FIRST, SECOND).amend([FIRST, OTHER], "1h")
    assert names(table) == [("Mill",), ("Smithy", "Crypt")]
    assert (table.last.public, table.last.touched, table.last.announcements) == (False, frozenset(), ())
    table.until("24h")
    assert table.public.current is not None
    assert [each.name for each in table.public.current.auctions] == ["Smithy", "Crypt"]
    assert [item.item for item in table.public.items] == ["alchemy"]


def test_what_is_to_come_shows_to_nobody() -> None:
    table, before = three(FIRST, SECOND), three(FIRST, SECOND)
    table.amend([FIRST, OTHER], "1h")
    before.amend([FIRST, SECOND], "1h")
    assert table.public == before.public
    assert [table.private(p) for p in table.state.core.handles] == [before.private(p) for p in table.state.core.handles]


def test_rounds_are_added_and_everybody_is_told_of_the_number_alone() -> None:
    table = three(FIRST).amend([FIRST, SECOND, THIRD], "1h")
    assert table.public.rounds == 3
    assert table.last.public
    assert table.told(EVERYONE) == ["rounds_changed"]
    assert table.last.announcements[0].data == {"rounds": 3}
    table.act("49h", "ann", bid({"Mint": {"gold": 1}})).to_the_end()
    assert table.state.core.phase == "finished"
    assert len(table.state.closed) == 3


@pytest.mark.parametrize(
    ("changed", "path"),
    [
        ([SECOND, FIRST, THIRD], "rounds[0]"),
        ([round_of(auction("Mill", gold=3)), SECOND], "rounds[0]"),
        ([FIRST, OTHER, THIRD], "rounds[1]"),
        ([FIRST], "rounds[1]"),
        ([], "rounds"),
        ([FIRST, SECOND, FIRST], "rounds[2].auctions[0].name"),
        ([FIRST, SECOND, round_of(auction("X", items={"spyglass": 1}))], "rounds[2].auctions[0].prize.items.spyglass"),
        ("more", "rounds"),
    ],
)
def test_what_has_started_stays_as_it_is(changed: Any, path: str) -> None:
    table = three(FIRST, SECOND, THIRD, items={"spyglass": None}).until("24h")
    before = GAME.encode_state(table.state)
    with pytest.raises(ConfigError) as refused:
        table.amend(changed, "25h")
    assert refused.value.key == path
    assert GAME.encode_state(table.state) == before


def test_what_is_sealed_stays_through_an_amendment() -> None:
    table = three(FIRST, SECOND).act("1h", "ann", bid({"Mill": {"gold": 1}})).amend([FIRST, OTHER], "2h")
    assert table.private("ann").submission is not None
    assert table.until("24h").private("ann").coins.gold == 2
