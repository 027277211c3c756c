"""What a host's clock commands do in a match that is faster than real time."""

from datetime import UTC, datetime
from typing import Any

import pytest

from matches.models import Match
from matches.services.hosting import extend, undo
from tests.admin.conftest import Console


@pytest.fixture
def fast(console: Console, draft: Match, players: list[Any]) -> Match:
    """A match that runs eight times as fast: its first deadline, after 24 h of match time, comes after 3 h."""
    Match.objects.filter(pk=draft.pk).update(speed=8)
    console.save_players([{"person": user.username} for user in players])
    console.do("start")
    return draft


def test_an_extension_until_an_instant_ends_at_it_in_a_fast_match_too(console: Console, fast: Match) -> None:
    until = datetime(2031, 5, 17, 20, 30, tzinfo=UTC)
    host = fast.hosts.get()
    extend(fast, host, until=until)
    fast.refresh_from_db()
    assert fast.next_deadline_at == until
    undo(fast, host, fast.log.latest("number").number)
    fast.refresh_from_db()
    assert fast.next_deadline_at == datetime(2031, 5, 17, 16, tzinfo=UTC)
