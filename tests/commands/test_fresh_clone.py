"""Every command where nothing was ever started: it works, or says in one line what would help."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from matches.infra.private_files import make_private
from tests.commands.played import Played

ROOT = Path(__file__).resolve().parents[2]
SCENARIO = next(ROOT.glob("matches/games/*/tests/scenarios/*.json"))


def run(folder: Path, *command: str, root: Path = ROOT, **more: str) -> subprocess.CompletedProcess[str]:
    """One command in an environment that says nothing but where files are to be kept."""
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(folder / "data"), **more}
    return subprocess.run(
        [sys.executable, *command], cwd=root, env=environment, capture_output=True, text=True, check=False, timeout=120
    )


def test_a_scenario_is_played_through_the_services_on_a_database_of_its_own(tmp_path: Path) -> None:
    in_memory = Played(SCENARIO)
    stored = run(tmp_path, "manage.py", "play", "--database", str(SCENARIO))
    assert (stored.returncode, stored.stderr) == (0, "")
    assert stored.stdout == in_memory.text
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["secret.txt"]


# -- who can read it ------------------------------------------------------------------------------


def test_no_file_is_opened_that_is_there_already(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing a file gives up all locks of the process on it, and those of SQLite with them."""
    path = tmp_path / "a.sqlite3"
    make_private(path)
    opened: list[object] = []
    monkeypatch.setattr(os, "open", lambda *arguments: opened.append(arguments) or _raise(FileExistsError))
    make_private(path)
    assert opened == [(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)]


def _raise(error: type[Exception]) -> None:
    raise error
