"""Two matches on the rules alone that differ in a secret, and a player who must not be able to tell them apart."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from matches.engine.actions import encode
from matches.engine.core import FINISHED
from matches.engine.errors import Rejected
from tests.games.rules_table import RulesTable

AnyTable = RulesTable[Any, Any, Any]


def look_the_same_to(
    viewer: str, one: AnyTable, other: AnyTable, battery: Sequence[object], *, secrets_end: bool = True
) -> None:
    """Asserts it of everything that a player, and so a spectator too, can see or provoke.

    `battery` is what the player tries. With `secrets_end` an action that finishes the match may tell everything.
    """
    game = one.game
    assert one.state != other.state, "the twins should differ in a secret"
    assert encode(one.public) == encode(other.public)
    assert encode(one.private(viewer)) == encode(other.private(viewer))
    assert game.next_deadline(one.state) == game.next_deadline(other.state)
    assert game.outcome(one.state) == game.outcome(other.state)
    assert one.heard(viewer) == other.heard(viewer)
    assert _touched(one, viewer) == _touched(other, viewer)
    now = max(one.state.core.time, other.state.core.time)
    for action in battery:
        answers = [_answer(table, viewer, action, now, secrets_end) for table in (one, other)]
        assert answers[0] == answers[1], f"{viewer} can tell the twins apart by {action}"


def _touched(table: AnyTable, player: str) -> int:
    """How often this player's view was said to have changed."""
    return sum(player in step.touched for step in table.steps)


def _answer(table: AnyTable, player: str, action: object, now: timedelta, secrets_end: bool) -> Any:
    """What a player is told: the rejection, or what the action made of what this player sees."""
    try:
        step = table.game.submit(table.state, player, action, now, table.draw)
    except Rejected as rejection:
        return rejection.code, rejection.message, rejection.field
    if secrets_end and table.state.core.phase != FINISHED and step.state.core.phase == FINISHED:
        return "finished, and every secret is out"
    return step.public, table.game.public_view(step.state), table.game.private_view(step.state, player)
