"""Asks a database of holes that speaks OSV's API about packages, by pip-audit, and about the scripts of others."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import requests

from tests.audit.locks import Pins

PATIENCE = 20  # seconds for one answer


class NotAsked(Exception):
    """The database gave no answer; why."""


class Hole(NamedTuple):
    """A hole in what is locked: its `names` in databases, and in which releases it is mended."""

    package: str
    version: str
    names: frozenset[str]
    mended: tuple[str, ...]

    def __str__(self) -> str:
        how = f"mended in {', '.join(self.mended)}" if self.mended else "no release mends it yet"
        return f"{self.package} {self.version}: {', '.join(sorted(self.names))}, {how}"


def of_packages(pins: Pins, service: str) -> Iterator[Hole]:
    """Raises `NotAsked`."""
    # pip-audit takes one version of each package; a second one, for some systems or Pythons, comes later.
    lines = [[f"{name}=={version}" for version in sorted(versions)] for name, versions in sorted(pins.items())]
    for together in zip_longest(*lines):
        yield from _of_one_each([line for line in together if line], service)


def _of_one_each(lines: list[str], service: str) -> Iterator[Hole]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "requirements.txt"
        file.write_text("\n".join(lines))
        command = [sys.executable, "-m", "pip_audit", "--no-deps", "--disable-pip", "--progress-spinner", "off"]
        asked = ["-s", "osv", "--osv-url", service, "--timeout", str(PATIENCE), "--cache-dir", folder]
        whole = [*command, *asked, "--format", "json", "-r", str(file)]
        ran = subprocess.run(whole, capture_output=True, text=True, check=False)
    try:
        told = json.loads(ran.stdout)["dependencies"]
    except ValueError:
        raise NotAsked((ran.stderr.strip().splitlines() or ["no answer"])[-1]) from None
    if left_out := set(lines) - {f"{package['name']}=={package.get('version')}" for package in told}:
        raise NotAsked(f"{', '.join(sorted(left_out))}: left out")
    for package in told:
        for hole in package["vulns"]:
            names = frozenset([hole["id"], *hole["aliases"]])
            yield Hole(package["name"], package["version"], names, tuple(hole["fix_versions"]))


def of_scripts(manifest: Iterable[dict[str, Any]], service: str) -> Iterator[Hole]:
    """The same of what static/vendor has of others and comes from where OSV has an ecosystem."""
    for library in manifest:
        if "ecosystem" not in library:
            continue
        package = {"name": library["name"], "ecosystem": library["ecosystem"]}
        try:
            answer = requests.post(service, json={"package": package, "version": library["version"]}, timeout=PATIENCE)
            answer.raise_for_status()
            told = answer.json().get("vulns", [])
        except (requests.RequestException, ValueError) as error:
            raise NotAsked(str(error)) from None
        for hole in told:
            if "withdrawn" not in hole:
                names = frozenset([hole["id"], *hole.get("aliases", [])])
                yield Hole(library["name"], library["version"], names, tuple(_mended(hole)))


def _mended(hole: dict[str, Any]) -> Iterator[str]:
    for affected in hole.get("affected", []):
        for stretch in affected.get("ranges", []):
            yield from (event["fixed"] for event in stretch["events"] if "fixed" in event)
