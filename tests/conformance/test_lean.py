"""Lean templates show what Django's own would show: every part of a match's page, of every game, in every phase, for
everybody and for each player."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.template.base import NodeList, VariableNode
from django.template.defaulttags import ForNode, IfNode, WithNode
from django.template.library import SimpleNode
from django.template.loader_tags import IncludeNode

from genius_site import lean_nodes
from genius_site import lean_templates as lean
from matches.engine.game import AnyGame
from matches.games import registry
from matches.pages import rendering
from matches.pages.cached import CachedNode
from tests.conformance.staging import standings, stored
from tests.conformance.subjects import WITH_FOLDERS, every_game
from tests.conformance.test_kept_texts import kept
from tests.engine.tiny_game import GAME as TINY
from tests.fixtures.present import START


@contextmanager
def as_django_does(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setattr(lean.LeanVariable, "look_up", lambda *_: lean.OTHERWISE)
        patch.setattr(lean.LeanValue, "render", VariableNode.render)
        patch.setattr(lean.LeanTag, "render", SimpleNode.render)
        patch.setattr(lean.LeanInclude, "render", IncludeNode.render)
        patch.setattr(lean_nodes.LeanNodes, "render", NodeList.render)
        patch.setattr(lean_nodes.LeanIf, "render", IfNode.render)
        patch.setattr(lean_nodes.LeanFor, "render", ForNode.render)
        patch.setattr(lean_nodes.LeanWith, "render", WithNode.render)
        yield


def shown(match: Any) -> dict[tuple[str, str], str]:
    """All parts, rendered again."""
    with kept({}):
        position = rendering.position_of(match)
        found = {("", name): part for name, part in rendering.public_parts(position, START).items()}
        found["", "summary"] = rendering.summary(position, START)
        for player in match.players.all():
            parts = rendering.private_parts(position, player, START)
            found |= {(player.handle, name): part for name, part in parts.items()}
    return found


@every_game
@pytest.mark.django_db
def test_a_lean_template_shows_what_django_would_show(game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "all_games", lambda: {**WITH_FOLDERS, TINY.slug: TINY})
    monkeypatch.setattr(CachedNode, "render", lambda node, context: node.nodelist.render(context))
    for standing in standings(game):
        match = stored(standing)
        with as_django_does(monkeypatch):
            wanted = shown(match)
        assert shown(match) == wanted
