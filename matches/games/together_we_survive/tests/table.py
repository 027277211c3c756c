"""A match on the rules alone, for tests that look closer than a scenario file can."""

from typing import Any

from matches.engine.settings import Entrant
from matches.games.together_we_survive import GAME
from matches.games.together_we_survive.private_view import SurvivePrivate
from matches.games.together_we_survive.public_view import SurvivePublic
from matches.games.together_we_survive.state import SurviveState
from tests.games.rules_table import RulesTable


def vote_a(**votes: int) -> dict[str, Any]:
    return {"type": "vote_a", "votes": votes}


def vote_b(**votes: int) -> dict[str, Any]:
    return {"type": "vote_b", "votes": votes}


def withdraw(kind: str) -> dict[str, Any]:
    return {"type": "withdraw", "kind": kind}


def elect(player: str) -> dict[str, Any]:
    return {"type": "vote", "player": player}


def give(*to: str) -> dict[str, Any]:
    return {"type": "give_tokens", "to": list(to)}


LENGTHS = {"first_round": "48h", "round": "24h", "decision_time": "24h"}
"""What tests rely on, whatever is usual."""


class Table(RulesTable[SurviveState, SurvivePublic, SurvivePrivate]):
    """`Table("ann bob", "kim leo", garnets={"ann": 3}, config={…})`: group A, group B."""

    game = GAME
    lengths = LENGTHS

    def __init__(self, group_a: str, group_b: str, *, garnets: dict[str, int] | None = None, **options: Any) -> None:
        entrants = (
            Entrant(handle, team, garnets=(garnets or {}).get(handle, 0))
            for team, group in (("A", group_a), ("B", group_b))
            for handle in group.split()
        )
        super().__init__(*entrants, **options)


def four_and_four(**options: Any) -> Table:
    """ann, bob, cat and dan on stage; kim, leo, max and ned in group B."""
    return Table("ann bob cat dan", "kim leo max ned", **options)


def sole_winner(**options: Any) -> Table:
    """bob alone wins group A, ann has lost it, and bob may give two tokens to cat, dan or eve; at 96h."""
    table = Table("ann bob cat dan eve", "kim leo max", **options)
    for player, votes in (("ann", vote_a(ann=2, bob=1)), ("cat", vote_a(cat=1)), ("dan", vote_a(dan=1))):
        table.act("1h", player, votes)
    table.act("1h", "kim", vote_b(kim=1, leo=1, max=1))
    table.act("49h", "bob", vote_a(bob=1)).act("49h", "ann", vote_a(ann=1))
    return table.act("73h", "bob", vote_a(bob=1)).until("96h")
