"""The simulator plays seeds in a process of its own: it replaces parts of the product, and Django's settings."""

import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tests.fixtures.chosen import EVERYTHING
from tests.fixtures.migrated import copy_migrated

ROOT = Path(__file__).resolve().parents[2]
_SEEDS = 80 if EVERYTHING else 2
"""Twenty take about eight seconds of a processor; `make simulate`, which follows the tests in CI, plays more."""


def simulate(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The output of `python -m lab.simulation` with these arguments."""
    migrated = folder / "migrated.sqlite3"
    if not migrated.exists():
        copy_migrated(migrated)
    kept = ("PATH", "HOME", "LANG")
    env = {name: os.environ[name] for name in kept if name in os.environ} | {
        "SIMULATION_DIR": str(folder),
        "SIMULATION_MIGRATED": str(migrated),
    }
    command = [sys.executable, "-m", "lab.simulation", *arguments]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=600, check=False)


def test_seeds_hold_and_give_the_same_trace_in_another_process(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """Other seeds in each run of the tests: a failure prints the one that replays it."""
    first = Random(pytestconfig.option.hypothesis_seed).randrange(10**6)
    whole = simulate(tmp_path, "run", "--first", str(first), "--seeds", str(_SEEDS), "--jobs", "1")
    assert whole.returncode == 0, whole.stdout + whole.stderr
    assert f"{_SEEDS} seeds, 0 failed" in whole.stdout
    again = simulate(tmp_path, "replay", str(first + _SEEDS - 1))
    assert again.returncode == 0, again.stdout + again.stderr
    (digest,) = re.findall("trace (.*), twice", again.stdout)
    assert f"last trace: {digest}" in whole.stdout
