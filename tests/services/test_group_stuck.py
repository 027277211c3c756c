"""What somebody else keeps locked costs the group writer that match, and nobody else anything."""

import pytest

from matches.models import clock
from matches.services.group.batch import Locked, together
from matches.services.group.writer import Memory
from tests.fixtures.locks import kept
from tests.services.conftest import Table
from tests.services.test_group import accepted, bid
from tests.services.test_standing_still import beside

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def tables() -> list[Table]:
    present = clock.FixedTime(clock.now())
    return [Table(present).open() for _ in range(2)]


def test_what_nobody_could_foresee_is_waited_for_a_moment_only(tables: list[Table]) -> None:
    asks = [bid(tables[0], "ann"), bid(tables[1], "bob")]
    found = beside(kept("LOCK TABLE matches_submission"), lambda: together(asks, Memory()))
    assert [type(each) for each in found] == [Locked] * 2
    assert accepted(together(asks, Memory())) == [True] * 2
