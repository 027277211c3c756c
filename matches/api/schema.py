"""Describes a match type for programs: its settings, actions and questions."""

from __future__ import annotations

from typing import Any

import msgspec

from matches.api.components import one_of
from matches.engine.actions import ActionTypes
from matches.engine.game import AnyGame
from matches.engine.settings import Choice, Data, Flag, Setting, Span, Whole


def game_json(game: AnyGame) -> dict[str, Any]:
    """A match type in short."""
    return {
        "slug": game.slug,
        "title": game.title,
        "summary": game.summary,
        "designers": game.designers,
        "rules_version": game.rules_version,
        "players": {"least": game.sizes.least, "most": game.sizes.most, "usual": game.sizes.usual},
        "teams": game.teams,
        "schema": f"/api/v1/games/{game.slug}/schema/",
    }


def game_schema(game: AnyGame) -> dict[str, Any]:
    """Every setting with its default, the presets, and actions and questions as JSON Schema."""
    defaults = game.read_config({}).write()
    return {
        **game_json(game),
        "config": [_setting(setting) | {"default": defaults[setting.key]} for setting in game.settings],
        "presets": game.presets,
        "refusals": dict(game.refusals),
        "actions": _schema_of(game.actions),
        "questions": _schema_of(game.questions) if game.questions else None,
    }


def _schema_of(types: ActionTypes) -> dict[str, Any]:
    return msgspec.json.schema(one_of(types))


def _setting(setting: Setting) -> dict[str, Any]:
    described: dict[str, Any] = {"key": setting.key, "label": setting.label, "help": setting.help}
    match setting:
        case Whole():
            described |= {"kind": "whole", "minimum": setting.minimum, "maximum": setting.maximum}
        case Span():
            described |= {"kind": "time", "positive": setting.positive}
        case Flag():
            described |= {"kind": "flag"}
        case Choice():
            described |= {"kind": "choice", "choices": setting.choices}
        case Data():
            described |= {"kind": "data", "schema": msgspec.json.schema(setting.shape)}
        case _:
            described |= {"kind": "text"}
    return described
