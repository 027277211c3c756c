"""A match on the rules alone, for tests that look closer than a scenario file can."""

from typing import Any

from matches.games.the_mvp import GAME
from matches.games.the_mvp.cards import CARDS, PLACES
from matches.games.the_mvp.private_view import MvpPrivate
from matches.games.the_mvp.public_view import MvpPublic
from matches.games.the_mvp.state import MvpState
from tests.games.rules_table import RulesTable

NAMES = ("ann", "bob", "cat", "dan", "eve", "fay")
RED, GREEN = ("ann", "cat", "eve"), ("bob", "dan", "fay")
DECK = dict(zip(PLACES, CARDS, strict=True))
"""A to X hold the cards in order: the lowest row is grape-3 to grape-6, the one above pear-4 to grape-2."""


def bid(**adds: int) -> dict[str, Any]:
    return {"type": "bid", "adds": adds}


def buy(count: int) -> dict[str, Any]:
    return {"type": "buy_chips", "count": count}


def identity(place: str) -> dict[str, Any]:
    return {"type": "ask_identity", "place": place}


def location(card: str) -> dict[str, Any]:
    return {"type": "ask_location", "card": card}


def vote(player: str) -> dict[str, Any]:
    return {"type": "vote", "player": player}


def deck(**named: str) -> dict[str, str]:
    """These cards at these places, all others in order from A on."""
    others = iter([card for card in CARDS if card not in named.values()])
    return {place: named.get(place) or next(others) for place in PLACES}


LENGTHS = {"first_round": "48h", "round": "24h", "decision_time": "24h"}
"""What tests rely on, whatever is usual."""


class Table(RulesTable[MvpState, MvpPublic, MvpPrivate]):
    """A match of this game; its six players are given by handle with what they bring."""

    game = GAME
    lengths = LENGTHS


def six(config: dict[str, Any] | None = None, **openings: dict[str, int]) -> Table:
    """ann, cat and eve (red) against bob, dan and fay (green), with the cards in order."""
    return Table(config={"deck": DECK} | (config or {}), **{name: openings.get(name, {}) for name in NAMES})
