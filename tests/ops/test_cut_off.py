"""A run of tests that is cut off leaves no process behind, however hard: those that race would race for ever."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fixtures import forks
from tests.fixtures.chosen import one_in

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("how", one_in(3, [signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
def test_what_a_test_has_begun_ends_with_it(tmp_path: Path, how: signal.Signals) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "tests.fixtures.spinning", str(pipe)]
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL) as begun, pipe.open() as told:
        pid = int(told.readline())
        os.kill(pid, 0)  # it is there
        begun.send_signal(how)
        assert select.select([told], [], [], 20)[0], "it is still there"
        assert told.read() == ""


def test_one_that_is_begun_at_that_moment_does_not_stay_either(monkeypatch: pytest.MonkeyPatch) -> None:
    """It looks for its parent once it can be told of the parent's end."""
    asked: list[int | None] = []

    class Over(BaseException):
        pass

    def note(parent: int | None = None) -> None:
        asked.append(parent)
        raise Over

    monkeypatch.setattr(forks, "die_with_parent", note)
    monkeypatch.setattr(os, "setsid", lambda: None)
    monkeypatch.setattr(os, "_exit", lambda status: asked.append(status))
    forks._run(lambda work: None, {"module": "", "work": {}}, parent=4711)
    assert asked == [4711, 1]
