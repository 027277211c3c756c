"""deploy/systemd runs what docker-compose.yml runs, and docs/running.md puts all of it in place."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

from tests.fixtures.processes import required
from tests.ops import compose
from tests.ops.test_env import in_force

FOLDER = compose.ROOT / "deploy" / "systemd"
UNITS = sorted(path.name for path in FOLDER.iterdir() if path.suffix in (".service", ".target", ".timer"))
SERVED = ("web", "worker", "beat")
MANUAL = (compose.ROOT / "docs" / "running.md").read_text()


def unit(name: str) -> configparser.ConfigParser:
    found = configparser.ConfigParser(strict=True, interpolation=None)
    found.optionxform = str  # type: ignore[assignment]
    found.read(FOLDER / name)
    return found


@pytest.mark.parametrize("name", SERVED)
def test_the_programs_are_those_of_compose(name: str) -> None:
    given = dict.fromkeys(compose.ASKED_FOR, "x")
    command = compose.load(given)["services"][name]["command"]
    elsewhere = {
        "0.0.0.0": "127.0.0.1",  # noqa: S104
        "worker@%h": "worker@%H",
        "/data/beat-schedule": "/var/lib/genius/beat-schedule",
    }
    wanted = [elsewhere.get(word, word) for word in command]
    service = unit(f"genius-{name}.service")["Service"]
    assert service["ExecStart"].removeprefix("/srv/genius/.venv/bin/").split() == wanted
    assert service["Restart"] == "always"
    assert service["User"] == "genius"


@pytest.mark.parametrize("name", ["beat", "backup"])
def test_what_speaks_to_nobody_else_can_reach_this_machine_alone(name: str) -> None:
    lines = (FOLDER / f"genius-{name}.service").read_text().splitlines()
    assert [line for line in lines if line.startswith("IPAddress")] == ["IPAddressDeny=any", "IPAddressAllow=localhost"]


def test_the_example_environment_is_enough_once_it_has_a_key() -> None:
    text = (FOLDER / "genius.env.example").read_text()
    values = dict(re.findall(r"^(\w+)='(.*)'$", text, re.MULTILINE))
    assert len(values) == sum(not line.startswith("#") for line in text.splitlines())
    assert set(values) <= settings.ENV.names
    found = in_force(**{**values, "SECRET_KEY": "k" * 50})
    assert found["SECURE_PROXY"]
    assert found["REDIS_URL"]
    assert "discord.com" in found["OUTGOING_HOSTS"]


def test_the_manual_puts_every_unit_in_place() -> None:
    lines = [line.split() for line in MANUAL.splitlines() if line.startswith("    cp deploy/systemd/")]
    copied = {path.name for word in lines[0][1:-1] for path in compose.ROOT.glob(word)}
    assert copied == set(UNITS)
    for name in SERVED:
        assert f" genius-{name}" in MANUAL
    assert "genius-backup.timer\n" in MANUAL


def test_systemd_accepts_them(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        missing = "systemd is not on this machine"
        pytest.fail(missing) if required() else pytest.skip(missing)
    for name in UNITS:
        text = (FOLDER / name).read_text()
        (tmp_path / name).write_text(re.sub(r"/srv/genius/\.venv/bin/\w+", "/bin/true", text))
    done = subprocess.run(
        ["systemd-analyze", "verify", *(tmp_path / name for name in UNITS)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_secrets_out_of_the_store_are_read_by_the_units_and_by_manage(tmp_path: Path) -> None:
    kept = dict(re.findall(r"^LoadCredentialEncrypted=(.+):(.+)$", (FOLDER / "secrets.conf").read_text(), re.MULTILINE))
    given = dict(re.findall(r"^Environment=(\w+)_FILE=%d/(.+)$", (FOLDER / "secrets.conf").read_text(), re.MULTILINE))
    assert {f"genius.{name}" for name in given} == set(given.values()) == set(kept)
    assert set(given) <= settings.ENV.names
    assert {path.removesuffix(path.rpartition("/")[2]) for path in kept.values()} == {"/etc/credstore.encrypted/"}

    store, tools = tmp_path / "store", tmp_path / "tools"
    store.mkdir()
    tools.mkdir()
    (tmp_path / "genius.env").write_text("SITE_URL='https://genius.example.org'\n")
    for name in given:
        (store / f"genius.{name}").write_text(f"{name} with $(false), 'a quote' and \\ in it")
    for tool, does in {"systemd-creds": 'cat "$3"', "runuser": "env"}.items():
        (tools / tool).write_text(f"#!/bin/sh\n{does}\n")
        (tools / tool).chmod(0o755)
    done = subprocess.run(
        [FOLDER / "manage", "check"],
        env={"PATH": f"{tools}:/usr/bin:/bin", "GENIUS_ENV": str(tmp_path / "genius.env"), "GENIUS_STORE": str(store)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert sorted(line for line in done.stdout.splitlines() if line.startswith(tuple(given))) == [
        f"{name}={(store / f'genius.{name}').read_text()}" for name in sorted(given)
    ]


def test_systemd_accepts_the_secrets(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        missing = "systemd is not on this machine"
        pytest.fail(missing) if required() else pytest.skip(missing)
    text = (FOLDER / "genius-web.service").read_text()
    (tmp_path / "genius-web.service").write_text(re.sub(r"/srv/genius/\.venv/bin/\w+", "/bin/true", text))
    (tmp_path / "genius-web.service.d").mkdir()
    shutil.copy(FOLDER / "secrets.conf", tmp_path / "genius-web.service.d")
    done = subprocess.run(
        ["systemd-analyze", "verify", tmp_path / "genius-web.service"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
