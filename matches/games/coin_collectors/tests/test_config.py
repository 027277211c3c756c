"""Settings: the usual rounds, what is refused and where, what is written back, what hosts are warned of."""

from datetime import timedelta
from typing import Any

import pytest

from matches.engine.errors import ConfigError
from matches.engine.settings import Entrant
from matches.games.coin_collectors import GAME
from matches.games.coin_collectors.config import MOST_AUCTIONS, MOST_ROUNDS
from matches.games.coin_collectors.items import KINDS, USUAL_WORDS
from matches.games.coin_collectors.shares import Coins
from matches.games.coin_collectors.tests.table import auction, round_of

DAY = timedelta(days=1)
WORTH = {"gold": 5, "silver": 3, "bronze": 2, "garnet": 2}


def roster(count: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(f"p{number}") for number in range(count))


def test_the_defaults() -> None:
    config = GAME.read_config({})
    assert (config.pregame, config.round, config.decision_time) == (DAY, DAY, DAY)
    assert (config.start, config.limit_price, config.garnet_credit) == (Coins(1, 1, 1), 1, False)
    assert config.items == USUAL_WORDS


def test_the_usual_rounds_are_five_that_grow_and_bring_every_item() -> None:
    rounds = GAME.read_config({}).rounds
    assert len(rounds) == 5
    assert all(3 <= len(each.auctions) <= 5 for each in rounds)
    worth = [sum(WORTH.get(a, 2) * n for each in r.auctions for a, n in each.prize.goods.items()) for r in rounds]
    assert worth == sorted(worth)
    assert len(set(worth)) == 5
    assert set(GAME.read_config({}).appeared(4)) == set(KINDS)
    assert not any(asset.startswith("item:") for each in rounds[-1].auctions for asset in each.prize.goods)


def rounds(*names: str, **prize: Any) -> dict[str, Any]:
    return {"rounds": [round_of(*(auction(name, **prize) for name in names))]}


@pytest.mark.parametrize(
    ("path", "raw"),
    [
        ("start.gold", {"start": {"gold": -1}}),
        ("start.gold", {"start": {"gold": 10**7}}),
        ("start.silver", {"start": {"silver": "1"}}),
        ("start.silver", {"start": {"silver": True}}),
        ("start.copper", {"start": {"copper": 1}}),
        ("start", {"start": None}),
        ("start", {"start": [1, 1, 1]}),
        ("start", {"start": {"\ud800": 1}}),
        ("items", {"items": []}),
        ("items", {"items": None}),
        ("items.magnet", {"items": {"magnet": {"name": "Magnet"}}}),
        ("items.wide_net", {"items": {"wide_net": "Net"}}),
        ("items.wide_net.name", {"items": {"wide_net": {"name": ""}}}),
        ("items.wide_net.name", {"items": {"wide_net": {"name": " Net"}}}),
        ("items.wide_net.name", {"items": {"wide_net": {"name": "N" * 41}}}),
        ("items.wide_net.name", {"items": {"wide_net": {"name": "a\nb"}}}),
        ("items.wide_net.name", {"items": {"wide_net": {"name": 5}}}),
        ("items.wide_net.description", {"items": {"wide_net": {"description": "x" * 401}}}),
        ("items.wide_net.price", {"items": {"wide_net": {"price": 1}}}),
        ("rounds", {"rounds": []}),
        ("rounds", {"rounds": {}}),
        ("rounds", {"rounds": None}),
        ("rounds", {"rounds": [{}] * (MOST_ROUNDS + 1)}),
        ("rounds[0]", {"rounds": [None]}),
        ("rounds[1].limit", {"rounds": [{}, {"limit": 3}]}),
        ("rounds[0].bid_limit", {"rounds": [{"bid_limit": -1}]}),
        ("rounds[0].bid_limit", {"rounds": [{"bid_limit": "3"}]}),
        ("rounds[0].auction_limit", {"rounds": [{"auction_limit": 2.0}]}),
        ("rounds[0].auctions", {"rounds": [{"auctions": None}]}),
        ("rounds[0].auctions", rounds(*(f"A{number}" for number in range(MOST_AUCTIONS + 1)))),
        ("rounds[0].auctions[0].name", {"rounds": [{"auctions": [{}]}]}),
        ("rounds[0].auctions[0].name", rounds("")),
        ("rounds[0].auctions[0].name", rounds("Mill ")),
        ("rounds[0].auctions[0].name", rounds("M" * 41)),
        ("rounds[0].auctions[0].name", rounds("Mi\x00ll")),
        ("rounds[0].auctions[1].name", rounds("Mill", "Mill")),
        ("rounds[1].auctions[0].name", {"rounds": [*rounds("Mill")["rounds"], *rounds("Mill")["rounds"]]}),
        ("rounds[0].auctions[1].prize.gold", {"rounds": [round_of(auction("A"), auction("B", gold=-1))]}),
        ("rounds[0].auctions[0].prize.silver", rounds("A", silver=10**7)),
        ("rounds[0].auctions[0].prize.silver", rounds("A", silver=True)),
        ("rounds[0].auctions[0].prize.platinum", rounds("A", platinum=1)),
        ("rounds[0].auctions[0].prize.items", rounds("A", items=["wide_net"])),
        ("rounds[0].auctions[0].prize.items.magnet", rounds("A", items={"magnet": 1})),
        ("rounds[0].auctions[0].prize.items.alchemy", rounds("A", items={"alchemy": 1.5})),
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


def test_hosts_are_warned_of_rounds_that_are_probably_not_meant() -> None:
    assert "everybody can look up" in GAME.warnings(GAME.read_config({}), roster(7))[0]
    odd = GAME.read_config({"rounds": [{}, round_of(auction("A"), auction_limit=0), round_of(auction("B"))]})
    warned = GAME.warnings(odd, roster(7))
    assert [text[:15] for text in warned] == ["Round 1 has no ", "In round 2 nobo"]
