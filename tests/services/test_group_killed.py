"""Killed at any moment, a group writer has lost nothing that it answered, and stored nothing half."""

import random
import signal

import pytest

from matches.models import Submission, clock
from matches.services.replay import verify
from tests.fixtures.forks import Fork
from tests.services.conftest import Table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]

KILLS = 4


def play_until_killed(tables: list[Table], run: int, answers: int) -> list[str]:
    """Receipts that the process had told of when it was killed, in the middle of whatever it did then."""
    tasks = [
        {"match": table.match_id, "user": user.pk, "run": run} for table in tables for user in table.users.values()
    ]
    with Fork("tests.services.group_player", {"tasks": tasks}) as process:
        told = [process.stdout.readline() for _ in range(answers)]
        process.send_signal(signal.SIGKILL)
        told += process.stdout.readlines()
    return [line.strip() for line in told if line.endswith("\n")]


def test_what_was_answered_is_stored_and_what_is_stored_is_whole() -> None:
    tables = [Table(clock.FixedTime(clock.now()), garnets=100_000, chip_price=1).open() for _ in range(3)]
    chance, told = random.Random(1), list[str]()
    for run in range(KILLS):
        told += play_until_killed(tables, run, chance.randrange(20, 120))
    stored = set(Submission.objects.filter(kind="action").values_list("receipt_hash", flat=True))
    assert len(told) > 20 * KILLS
    assert set(told) <= stored
    for table in tables:
        assert verify(table.match) == []
        for player in table.match.players.all():
            rows = table.match.log.filter(player=player, kind="action").order_by("number")
            assert list(rows.values_list("own_number", flat=True)) == list(range(1, player.action_count + 1))
