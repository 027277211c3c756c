"""Actions that nobody should send, made from actions that somebody might."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from matches.engine.draw import Draw
from matches.engine.game import Game

ODD_NUMBERS = (0, -1, 1, 2, 3, 7, 10**6, 10**30, -(10**30), True, False, None, "5", 2.5, 3.0, 1e3, float("nan"), [], {})
ODD_TEXTS = ("", "ann", "nobody", "A", "Z", "\ud800", "\x00", "Ω" * 300, None, 5, True, [], {})
LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
ODD_WHOLES = (None, 5, "bid", [], True, {}, {"type": None}, {"type": 7}, {"type": "\ud800"}, {"type": "fly"})


def mutated(game: Game[Any, Any], action: Mapping[str, Any] | None, names: tuple[str, ...], draw: Draw) -> Any:
    """An action that differs from `action` (or from one made up) in one place."""
    if draw.integer("whole", 20) == 0:
        return draw.choice("odd whole", ODD_WHOLES)
    raw = dict(action) if action is not None and draw.integer("fresh", 2) else _made_up(game, names, draw)
    fields = [key for key in raw if key != "type"]
    kind = draw.integer("kind of change", 12)
    if kind == 0 and fields:
        del raw[draw.choice("dropped", fields)]
    elif kind == 1:
        raw[draw.choice("added", ("", "extra", "\ud800", "x" * 500))] = 1
    elif kind == 2:
        raw["type"] = draw.choice("other type", tuple(game.actions))
    elif fields and kind < 7:
        field = draw.choice("changed", fields)
        raw[field] = _changed(raw[field], names, draw)
    return raw


def _made_up(game: Game[Any, Any], names: tuple[str, ...], draw: Draw) -> dict[str, Any]:
    """An action of the right shape with any content."""
    kind = draw.choice("made up", tuple(game.actions))
    raw: dict[str, Any] = {"type": kind}
    for field in msgspec.structs.fields(game.actions[kind]):
        if field.type is int:
            raw[field.name] = draw.integer(f"number {field.name}", 12)
        elif field.type is str:
            raw[field.name] = draw.choice(f"text {field.name}", (*names, *LETTERS))
        elif field.required:
            raw[field.name] = list(draw.sample(f"list {field.name}", names, 2)) if "tuple" in str(field.type) else {}
    return raw


def _changed(value: Any, names: tuple[str, ...], draw: Draw) -> Any:
    if isinstance(value, dict) and value:
        key = draw.choice("inner key", sorted(value))
        return {**value, key: _changed(value[key], names, draw)}
    if isinstance(value, list) and value and draw.integer("inner", 2):
        place = draw.integer("inner place", len(value))
        return [*value[:place], _changed(value[place], names, draw), *value[place + 1 :]]
    if isinstance(value, list):
        return draw.choice("odd list", ([], [*value, *value], list(names), None, "ann", {}))
    if isinstance(value, str):
        return draw.choice("odd text", ODD_TEXTS if draw.integer("odd", 3) == 0 else (*names, *LETTERS))
    return draw.choice("odd number", ODD_NUMBERS) if draw.integer("odd", 3) == 0 else draw.integer("number", 25) - 2
