"""What is offered for the fields of each match type's actions is what its rules know."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import inspect

from chat_commands.notation import bare, fields_of
from matches.engine.actions import Decision
from matches.engine.core import RUNNING
from matches.engine.draw import Draw
from matches.engine.errors import Rejected
from matches.engine.game import AnyGame
from matches.games.registry import all_games
from practice.play import roster_of


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.slug)
def test_lots_are_offered_that_the_rules_know(game: AnyGame) -> None:
    draw = Draw(bytes(32))
    state = game.open(game.read_config({}), roster_of(game), draw).state
    while state.core.phase != RUNNING:
        state = game.pass_deadline(state, draw).state
    view, handle = game.public_view(state), state.core.handles[0]
    offered = 0
    for name, kind in game.actions.items():
        for field in () if issubclass(kind, Decision) else fields_of(kind):
            found = game.lots(view, name, field.encode_name)
            assert len(set(found)) == len(found)
            if found:
                offered += 1
                judged(game, state, handle, {"type": name, field.encode_name: value(bare(field.type), found[0])})
    assert offered
    assert not game.lots(view, "no such action", "no such field")


def value(kind: inspect.Type, lot: str) -> Any:
    if isinstance(kind, inspect.DictType):
        return {lot: {} if isinstance(bare(kind.value_type), inspect.StructType) else 1}
    return lot


def judged(game: AnyGame, state: Any, handle: str, action: dict[str, Any]) -> None:
    """Other fields may be missing, and the player may not be able to do it; but the lot is one."""
    numbers = {"amount", "up_to", "count"}
    fields = {field.encode_name for field in fields_of(game.actions[action["type"]]) if field.required}
    code = ""
    try:
        game.submit(state, handle, {**action, **dict.fromkeys(fields & numbers, 1)}, state.core.time, Draw(bytes(32)))
    except Rejected as refused:
        code = refused.code
    assert not code.startswith(("malformed", "unknown"))
