"""Names of deleted accounts are shown by what they are called now, and nobody else can bring them back or take away
those of others."""

import pytest

from accounts import deletion
from matches.models import Match, clock
from matches.queries.names import names_now
from matches.services import hosting, joining
from tests.services.conftest import DAY, Table, person, register_tiny_game


@pytest.fixture
def table(db: None, monkeypatch: pytest.MonkeyPatch) -> Table:
    register_tiny_game(monkeypatch)
    return Table(clock.FixedTime(clock.now()))


def leaves_as(table: Table, username: str, name: str, *, plays: bool) -> None:
    """Somebody comes, calls themselves so, and deletes their account."""
    guest = person(username)
    guest.display_name = name
    guest.save()
    if plays:
        joining.join(table.match, guest)
    deletion.delete(guest)


def test_a_stranger_of_the_same_name_does_not_bring_it_back(table: Table) -> None:
    Match.objects.filter(pk=table.match_id).update(joining="open", places=8)
    hosting.publish(table.match, table.host, clock.now() + DAY)
    leaves_as(table, "anna", "Anna B", plays=True)
    before = names_now(table.match, ["Anna B", "anna"])
    assert before.keys() == {"Anna B", "anna"}
    leaves_as(table, "stranger", "Anna B", plays=False)
    assert names_now(table.match, ["Anna B", "anna"]) == before
