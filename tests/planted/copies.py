"""A copy of the project, in which faults are planted: what one works on is never touched."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from tests.planted.faults import ROOT, Fault

CONTROL = "test_the_site_stands"
"""Passes with every fault that is worth planting: without it, nothing at all would work, which is no art to find."""

_CONTROL_PATH = "tests/planted/test_control.py"
_LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "var", "staticfiles", "__pycache__", ".*_cache", ".hypothesis")
_GOODBYE_SECONDS = 15.0


class Verdict(StrEnum):
    """What became of a planted fault. Broken: nothing worked, no test was chosen, or the tests did not end."""

    FOUND = "found"
    MISSED = "missed"
    BROKEN = "broken"


class Outcome(NamedTuple):
    """`detail`: the test that found it, or what is broken."""

    verdict: Verdict
    detail: str = ""


class Copy:
    """The project as it stands in the folder, committed or not."""

    def __init__(self, folder: Path) -> None:
        self._root, self._migrated = folder / "project", folder / "migrated"
        shutil.copytree(ROOT, self._root, ignore=_LEFT_OUT)
        (self._root / ".venv").symlink_to(ROOT / ".venv")
        self._migrated.mkdir()
        self._second = (self._root / "manage.py").stat().st_mtime + 1000
        self._process: subprocess.Popen[bytes] | None = None
        self._is_over = False

    def tried(self, fault: Fault, seconds: float) -> Outcome:
        """Plants a fault, and runs its tests for so long at most."""
        path = self._root / fault.file
        sound = path.read_text()
        try:
            planted = fault.planted(sound)
        except ValueError as changed:
            return Outcome(Verdict.BROKEN, str(changed))
        if not any(self._migrated.iterdir()):
            self._tested([], seconds)  # makes the tests' database, and Python's compiled files, of what is sound
        try:
            self._write(path, planted)
            only = ["-k", f"({fault.only}) or {CONTROL}"] if fault.only else []
            return self._tested([*fault.paths, *only], seconds, on_services=fault.services)
        finally:
            self._write(path, sound)

    def stop(self) -> None:
        """Ends the tests that are running, and all that they have begun; no others begin."""
        self._is_over = True
        self._end()

    def _end(self) -> None:
        if (process := self._process) is None or process.poll() is not None:
            return
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                process.wait(_GOODBYE_SECONDS)
            os.killpg(process.pid, signal.SIGKILL)

    def _write(self, path: Path, text: str) -> None:
        """Python takes a compiled file for right by its second and size, so each text has a second of its own."""
        path.write_text(text)
        self._second += 1
        os.utime(path, (self._second, self._second))

    def _tested(self, chosen: list[str], seconds: float, *, on_services: bool = False) -> Outcome:
        if self._is_over:
            return Outcome(Verdict.BROKEN, "the run was cut off")
        report = self._root.parent / "report.xml"
        report.unlink(missing_ok=True)
        command = [sys.executable, "tests/run.py", "services"] if on_services else [sys.executable, "-m", "pytest"]
        command += [_CONTROL_PATH, *chosen, "-x", "-q", "-n0", "-p", "no:cacheprovider", f"--junitxml={report}"]
        environment = {
            **os.environ,
            "PYTHONPATH": str(self._root),
            "MIGRATED": str(self._migrated),
            "EVERY_SCENARIO": "1",  # a run for a commit takes a part of what is much alike
        }
        with subprocess.Popen(
            command,
            cwd=self._root,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as self._process:
            try:
                self._process.wait(seconds)
            except subprocess.TimeoutExpired:
                return Outcome(Verdict.BROKEN, f"the tests had not ended after {seconds:.0f} s")
            finally:
                self._end()
        return judged(report)


def judged(report: Path) -> Outcome:
    """What pytest's report says."""
    if not report.exists():
        return Outcome(Verdict.BROKEN, "the tests did not begin")
    names = dict[str, bool]()
    for case in ElementTree.parse(report).iter("testcase"):  # noqa: S314 - pytest has just written it
        said = {child.tag for child in case}
        if "skipped" not in said:
            names[f"{case.get('classname')}.{case.get('name')}"] = not said & {"failure", "error"}
    control = [passed for name, passed in names.items() if name.endswith(f".{CONTROL}")]
    failed = [name for name, passed in names.items() if not passed]
    if control != [True]:
        return Outcome(Verdict.BROKEN, "not even the front page works")
    if failed:
        return Outcome(Verdict.FOUND, failed[0])
    if len(names) == 1:
        return Outcome(Verdict.BROKEN, "no test was chosen")
    return Outcome(Verdict.MISSED)


@contextmanager
def copied(number: int) -> Iterator[list[Copy]]:
    """So many copies, which are gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="genius-planted-") as folder:
        copies = [Copy(Path(folder, str(each))) for each in range(number)]
        try:
            yield copies
        finally:
            for copy in copies:
                copy.stop()
