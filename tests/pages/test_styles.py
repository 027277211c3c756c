"""Which style sheets a page loads, and in which order, is said in one place."""

import re

import pytest
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string

from matches.games.registry import all_games
from matches.pages.styles import bundles

LINK = re.compile(r'<link rel="stylesheet" href="/static/([^"]+)">')
KINDS = (
    *("", "lists", "game", "match", "replay", "preview", "talk", "person", "season", "account", "hosting"),
    "styleguide",
)
MOST = 2
"""How many bundles of sheets a page asks for."""


def asked_for(kind: str, game: str = "") -> list[str]:
    """What all pages share, but for hosts' pages, and what this kind has besides."""
    kinds = [kind] if kind in ("", "hosting") else ["", kind]
    return [
        sheet
        for each in kinds
        for sheet in LINK.findall(render_to_string("includes/stylesheets.html", {"styles_for": each, "game": game}))
    ]


def loaded(kind: str, game: str = "") -> list[str]:
    return [sheet for bundle in asked_for(kind, game) for sheet in bundles()[bundle]]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", all_games())
def test_a_page_loads_few_sheets_and_each_once_tokens_first(kind: str, game: str) -> None:
    names = loaded(kind, game)
    assert names[0] == "css/tokens.css"
    assert len(names) == len(set(names))
    assert len(asked_for(kind, game)) <= MOST
    assert [name for name in names if not finders.find(name)] == []


# -- bundles -------------------------------------------------------------------------------------
