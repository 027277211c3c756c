"""Fixtures of all games' tests: the match at the site in a game's `at_table.py`."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from matches.models import clock
from tests.fixtures.made_once import made_once
from tests.games.site_table import SiteTable, in_turn


@pytest.fixture
def table_type(request: pytest.FixtureRequest) -> type[SiteTable]:
    """The game's own kind of match at the site."""
    found: type[SiteTable] = import_module(f"{request.module.__package__}.at_table").AtTable
    return found


@pytest.fixture
def at_table(table_type: type[SiteTable], db: None, present: clock.FixedTime) -> SiteTable:
    """A match at the site in which players can act."""
    return made_once(table_type, lambda: table_type(present).at(table_type.begins), present)


@pytest.fixture
def make(table_type: type[SiteTable], present: clock.FixedTime) -> Callable[[dict[str, Any]], SiteTable]:
    """Makes such matches with other settings."""
    return in_turn(present, table_type)
