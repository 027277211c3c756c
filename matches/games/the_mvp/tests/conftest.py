"""What the tests of pages share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from matches import clock
from matches.games.the_mvp.tests.at_table import START, AtTable


@pytest.fixture
def present() -> Iterator[clock.FixedTime]:
    """The present, which moves only by hand."""
    with clock.fixed(START) as fixed:
        yield fixed


@pytest.fixture
def at_table(db: None, present: clock.FixedTime) -> AtTable:
    """The first round has just begun."""
    return AtTable(present)
