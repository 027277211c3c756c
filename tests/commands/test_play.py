"""`manage.py play`: what it prints and what it returns."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from django.conf import settings

from matches import games
from tests.commands.played import BIDS, Played

# -- what it prints ------------------------------------------------------------------------------


def test_a_position_is_printed_in_full(write: Any) -> None:
    played = Played(write())
    assert (played.status, played.errors) == (0, "")
    (line,) = played.lines
    assert set(line) == {
        *("steps", "phase", "now", "next_deadline", "public", "private", "balances", "outcome"),
    }
    assert line["steps"] == [
        {"accepted": True},
        {"accepted": False, "code": "not_enough_chips", "message": "You can bid up to 10 chips."},
        {},
    ]
    assert (line["phase"], line["now"], line["next_deadline"], line["outcome"]) == ("running", 10_800, 86_400, None)
    assert line["balances"]["bob"] == {"chip": 10, "garnet": 3, "priority": 1}
    assert set(line["private"]) == {"ann", "bob", "cat"}


# -- expectations --------------------------------------------------------------------------------


def test_a_broken_expectation_is_told_on_standard_error(write: Any) -> None:
    bid = {"at": 0, "player": "ann", "action": {"type": "bid", "amount": 1}}
    path = write(
        steps=[{**bid, "rejected": "own_bid"}, {**bid, "accepted": True}, {**bid, "action": 1, "accepted": True}]
    )
    played = Played(path)
    assert played.status == 1
    assert len(played.lines) == 1
    assert "error" not in played.lines[0]
    assert played.errors.splitlines() == [
        f"{path}: steps[0]: expected own_bid, got accepted",
        f"{path}: steps[2]: expected accepted, got malformed",
    ]


def test_all_files_are_played_and_the_worst_decides(write: Any) -> None:
    broken = write(steps=[{**BIDS[0], "rejected": "x"}])
    played = Played(write(b"nonsense"), broken, write())
    assert played.status == 2
    assert ["error" in line for line in played.lines] == [True, False, False]
    assert Played(write(), broken, write()).status == 1
    assert Played(write(), write()).status == 0


def test_the_real_command_returns_its_status_without_touching_a_database(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("{}")
    good = next(Path(games.__file__).parent.glob("*/tests/scenarios/*.json"))
    command = [sys.executable, "manage.py", "play", str(bad), str(good)]
    environment = {"PATH": "/usr/bin", "LOCAL": "1", "DATA_DIR": str(tmp_path / "data"), "SECRET_KEY": "x" * 50}
    done = subprocess.run(
        command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2, done.stderr
    assert ["error" in json.loads(line) for line in done.stdout.splitlines()] == [True, False]
    assert done.stderr == ""
    assert not list(tmp_path.glob("data/*.sqlite3"))
