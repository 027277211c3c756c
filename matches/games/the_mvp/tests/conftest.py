"""What the tests of pages share."""

import pytest

from matches.games.the_mvp.tests.at_table import AtTable
from matches.models import clock
from tests.fixtures.made_once import made_once


@pytest.fixture
def at_table(db: None, present: clock.FixedTime) -> AtTable:
    """The first round has just begun."""
    return made_once(AtTable, lambda: AtTable(present), present)
