"""What hosts type is checked as they go, and an error loses none of it."""

from typing import Any

import pytest

from matches.models import Match
from tests.admin.conftest import Console

pytestmark = pytest.mark.django_db


def test_an_error_in_one_row_keeps_them_all(console: Console, draft: Match, players: list[Any]) -> None:
    rows = [{"handle": f"place{number}", "garnets": str(number)} for number in range(15)]
    page = console.save_players([*rows, {"handle": "two words", "name": "Zoë"}])
    assert "Not saved yet" in page
    for row in (*rows, {"handle": "two words", "garnets": ""}):
        assert f'value="{row["handle"]}"' in page
    assert 'data-unsaved="yes"' in page
    refused = console.save_players([*rows, {"person": "hanna", "name": "Zoë"}])
    assert "hanna hosts this match" in refused
    assert all(f'value="place{number}"' in refused for number in range(15))
