"""What fails halfway under a match's lock leaves nothing behind, and nobody is told of it."""

from typing import Any

import pytest

from matches.services import signals
from matches.services.commands import command_row
from matches.services.locking import locked_match
from tests.services.conftest import Table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What is said after commits."""
    found: list[dict[str, Any]] = []
    monkeypatch.setattr(signals.match_changed, "send_robust", lambda sender, **facts: found.append(facts) or [])
    return found


def write(table: Table, *, fails: bool) -> None:
    with locked_match(table.match_id) as writer:
        writer.record(command_row(writer, table.host, "something"))
        writer.touch(public=True)
        writer.save()
        if fails:
            raise ZeroDivisionError


def test_half_of_a_command_is_not_stored(table: Table, told: list[dict[str, Any]]) -> None:
    before = (table.match.log_count, table.match.log.count(), table.match.public_version)
    with pytest.raises(ZeroDivisionError):
        write(table, fails=True)
    assert (table.match.log_count, table.match.log.count(), table.match.public_version) == before
    assert told == []
