"""`make audit` finds packages that are behind and packages with holes, and never takes silence for a good answer."""

from __future__ import annotations

import json
import subprocess
import tomllib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.architecture.files import ROOT
from tests.audit import __main__ as audit
from tests.audit.__main__ import ACCEPTED, NOT_ASKED, TO_DO, VENDOR, WELL, main
from tests.audit.locks import LOCKS, pins

HTMX = next(each for each in json.loads(VENDOR.read_text()) if "ecosystem" in each)
CBOR = ["cbor2==5.9.0 ; python_version < '3'", "cbor2==6.3.0", "cbor2==5.1 ; platform_python_implementation == 'PyPy'"]
LOCKED = {
    "requirements.lock": ["django==5.2.19", *CBOR],
    "requirements-dev.lock": ["django==5.2.19", "pytest==9.2.0 ; sys_platform == 'never'"],
    "requirements-uv.lock": ["uv==0.13.9"],
}


class Database:
    """Answers like OSV: what has a hole is planted, and `asked` is what it was asked for."""

    def __init__(self) -> None:
        self.holes: dict[tuple[str, str], dict[str, Any]] = {}
        self.asked: set[tuple[str, str, str]] = set()
        self.status = 200
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1/query"
        Thread(target=self._server.serve_forever, daemon=True).start()

    def plant(self, name: str, version: str, ecosystem: str = "PyPI", **more: Any) -> None:
        ranges = [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "99.1"}]}]
        affected = [{"package": {"name": name, "ecosystem": ecosystem}, "ranges": ranges}]
        hole = {"id": f"TEST-{name}", "aliases": ["CVE-1"], "affected": affected, "published": "2026-01-01T00:00:00Z"}
        self.holes[name, version] = hole | more

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        name, version = asked["package"]["name"], asked["version"]
        self.asked.add((asked["package"]["ecosystem"], name, version))
        hole = self.holes.get((name, version))
        return {"vulns": [hole]} if hole else {}

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        database = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.dumps(database.answer(json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
                self.send_response(database.status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *about: Any) -> None:
                pass

        return Handler


@pytest.fixture
def database(monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    running = Database()
    yield running
    running.stop()


@pytest.fixture
def locked(tmp_path: Path) -> Path:
    return written(tmp_path / "locked", LOCKED)


def written(folder: Path, locks: dict[str, list[str]]) -> Path:
    folder.mkdir()
    for lock, lines in locks.items():
        (folder / lock).write_text("".join(f"{line} \\\n    --hash=sha256:00\n    # via x\n" for line in lines))
    return folder


def test_if_all_is_new_and_no_hole_is_known_nothing_is_to_be_done(
    database: Database, locked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(locked, locked, database.url) == WELL
    assert capsys.readouterr().out.count("none") == 3
    everywhere = {("django", "5.2.19"), ("cbor2", "5.9.0"), ("cbor2", "6.3.0"), ("pytest", "9.2.0"), ("uv", "0.13.9")}
    assert database.asked == {
        *(("PyPI", *each) for each in everywhere),
        (HTMX["ecosystem"], HTMX["name"], HTMX["version"]),
    }


def test_a_package_of_which_there_is_a_newer_release_is_named(
    database: Database, locked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    newest = written(tmp_path / "newest", LOCKED | {"requirements-uv.lock": ["uv==0.13.10", "another==1.0"]})
    assert main(locked, newest, database.url) == TO_DO
    assert "    uv 0.13.9, now 0.13.10\n" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "version"), [("django", "5.2.19"), ("cbor2", "5.9.0"), ("pytest", "9.2.0")])
def test_a_package_with_a_hole_is_named(
    database: Database, locked: Path, capsys: pytest.CaptureFixture[str], name: str, version: str
) -> None:
    """Also one that is for other systems than this."""
    database.plant(name, version)
    assert main(locked, locked, database.url) == TO_DO
    assert f"    {name} {version}: CVE-1, TEST-{name}, mended in 99.1\n" in capsys.readouterr().out


def test_a_hole_is_passed_over_in_its_package_until_its_day(
    database: Database, locked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "ACCEPTED", tmp_path / "accepted.toml")
    database.plant("django", "5.2.19")
    for package, until, code in (
        ("django", "9999-01-01", WELL),
        ("pytest", "9999-01-01", TO_DO),
        ("django", "2026-01-01", TO_DO),
    ):
        audit.ACCEPTED.write_text(f'[CVE-1]\npackage = "{package}"\nuntil = {until}\nwhy = "..."\n')
        assert main(locked, locked, database.url) == code


def test_what_is_accepted_is_locked_and_has_a_reason() -> None:
    for accepted in tomllib.loads(ACCEPTED.read_text()).values():
        assert set(accepted) == {"package", "until", "why"}
        assert accepted["package"] in pins(ROOT)
        assert accepted["why"].strip()


def test_a_script_with_a_hole_is_named_unless_that_was_taken_back(
    database: Database, locked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database.plant(HTMX["name"], HTMX["version"], HTMX["ecosystem"])
    assert main(locked, locked, database.url) == TO_DO
    assert f"    {HTMX['name']} {HTMX['version']}: CVE-1, TEST-" in capsys.readouterr().out
    database.plant(HTMX["name"], HTMX["version"], HTMX["ecosystem"], withdrawn="2026-02-01T00:00:00Z")
    assert main(locked, locked, database.url) == WELL


def test_what_could_not_be_asked_is_said_and_has_a_code_of_its_own(
    database: Database, locked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(locked, tmp_path / "not there", database.url) == NOT_ASKED
    assert capsys.readouterr().out.count("NOT ASKED") == 1
    database.status = 500
    assert main(locked, locked, database.url) == NOT_ASKED
    assert capsys.readouterr().out.count("NOT ASKED") == 2
    database.stop()
    assert main(locked, locked, database.url) == NOT_ASKED
    assert capsys.readouterr().out.count("NOT ASKED") == 2
    newest = written(tmp_path / "newest", LOCKED | {"requirements-uv.lock": ["uv==0.13.10"]})
    assert main(locked, newest, database.url) == TO_DO, "what is found counts more"


def dry(goal: str) -> list[str]:
    """The commands by which this goal of the Makefile makes locks."""
    ran = subprocess.run(["make", "-n", goal], cwd=ROOT, capture_output=True, text=True, check=True)
    return [line for line in ran.stdout.splitlines() if "pip compile" in line]


def test_it_compares_with_locks_that_are_made_like_those_that_are_there() -> None:
    again = dry("audit")
    assert [f"-o .venv/newest/{lock}" in line for lock, line in zip(LOCKS, again, strict=True)] == [True] * len(LOCKS)
    assert [line.replace(".venv/newest/", "") for line in again] == dry("lock")
    assert {"django", "pytest", "uv"} <= pins(ROOT).keys(), "and each package in them is read"
