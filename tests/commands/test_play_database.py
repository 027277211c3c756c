"""`manage.py play --database`: the real services on a scratch match print the same as the rules alone."""

import os
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from matches import games
from matches.models import Match, Player
from tests.commands.played import Played, refusal
from tests.engine.tiny_game import GAME as TINY

SCENARIOS = sorted(Path(games.__file__).parent.glob("*/tests/scenarios/*.json"))
pytestmark = [pytest.mark.django_db]

# The rules alone play every scenario elsewhere. Here the longest of each game are enough, and on PostgreSQL only one:
# what is stored is the same text in every database. EVERY_SCENARIO=1 takes them all.
if not os.environ.get("EVERY_SCENARIO"):
    most = 1 if connection.vendor == "postgresql" else 4
    by_game: dict[str, list[Path]] = {}
    for path in sorted(SCENARIOS, key=lambda path: (-path.stat().st_size, path.name)):
        by_game.setdefault(path.parts[-4], []).append(path)
    SCENARIOS = sorted(path for paths in by_game.values() for path in paths[:most])


@pytest.mark.parametrize("path", SCENARIOS, ids=[f"{path.parts[-4]}/{path.stem}" for path in SCENARIOS])
def test_both_ways_print_the_same(path: Path) -> None:
    in_memory, stored = Played(path), Played(path, "--database")
    assert stored.text == in_memory.text
    assert (stored.status, stored.errors) == (in_memory.status, in_memory.errors) == (0, "")


def test_a_scratch_match_is_rolled_back_unless_it_is_to_be_kept(write: Any) -> None:
    path = write()
    assert Played(path, "--database").status == 0
    assert (Match.objects.count(), Player.objects.count()) == (0, 0)
    assert Played(path, path, "--database", "--keep").status == 0
    assert [match.status for match in Match.objects.all()] == ["paused", "paused"]
    assert all(match.next_deadline_at is None for match in Match.objects.all())


def test_a_fault_of_the_rules_is_told_and_leaves_nothing(write: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(TINY), "act", lambda *arguments: 1 / 0)
    assert "ZeroDivisionError" in refusal(write(), "--database")
    assert Match.objects.count() == 0
