"""Settings: the usual rounds, what is refused and where, what is written back, what hosts are warned of."""

from typing import Any

import pytest

from matches.engine.errors import ConfigError
from matches.games.coin_collectors import GAME
from matches.games.coin_collectors.config import MOST_AUCTIONS, MOST_ROUNDS
from matches.games.coin_collectors.tests.table import auction, round_of


def rounds(*names: str, **prize: Any) -> dict[str, Any]:
    return {"rounds": [round_of(*(auction(name, **prize) for name in names))]}


@pytest.mark.parametrize(
    ("path", "raw"),
    [
        ("start.gold", {"start": {"gold": -1}}),
        ("start.copper", {"start": {"copper": 1}}),
        ("items.magnet", {"items": {"magnet": {"name": "Magnet"}}}),
        ("items.wide_net.name", {"items": {"wide_net": {"name": ""}}}),
        ("items.wide_net.name", {"items": {"wide_net": {"name": "a\nb"}}}),
        ("items.wide_net.description", {"items": {"wide_net": {"description": "x" * 401}}}),
        ("items.wide_net.price", {"items": {"wide_net": {"price": 1}}}),
        ("rounds", {"rounds": []}),
        ("rounds", {"rounds": [{}] * (MOST_ROUNDS + 1)}),
        ("rounds[1].limit", {"rounds": [{}, {"limit": 3}]}),
        ("rounds[0].bid_limit", {"rounds": [{"bid_limit": -1}]}),
        ("rounds[0].auctions", rounds(*(f"A{number}" for number in range(MOST_AUCTIONS + 1)))),
        ("rounds[0].auctions[0].name", {"rounds": [{"auctions": [{}]}]}),
        ("rounds[0].auctions[0].name", rounds("")),
        ("rounds[0].auctions[0].name", rounds("Mi\x00ll")),
        ("rounds[0].auctions[1].name", rounds("Mill", "Mill")),
        ("rounds[1].auctions[0].name", {"rounds": [*rounds("Mill")["rounds"], *rounds("Mill")["rounds"]]}),
        ("rounds[0].auctions[1].prize.gold", {"rounds": [round_of(auction("A"), auction("B", gold=-1))]}),
        ("rounds[0].auctions[0].prize.items", rounds("A", items=["wide_net"])),
        ("rounds[0].auctions[0].prize.items.magnet", rounds("A", items={"magnet": 1})),
        (
            "rounds[0].auctions[0].prize.items.spyglass",
            {"items": {"spyglass": None}, **rounds("A", items={"spyglass": 1})},
        ),
    ],
)
def test_impossible_settings_are_refused_by_their_path(path: str, raw: dict[str, Any]) -> None:
    with pytest.raises(ConfigError) as refused:
        GAME.read_config(raw)
    assert refused.value.key == path
    assert refused.value.message
    assert "`" not in refused.value.message
